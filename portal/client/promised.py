"""Holds the content of a success against what its operation promises.

Services and what stands before them answer 200 to what they did not do: a refusal as an object with
a code and a message, a page to sign in to the network, nothing at all, or another object. None of
these is taken for what was asked for.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from pydantic_core import from_json

from portal.client import messages
from portal.contract.model import Model
from portal.contract.operation import AnyOperation, Call
from portal.contract.reading import Unlike
from portal.contract.words import Message

_SESSIONS = {"meetingId", "meetingUUID", "webinarId"}
_OTHERWISE_NAMED = {"webhookId": "webhook_id", "sessionId": "session_id"}
R = TypeVar("R")
_WEB_PAGE = (b"<!doctype html", b"<html")


def identity_of(call: Call[Any]) -> tuple[str, str] | None:
    """The field that names the object in an answer, and its value; `None` where an answer is not
    about the object that the path names last."""
    if not call.ids or not _is_about_its_object(call.operation):
        return None
    asked = str(call.ids[-1])
    return _field_of(call.operation.path_parameters[-1], asked), asked


def _is_about_its_object(operation: AnyOperation) -> bool:
    if operation.path.endswith("}"):
        return True
    # A report of a session stands below its path.
    returns = operation.returns
    return operation.method == "GET" and returns is not None and "uuid" in returns.model_fields


def _field_of(parameter: str, asked: str) -> str:
    if "@" in asked:
        return "email"
    if parameter in _SESSIONS and not asked.isdigit():
        return "uuid"
    return _OTHERWISE_NAMED.get(parameter, "id")


class RefusedAll(Exception):
    """The content refuses the call, with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class NotPromised(Exception):
    """The content is not what the operation promises: `field` is missing, or of another type."""

    def __init__(self, words: str, field: str = "") -> None:
        super().__init__(words, field)
        self.message = Message(words)
        self.field = field


def fulfilled(call: Call[R], content: bytes) -> R:
    """Returns what the call returns. Raises `RefusedAll` or `NotPromised`."""
    returns = call.operation.returns
    if returns is None:
        _check_unpromised(call, content)
        return cast(R, None)
    result, field = None, ""
    try:
        result = returns.read(content)
    except Unlike as unlike:
        field = unlike.field
    except ValueError:
        pass
    if result is None or not result.model_fields_set & returns.model_fields.keys():
        _check_bare(content, result, field)
    if result is not None:
        _check_same(call, lambda name: getattr(result, name, None))
    return cast(R, result)


def code_of(document: dict[str, object]) -> int | None:
    """The code of an error; some services write it as digits."""
    code = document.get("code")
    if isinstance(code, str) and code.isascii() and code.isdigit():
        return int(code[:10])
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _check_unpromised(call: Call[Any], content: bytes) -> None:
    """Content that comes where none is promised may be any JSON but a refusal, or another object
    than the changed one."""
    if not content.strip():
        return
    document = _document(content)
    _check_refusal(document)
    if isinstance(document, dict):
        _check_same(call, document.get)


def _check_same(call: Call[Any], value_of: Callable[[str], Any]) -> None:
    """Raises where the answer says itself that it is about another object than was asked for."""
    identity = identity_of(call)
    if identity is None:
        return
    field, asked = identity
    reported = str(value_of(field) or asked)
    # `me` is whoever asks, and a meeting may be asked for by the number that its host always has.
    if not _is_same(reported, asked) and asked not in ("me", str(value_of("pmi"))):
        raise NotPromised(messages.ANOTHER_OBJECT)


def _is_same(reported: str, asked: str) -> bool:
    if asked.isascii() and asked.isdigit():
        return reported.lstrip("0") == asked.lstrip("0")
    return reported.casefold() == asked.casefold()


def _check_bare(content: bytes, result: Model | None, field: str) -> None:
    """Raises what an answer without any field of its object is; an empty one is what it is."""
    document = _document(content)
    _check_refusal(document)
    if result is None or document:
        raise NotPromised(messages.NOT_AS_DESCRIBED, field)


def _document(content: bytes) -> Any:
    try:
        return from_json(content)
    except ValueError:
        start = content[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        raise NotPromised(messages.EMPTY)
    is_page = start.startswith(_WEB_PAGE)
    raise NotPromised(messages.WEB_PAGE if is_page else messages.NOT_AS_DESCRIBED)


def _check_refusal(document: object) -> None:
    if not isinstance(document, dict) or not isinstance(document.get("message"), str):
        return
    code = code_of(document)
    if code is not None:
        raise RefusedAll(code)
