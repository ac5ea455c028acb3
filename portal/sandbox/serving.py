"""Registration of handlers: `@serves(Users.create)`.

A handler takes the path's ids in their order, then the query and the body as the operation's
models; one that needs the request itself names its first parameter `request`. It returns what the
operation returns: a model, bytes that are JSON already, a `Created`, or nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any, TypeVar

from portal.contract.model import Model
from portal.contract.operation import Operation
from portal.sandbox.http import Created

Result = Model | Created | bytes | None
H = TypeVar("H", bound=Callable[..., Result])


@dataclass(frozen=True)
class Served:
    """An operation and its handler."""

    operation: Operation[Any, Any]
    handler: Callable[..., Result]
    wants_request: bool
    is_one_statement: bool


HANDLERS: dict[str, Served] = {}
BEYOND_THE_DOCUMENT: list[Served] = []  # which the profile `current` has too


def serves(operation: Operation[Any, Any], *, is_one_statement: bool = False) -> Callable[[H], H]:
    """Registers a handler. Its writes are one transaction; a handler with a single statement
    declares that, and has none."""

    def register(handler: H) -> H:
        if operation.name in HANDLERS:
            raise ValueError(f"{operation.name} is served twice")
        HANDLERS[operation.name] = _served(operation, handler, is_one_statement=is_one_statement)
        return handler

    return register


def serves_today(operation: Operation[Any, Any]) -> Callable[[H], H]:
    """Registers the handler of an operation that only today's services have."""

    def register(handler: H) -> H:
        BEYOND_THE_DOCUMENT.append(_served(operation, handler))
        return handler

    return register


def _served(
    operation: Operation[Any, Any],
    handler: Callable[..., Result],
    *,
    is_one_statement: bool = False,
) -> Served:
    wants_request = next(iter(signature(handler).parameters), "") == "request"
    return Served(operation, handler, wants_request, is_one_statement)
