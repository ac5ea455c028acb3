"""The token endpoint of RFC 6749 (client credentials), and its variant with an account.

Any client id is one, with the access token that the sandbox was started with as its secret.
"""

import base64
import hmac
import secrets
from binascii import Error as NotBase64
from datetime import timedelta
from urllib.parse import parse_qs, unquote_plus

import orjson

from portal.sandbox import clock, grants
from portal.sandbox.errors import WrongMethod
from portal.sandbox.http import BASE_PATH, Answer, Request
from portal.sandbox.models import IssuedToken
from portal.sandbox.options import Options
from portal.sandbox.writing import writing

_LARGEST_FORM = 16 * 1024
_NO_STORE = [("Cache-Control", "no-store")]


def issue(request: Request, options: Options) -> Answer:
    """Answers with a new token, or with why there is none. Parameters come in the query or the
    form."""
    if request.method != "POST":
        raise WrongMethod(["POST"])
    given = request.parameters | parse_qs(request.body(_LARGEST_FORM).decode("utf-8", "replace"))
    if not _is_client(request.header("Authorization"), options.token):
        return _refused(401, "invalid_client", "Invalid client_id or client_secret")
    grant = given.get("grant_type", [""])[0]
    if grant not in ("client_credentials", "account_credentials"):
        return _refused(400, "unsupported_grant_type", "The grant type is not supported.")
    if grant == "account_credentials" and not given.get("account_id", [""])[0]:
        return _refused(400, "invalid_request", "Bad request: account_id is missing.")
    value = secrets.token_urlsafe(32)
    now = clock.machine_now()
    with writing():
        if options.one_token:
            IssuedToken.objects.filter(ends_at__gt=now).update(ends_at=now)
        IssuedToken.objects.create(
            value=value, ends_at=now + timedelta(seconds=options.token_seconds)
        )
    document = {
        "access_token": value,
        "token_type": "bearer",
        "expires_in": options.token_seconds,
        "scope": " ".join(grants.scopes(options)),
        "api_url": request.site + BASE_PATH,
    }
    return Answer(200, orjson.dumps(document), headers=_NO_STORE, is_translated=False)


def is_valid(value: str) -> bool:
    """Returns whether the token was issued and has not ended."""
    return IssuedToken.objects.filter(value=value, ends_at__gt=clock.machine_now()).exists()


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
