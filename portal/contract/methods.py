"""`GET`, `POST`, `PUT`, `PATCH` and `DELETE`: how a family declares its operations.

Only types are distinguished here. Usual options are left out: a GET reads and answers 200, a POST
writes and answers 201, a DELETE destroys, and all other changes answer 204 without a body. If
the path names an object the document lists 404 among the errors.
"""

from typing import Any, Never, TypedDict, TypeVar, Unpack, overload

from portal.contract.inverse import Inverse
from portal.contract.model import Model
from portal.contract.operation import (
    AnyOperation,
    Effect,
    Method,
    Operation,
    PagedOperation,
    Paging,
    Weight,
)

Q = TypeVar("Q", bound=Model)
B = TypeVar("B", bound=Model)
R = TypeVar("R", bound=Model)
T = TypeVar("T")


class Options(TypedDict, total=False):
    """Options that any operation may declare; see `Operation`."""

    effect: Effect
    errors: tuple[int, ...]
    decided: tuple[int, ...]
    deprecated: bool
    inverse: Inverse
    weight: Weight


class Usual(Options, total=False):
    """Further options that any write may declare."""

    locates: bool
    before: AnyOperation


@overload
def GET(
    path: str, summary: str, *, returns: type[R], **options: Unpack[Options]
) -> Operation[Never, R]: ...


@overload
def GET(
    path: str, summary: str, *, query: type[Q], returns: type[R], **options: Unpack[Options]
) -> Operation[Q, R]: ...


@overload
def GET(
    path: str,
    summary: str,
    *,
    query: type[Q],
    returns: type[R],
    pages: Paging[T],
    **options: Unpack[Options],
) -> PagedOperation[Q, R, T]: ...


def GET(
    path: str,
    summary: str,
    *,
    returns: type[Model],
    query: type[Model] | None = None,
    pages: Paging[Any] | None = None,
    **options: Unpack[Options],
) -> AnyOperation:
    """Declares a read. With `pages` it is a list that can be walked to its end."""
    options.setdefault("errors", _usual_errors(path))
    make = PagedOperation if pages else Operation
    return make("GET", path, summary, 200, query=query, returns=returns, pages=pages, **options)


def _usual_errors(path: str) -> tuple[int, ...]:
    return (404,) if "{" in path else ()


class _Write:
    """Declares writes of one HTTP method."""

    def __init__(self, method: Method, status: int, effect: Effect) -> None:
        self.method, self.status, self.effect = method, status, effect

    @overload
    def __call__(
        self, path: str, summary: str, **usual: Unpack[Usual]
    ) -> Operation[Never, None]: ...
    @overload
    def __call__(
        self, path: str, summary: str, *, body: type[B], **usual: Unpack[Usual]
    ) -> Operation[B, None]: ...
    @overload
    def __call__(
        self, path: str, summary: str, *, query: type[Q], **usual: Unpack[Usual]
    ) -> Operation[Q, None]: ...
    @overload
    def __call__(
        self,
        path: str,
        summary: str,
        *,
        body: type[B],
        returns: type[R],
        **usual: Unpack[Usual],
    ) -> Operation[B, R]: ...
    @overload
    def __call__(
        self,
        path: str,
        summary: str,
        *,
        query: type[Q],
        body: type[B],
        **usual: Unpack[Usual],
    ) -> Operation[Q | B, None]: ...
    @overload
    def __call__(
        self,
        path: str,
        summary: str,
        *,
        query: type[Q],
        body: type[B],
        returns: type[R],
        **usual: Unpack[Usual],
    ) -> Operation[Q | B, R]: ...

    def __call__(
        self,
        path: str,
        summary: str,
        *,
        query: type[Model] | None = None,
        body: type[Model] | None = None,
        returns: type[Model] | None = None,
        **usual: Unpack[Usual],
    ) -> AnyOperation:
        usual.setdefault("effect", self.effect)
        usual.setdefault("errors", _usual_errors(path))
        return Operation(
            self.method,
            path,
            summary,
            self.status,
            query=query,
            body=body,
            returns=returns,
            **usual,
        )


POST = _Write("POST", 201, Effect.WRITE)
PUT = _Write("PUT", 204, Effect.WRITE)
PATCH = _Write("PATCH", 204, Effect.WRITE)
DELETE = _Write("DELETE", 204, Effect.DESTRUCTIVE)
