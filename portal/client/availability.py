"""Tells a refusal of what is asked for from one of asking at all.

A token without the scope, a plan without the feature and a service without the operation refuse
whatever is sent. Services say so by codes of their own, by RFC 6750, or by a 404 for a whole list.
"""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from portal.client.errors import Lack
from portal.contract.operation import Call

_NO_SCOPE, _NO_SCOPE_OR_TOKEN = 4711, 4700
_NOT_IN_THE_PLAN = 200
_NO_SUCH_OPERATION = 2300
_SCOPE = re.compile(r"\b[a-z_]+(?::[a-z_]+)+\b")
_NAMED_SCOPES = re.compile(r'scope="([^"]*)"')
_REFUSED = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_MOST_SCOPES = 20


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
