"""Asks a token endpoint for a token: RFC 6749 client credentials, and the variant in which an
account is named (`grant_type=account_credentials`)."""

import math
import re
from dataclasses import dataclass, field
from typing import Literal, Protocol

import httpx
from pydantic_core import from_json

from portal.client import messages
from portal.client.addresses import AddressPolicy
from portal.client.secret import Secret
from portal.client.transport import ExchangeFailed, exchange
from portal.contract.words import Message

_LARGEST_ANSWER = 64 * 1024
_LONGEST_WORDS = 300
_LONGEST_SCOPE = 20_000
_LONGEST_ADDRESS = 300
_USUAL_LIFETIME = 3600.0
_LONGEST_LIFETIME = 30 * 86_400.0
_TOKEN = re.compile(r"[\x21-\x7e]{1,8000}")

Reason = Literal["refused", "address", "certificate", "connect", "timeout"]


@dataclass(frozen=True)
class ClientCredentials:
    """Credentials with which a token is asked for; `account_id` names the account in the variant
    that has one, and `extra` are further fields of the form."""

    token_url: str = field(repr=False)
    client_id: str = field(repr=False)
    secret: Secret
    account_id: str = field(default="", repr=False)
    extra: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def form(self) -> dict[str, str]:
        """Returns the fields that are sent."""
        grant = {"grant_type": "client_credentials"}
        if self.account_id:
            grant = {"grant_type": "account_credentials", "account_id": self.account_id}
        return {**dict(self.extra), **grant}

    def hide(self, text: str) -> str:
        """Returns a text without any of this."""
        values = [self.account_id, *(value for _name, value in self.extra)]
        for each in [self.secret, *map(Secret, values)]:
            text = each.hide(text)
        return text


@dataclass(frozen=True)
class IssuedToken:
    """A token, for how many seconds from its receipt it lives, and what came beside it."""

    token: Secret
    lifetime: float = _USUAL_LIFETIME
    scope: str = ""
    api_url: str = ""


class NotIssued(Exception):
    """There is no token. `refused` says that asking again changes nothing."""

    def __init__(self, message: str | Message, reason: Reason = "refused") -> None:
        super().__init__(message)
        self.reason: Reason = reason

    @property
    def message(self) -> str:
        return str(self.args[0])


class Tokens(Protocol):
    """Tokens that are renewed, shared by all who call over a connection. Raises `NotIssued`."""

    def current(self) -> Secret:
        """Returns the token to call with."""
        ...

    def instead_of(self, refused: Secret) -> Secret | None:
        """Returns another token than this one, which the service has just refused, or `None` where
        another would be refused as well."""
        ...

    def newer_than(self, lacking: Secret) -> Secret | None:
        """Returns a newer token than this one, which lacks a scope, or `None` where this one has
        what there is now."""
        ...


def ask_for_token(
    credentials: ClientCredentials, policy: AddressPolicy, timeout: float
) -> IssuedToken:
    """Asks once. Raises `NotIssued`, which has no secret in it."""
    failure: NotIssued
    try:
        request = httpx.Request(
            "POST",
            credentials.token_url,
            data=credentials.form(),
            headers={"Accept": "application/json"},  # untranslated: a header
        )
        basic = httpx.BasicAuth(credentials.client_id, credentials.secret.value)
        request = next(basic.auth_flow(request))
        answer = exchange(policy, request, timeout, _LARGEST_ANSWER)
        return _issued(answer.status, answer.content, credentials)
    except NotIssued as refused:
        failure = NotIssued(refused.args[0], refused.reason)
    except ExchangeFailed as error:
        match error.reason:
            case "broken" | "unreadable":
                failure = NotIssued(error.args[0], "connect")
            case reason:
                failure = NotIssued(error.args[0], reason)
    # Made and raised outside the handlers, whose frames hold the secret.
    raise failure


def _issued(status: int, content: bytes, credentials: ClientCredentials) -> IssuedToken:
    try:
        document = from_json(content)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        document = {}
    token = document.get("access_token")
    if 200 <= status < 300 and isinstance(token, str) and _TOKEN.fullmatch(token):
        return IssuedToken(
            Secret(token),
            _lifetime(document.get("expires_in")),
            _line(document.get("scope"), _LONGEST_SCOPE),
            _line(document.get("api_url"), _LONGEST_ADDRESS),
        )
    words = [document.get(name) for name in ("error_description", "reason", "message", "error")]
    text = next((line for each in words if (line := _line(each, _LONGEST_WORDS))), "")
    if status >= 500 or status == 429:
        raise NotIssued(Message(messages.TOKEN_FAULT, status=str(status)), "connect")
    if text:
        raise NotIssued(_line(credentials.hide(text), _LONGEST_WORDS))
    raise NotIssued(Message(messages.NO_TOKEN, status=str(status)))


def _lifetime(given: object) -> float:
    try:
        seconds = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return _USUAL_LIFETIME
    if not math.isfinite(seconds) or seconds <= 0:
        return _USUAL_LIFETIME
    return min(seconds, _LONGEST_LIFETIME)


def _line(text: object, longest: int) -> str:
    if not isinstance(text, str):
        return ""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())[:longest]
