"""The token endpoint of RFC 6749, and its variant of client credentials with an account.

Every client id is accepted with the access token of the sandbox as its secret, and so is every code
for the owner of the account.
"""

import base64
import hmac
import secrets
from binascii import Error as NotBase64
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, unquote_plus

import orjson
from django.core import signing

from portal.sandbox import clock, grants
from portal.sandbox.errors import WrongMethod
from portal.sandbox.http import BASE_PATH, Answer, Request
from portal.sandbox.models import IssuedToken
from portal.sandbox.options import Options
from portal.sandbox.writing import writing

_LARGEST_FORM = 16 * 1024
_OF_A_PERSON = {"authorization_code", "refresh_token"}
# What a grant comes with.
_NEEDED = {
    "client_credentials": "",
    "account_credentials": "account_id",
    "authorization_code": "code",
    "refresh_token": "refresh_token",
}
_NO_STORE = [("Cache-Control", "no-store")]


def issue(request: Request, options: Options) -> Answer:
    """Answers with a new token, or with the reason for a refusal. Parameters come in the query or
    the form."""
    if request.method != "POST":
        raise WrongMethod(["POST"])
    given = request.parameters | parse_qs(request.body(_LARGEST_FORM).decode("utf-8", "replace"))
    if not _is_client(request.header("Authorization"), options.token):
        return _refused(401, "invalid_client", "Invalid client_id or client_secret")
    grant = given.get("grant_type", [""])[0]
    if grant not in _NEEDED:
        return _refused(400, "unsupported_grant_type", "The grant type is not supported.")
    needed = _NEEDED[grant]
    sent = given.get(needed, [""])[0]
    if needed and not sent:
        return _refused(400, "invalid_request", f"Bad request: {needed} is missing.")
    if grant == "refresh_token" and not _may_refresh(sent, options.token):
        return _refused(400, "invalid_grant", "Invalid Token!")
    value = secrets.token_urlsafe(32)
    scope = " ".join(grants.scopes(options))
    now = clock.machine_now()
    with writing():
        if options.one_token:
            IssuedToken.objects.filter(ends_at__gt=now).update(ends_at=now)
        IssuedToken.objects.create(
            value=value, scope=scope, ends_at=now + timedelta(seconds=options.token_seconds)
        )
    document: dict[str, Any] = {
        "access_token": value,
        "token_type": "bearer",
        "expires_in": options.token_seconds,
        "scope": scope,
        "api_url": request.site + BASE_PATH,
    }
    if grant in _OF_A_PERSON:
        document["refresh_token"] = _refreshing(options.token).sign(secrets.token_urlsafe(16))
    return Answer(200, orjson.dumps(document), headers=_NO_STORE, is_translated=False)


def scopes_of(value: str) -> list[str] | None:
    """Returns the scopes that the token was issued with; None for one that has ended or was not
    issued."""
    issued = IssuedToken.objects.filter(value=value, ends_at__gt=clock.machine_now()).first()
    return issued.scope.split() if issued else None


def _refreshing(key: str) -> signing.Signer:
    return signing.Signer(key=key, salt="refresh token")


def _may_refresh(value: str, key: str) -> bool:
    try:
        _refreshing(key).unsign(value)
    except signing.BadSignature:
        return False
    return True


def _is_client(header: str, secret: str) -> bool:
    scheme, _, credentials = header.partition(" ")
    try:
        decoded = base64.b64decode(credentials.strip(), validate=True).decode()
    except (NotBase64, ValueError):
        return False
    client_id, _, given = decoded.partition(":")
    is_right = hmac.compare_digest(unquote_plus(given).encode(), secret.encode())
    return scheme.lower() == "basic" and bool(client_id) and is_right


def _refused(status: int, error: str, words: str) -> Answer:
    document = {"error": error, "reason": words, "code": status, "message": words}
    return Answer(status, orjson.dumps(document), headers=_NO_STORE, is_translated=False)
