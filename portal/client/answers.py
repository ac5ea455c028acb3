"""Turns an HTTP answer into the result of a call, or into an `ApiError`.

The content of a success is held against what its operation promises. Services and what stands
before them answer 200 to what they did not do: a refusal as an object with a code and a message, a
page to sign in to the network, nothing at all, or another object. None of these is taken for what
was asked for.
"""

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar, cast
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
    is_of_a_day,
    quota_of,
    reach_of,
    seconds_to_wait,
    until_tomorrow,
)
from portal.client.secret import Secret
from portal.client.transport import Answer
from portal.contract.operation import Call
from portal.contract.problems import FieldProblem
from portal.contract.reading import Unlike
from portal.contract.words import Message

_NO_SCOPE, _NO_SCOPE_OR_TOKEN = 4711, 4700
_NOT_IN_THE_PLAN = 200
_NO_PERMISSION = re.compile(r"\b(?:permissions?|privileges?|roles?)\b", re.IGNORECASE)
_NO_SUCH_OPERATION = 2300
# Under which services say how their support finds a call.
_TRACKED_BY = ("x-zm-trackingid", "X-Tracking-Id", "X-Correlation-Id", "X-Request-Id")
_TRACKING_ID = re.compile(r"[\x21-\x7e]{1,120}")
_SCOPE = re.compile(r"\b[a-z][a-z0-9_]*(?::[a-z][a-z0-9_]*)+\b")
_NAMED_SCOPES = re.compile(r'scope="([^"]*)"')
_REFUSED = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_MOST_SCOPES = 20
_SESSIONS = {"meetingId", "meetingUUID", "webinarId"}
_OTHERWISE_NAMED = {"webhookId": "webhook_id", "sessionId": "session_id"}
_WEB_PAGE = (b"<!doctype html", b"<html")
R = TypeVar("R")
_LONGEST_MESSAGE = 500
_MOST_FIELDS = 100


def lack_of(
    call: Call[object],
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
        return "permission" if _NO_PERMISSION.search(words) else "plan", ()
    # A resource that is neither an object nor a later page cannot have been removed, if it is
    # there by the document.
    is_later = call.next_page_token or getattr(call.query, "next_page_token", None)
    is_lasting = (
        call.operation.method == "GET"
        and HTTPStatus.NOT_FOUND not in call.operation.errors
        and not (call.ids or is_later or getattr(call.query, "page_number", 1) > 1)
    )
    if status == HTTPStatus.NOT_FOUND and (code == _NO_SUCH_OPERATION or is_lasting):
        return "service", ()
    return None


def _scopes(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_SCOPE.findall(words)))[:_MOST_SCOPES]


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


def identity_of(call: Call[object]) -> tuple[str, str] | None:
    """The field that names the object in an answer, and its value; `None` where an answer is not
    about the object that the path names last."""
    operation = call.operation
    returns = operation.returns
    # A report of a session stands below its path.
    is_report = operation.method == "GET" and returns and "uuid" in returns.model_fields
    if not call.ids or not (operation.path.endswith("}") or is_report):
        return None
    asked, parameter = str(call.ids[-1]), operation.path_parameters[-1]
    if "@" in asked:
        return "email", asked
    if parameter in _SESSIONS and not asked.isdigit():
        return "uuid", asked
    return _OTHERWISE_NAMED.get(parameter, "id"), asked


def fulfilled(call: Call[R], content: bytes) -> R:
    """Returns what the call returns. Raises `RefusedAll` or `NotPromised`."""
    returns = call.operation.returns
    if returns is None:
        # Any JSON may come here but a refusal, or another object than the changed one.
        document = _document(content) if content.strip() else None
        _check_refusal(document)
        if isinstance(document, dict):
            _check_same(call, document.get)
        return cast(R, None)
    result, field = None, ""
    try:
        result = returns.read(content)
    except Unlike as unlike:
        field = unlike.field
    except ValueError:
        pass
    if result is None or not result.model_fields_set & returns.model_fields.keys():
        # Without any field of its object, an answer is what it says; an empty one is what it is.
        document = _document(content)
        _check_refusal(document)
        if result is None or document:
            raise NotPromised(messages.NOT_AS_DESCRIBED, field)
    if result is not None:
        _check_same(call, lambda name: getattr(result, name, None))
    return cast(R, result)


def code_of(document: dict[str, object]) -> int | None:
    """The code of an error; some services write it as digits."""
    code = document.get("code")
    if isinstance(code, str) and code.isascii() and code.isdigit():
        return int(code[:10])
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _check_same(call: Call[object], value_of: Callable[[str], Any]) -> None:
    """Raises where the answer says itself that it is about another object than was asked for."""
    identity = identity_of(call)
    if identity is None:
        return
    field, asked = identity
    reported = str(value_of(field) or asked)
    # `me` is the caller, and a meeting may be asked for by the number that its host always has.
    if asked in ("me", str(value_of("pmi"))):
        return
    is_number = asked.isascii() and asked.isdigit()
    spelled = [each.lstrip("0") if is_number else each.casefold() for each in (reported, asked)]
    if spelled[0] != spelled[1]:
        raise NotPromised(messages.ANOTHER_OBJECT)


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


def _failure(
    call: Call[object],
    answer: Answer,
    token: Secret,
    kind: type[Answered],
    status: int,
) -> Answered:
    try:
        document = from_json(answer.content)
    except ValueError:
        document = None
    document = document if isinstance(document, dict) else {}
    errors = document.get("errors")
    code = code_of(document)
    words = _words(document.get("message") or _problem_details(document), token)
    lack = lack_of(call, status, code, words, answer.headers)
    failure = (NotAvailable if lack else kind)(
        call.operation,
        words or _own_words(answer, token),
        status=status,
        code=code,
        fields=tuple(
            FieldProblem(_words(each.get("field"), token), _words(each.get("message"), token))
            for each in (errors[:_MOST_FIELDS] if isinstance(errors, list) else ())
            if isinstance(each, dict)
        ),
        retry_after=seconds_to_wait(answer.headers),
    )
    failure.tracking_id = _tracking_id(answer.headers, token)
    if isinstance(failure, NotAvailable) and lack:
        failure.lack, failure.scopes = lack
    if isinstance(failure, Throttled):
        failure.quota = quota_of(answer.headers, token)
        if failure.retry_after is None and is_of_a_day(words, failure.quota):
            failure.retry_after = until_tomorrow(answer.headers)
        failure.reach = reach_of(words, failure.quota, failure.retry_after)
        failure.names_object = bool(call.ids)
    return failure


def _tracking_id(headers: Mapping[str, str], token: Secret) -> str:
    """Returns what the service knows the call by; nothing that may repeat the token."""
    text = next((headers[name] for name in _TRACKED_BY if headers.get(name)), "").strip()
    return text if _TRACKING_ID.fullmatch(text) and token.hide(text) == text else ""


def _problem_details(document: dict[str, object]) -> str:
    """The words of a problem document (RFC 9457)."""
    values = [document.get(name) for name in ("title", "detail")]
    words = [each.strip() for each in values if isinstance(each, str) and each.strip()]
    return ": ".join(dict.fromkeys([*(each.rstrip(".") for each in words[:-1]), *words[-1:]]))


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
