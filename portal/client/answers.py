"""Turns an HTTP answer into the result of a call, or into an `ApiError`."""

from collections.abc import Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic_core import from_json

from portal.client import messages
from portal.client.availability import lack_of
from portal.client.errors import (
    Answered,
    ApiError,
    Invalid,
    NotAvailable,
    Throttled,
    Unexpected,
    answered,
)
from portal.client.limits import (
    is_about_one_user,
    is_of_a_day,
    quota_of,
    seconds_to_wait,
    until_tomorrow,
)
from portal.client.promised import NotPromised, RefusedAll, code_of, fulfilled
from portal.client.secret import Secret
from portal.client.transport import Answer
from portal.contract.operation import Call
from portal.contract.problems import FieldProblem
from portal.contract.words import Message

R = TypeVar("R")
_LONGEST_MESSAGE = 500
_MOST_FIELDS = 100


def understand(call: Call[R], answer: Answer, token: Secret) -> R | ApiError:
    """Returns what the call returns, or what is wrong.

    Any 2xx is a success, whichever the document names, as long as the content is what it promises.
    A refusal that comes with such a status is a refusal all the same, and a page of HTML is no
    answer of the service.
    """
    if not 200 <= answer.status < 300:
        return _failure(call, answer, token, answered(answer.status), answer.status)
    try:
        return fulfilled(call, answer.content)
    except RefusedAll as refusal:
        # Its code is often the status that it should have come with.
        is_status = 400 <= refusal.code < 600
        kind = answered(refusal.code) if is_status else Invalid
        status = refusal.code if is_status else answer.status
        return _failure(call, answer, token, kind, status)
    except NotPromised as unlike:
        unexpected = Unexpected(call.operation, unlike.message, status=answer.status)
        unexpected.field = unlike.field
        return unexpected


def _failure(
    call: Call[Any],
    answer: Answer,
    token: Secret,
    kind: type[Answered],
    status: int,
) -> Answered:
    document = _error_document(answer.content)
    code = code_of(document)
    words = _words(document.get("message") or _problem_details(document), token)
    lack = lack_of(call, status, code, words, answer.headers)
    failure = (NotAvailable if lack else kind)(
        call.operation,
        words or _own_words(answer, token),
        status=status,
        code=code,
        fields=tuple(_fields(document.get("errors"), token)),
        retry_after=seconds_to_wait(answer.headers),
    )
    if isinstance(failure, NotAvailable) and lack:
        failure.lack, failure.scopes = lack
    if isinstance(failure, Throttled):
        failure.quota = quota_of(answer.headers, token)
        if failure.retry_after is None and is_of_a_day(words, failure.quota):
            failure.retry_after = until_tomorrow(answer.headers)
        failure.is_about_one_user = is_about_one_user(words, failure.quota, failure.retry_after)
    return failure


def _error_document(content: bytes) -> dict[str, Any]:
    try:
        document = from_json(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _problem_details(document: dict[str, Any]) -> str:
    """The words of a problem document (RFC 9457)."""
    said = [document.get(name) for name in ("title", "detail")]
    words = [each.strip() for each in said if isinstance(each, str) and each.strip()]
    return ": ".join(dict.fromkeys([*(each.rstrip(".") for each in words[:-1]), *words[-1:]]))


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
