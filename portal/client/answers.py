"""Turns an HTTP answer into the result of a call, or into an `ApiError`."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from pydantic_core import from_json

from portal.client import messages
from portal.client.errors import Answered, ApiError, Unexpected, answered
from portal.client.secret import Secret
from portal.client.transport import Answer
from portal.contract.operation import Operation
from portal.contract.problems import FieldProblem
from portal.contract.words import Message

R = TypeVar("R")
_LONGEST_MESSAGE = 500
_MOST_FIELDS = 100
_LONGEST_WAIT = 86_400.0  # seconds


def understand(operation: Operation[Any, R], answer: Answer, token: Secret) -> R | ApiError:
    """What the operation returns, or what is wrong.

    Any 2xx is a success, whichever the document names, as long as the content is what it promises:
    a page of HTML with status 200 is no answer of the service.
    """
    if 200 <= answer.status < 300:
        return _read(operation, answer)
    return _failure(operation, answer, token)


def _read(operation: Operation[Any, R], answer: Answer) -> R | ApiError:
    try:
        if operation.returns is not None:
            return cast(R, operation.returns.read(answer.content))
        if answer.content.strip():
            from_json(answer.content)
    except ValueError:
        return Unexpected(
            operation,
            Message(messages.NOT_AS_DESCRIBED),
            status=answer.status,
        )
    return cast(R, None)


def _failure(operation: Operation[Any, Any], answer: Answer, token: Secret) -> Answered:
    document = _error_document(answer.content)
    code = document.get("code")
    return answered(answer.status)(
        operation,
        _words(document.get("message"), token) or _own_words(answer, token),
        status=answer.status,
        code=code if isinstance(code, int) else None,
        fields=tuple(_fields(document.get("errors"), token)),
        retry_after=_seconds_to_wait(answer),
    )


def _error_document(content: bytes) -> dict[str, Any]:
    try:
        document = from_json(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _fields(errors: object, token: Secret) -> Iterator[FieldProblem]:
    for item in errors[:_MOST_FIELDS] if isinstance(errors, list) else ():
        if isinstance(item, dict):
            yield FieldProblem(_words(item.get("field"), token), _words(item.get("message"), token))


def _words(text: object, token: Secret) -> str:
    """The service's words, fit to be shown: one line, not too long, without the token."""
    if not isinstance(text, str):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in token.hide(text)).split())
    return line if len(line) <= _LONGEST_MESSAGE else line[: _LONGEST_MESSAGE - 1] + "…"


def _own_words(answer: Answer, token: Secret) -> Message:
    if 300 < answer.status < 400:
        try:
            place = answer.headers.get("Location", "")  # untranslated: a header
            host = urlsplit(place).hostname or ""
        except ValueError:
            host = ""
        if token.hide(host) != host:
            host = ""
        if host:
            return Message(messages.REDIRECTED_TO, host=host)
        return Message(messages.REDIRECTED)
    return Message(messages.NO_REASON)


def _seconds_to_wait(answer: Answer) -> float | None:
    """`Retry-After`, given in seconds or as a date, which is read by the service's own clock; a day
    at most."""
    text = answer.headers.get("Retry-After", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        clock = _date(answer.headers.get("Date", ""))  # untranslated: a header
        until, now = _date(text), clock or datetime.now(UTC)
        if until is None:
            return None
        seconds = (until - now).total_seconds()
    return min(max(0.0, seconds), _LONGEST_WAIT) if math.isfinite(seconds) else None


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
