"""Turns an HTTP answer into the result of a call, or into an `ApiError`."""

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic_core import from_json

from portal.client import messages
from portal.client.errors import (
    Answered,
    ApiError,
    Invalid,
    Lack,
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

_NO_SCOPE, _NO_SCOPE_OR_TOKEN = 4711, 4700
_NOT_IN_THE_PLAN = 200
_NO_SUCH_OPERATION = 2300
_SCOPE = re.compile(r"\b[a-z_]+(?::[a-z_]+)+\b")
_NAMED_SCOPES = re.compile(r'scope="([^"]*)"')
_REFUSED = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_MOST_SCOPES = 20
R = TypeVar("R")
_LONGEST_MESSAGE = 500
_MOST_FIELDS = 100


def lack_of(
    call: Call[Any],
    status: int,
    code: int | None,
    words: str,
    headers: Mapping[str, str],
) -> tuple[Lack, tuple[str, ...]] | None:
    """Returns what is missing, with the scopes if the answer names them; None for another refusal.
    A status below 400 is that of a refusal which came with a success."""
    is_refused = status in _REFUSED or status < 300
    challenge = headers.get("WWW-Authenticate", "")  # untranslated: a header
    if status >= 400 and "insufficient_scope" in challenge:
        return "scope", _scopes(" ".join(_NAMED_SCOPES.findall(challenge)) or words)
    if is_refused and (
        code == _NO_SCOPE or (code == _NO_SCOPE_OR_TOKEN and "scope" in words.casefold())
    ):
        return "scope", _scopes(words)
    if is_refused and code == _NOT_IN_THE_PLAN:
        return "plan", ()
    is_missing = status == HTTPStatus.NOT_FOUND
    if is_missing and (code == _NO_SUCH_OPERATION or _is_a_beginning(call)):
        return "service", ()
    return None


def _is_a_beginning(call: Call[Any]) -> bool:
    """Returns whether the call reads a resource that nobody can have removed: neither an object nor
    a later page, nor a resource that may be absent by the document."""
    if call.operation.method != "GET" or HTTPStatus.NOT_FOUND in call.operation.errors:
        return False
    is_later = call.next_page_token or getattr(call.query, "next_page_token", None)
    return not (call.ids or is_later or getattr(call.query, "page_number", 1) > 1)


def _scopes(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_SCOPE.findall(words)))[:_MOST_SCOPES]


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


def _error_document(content: bytes) -> dict[str, object]:
    try:
        document = from_json(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _problem_details(document: dict[str, object]) -> str:
    """The words of a problem document (RFC 9457)."""
    values = [document.get(name) for name in ("title", "detail")]
    words = [each.strip() for each in values if isinstance(each, str) and each.strip()]
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
