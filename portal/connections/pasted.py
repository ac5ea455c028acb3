"""Recognises credentials in a pasted text: a block of the service's page, `.env`, JSON, a command.

Labels are read in whatever spelling; values without one are told apart by their shapes, and by the
order in which services show them.
"""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic_core import from_json

LONGEST = 20_000
ACCOUNT, CLIENT, SECRET = "client_account", "client_id", "secret"
TOKEN, TOKEN_URL, BASE_URL = "token", "token_url", "base_url"
_OLD, _BASIC, _IGNORED = "old", "basic", "ignored"
_CREDENTIALS = (ACCOUNT, CLIENT, SECRET)

# By what a label ends in; whatever stands before belongs to it, as in `MY_ACCOUNT_ID`.
_LABELS = {
    _IGNORED: r"(?:secret|verification|refresh)[ _-]?token|grant[ _-]?type|token[ _-]?type|scopes?"
    r"|expires[ _-]?in",
    TOKEN_URL: r"(?:token|oauth|auth)[ _-]?(?:url|uri|endpoint)",
    BASE_URL: r"(?:api|base)[ _-]?(?:base[ _-]?)?(?:url|uri|endpoint)",
    ACCOUNT: r"(?:account|konto)[ _-]?id",
    CLIENT: r"client[ _-]?id",
    _OLD: r"api[ _-]?(?:key|secret)",
    SECRET: r"(?:client[ _-]?)?(?:secret|geheimnis)",
    TOKEN: r"(?:access|jwt|bearer)[ _-]?token|bearer(?= +\S)|jwt",
    _BASIC: r"basic(?= +\S)",
}
_TOKENS = re.compile(
    r"(?P<url>https?://[^\s\"'<>?,;)]+)"
    r"|(?P<masked>[•●*·]{3,}|<[^<>\n]*>)"
    r"|[\w.]{0,40}?(?:"
    + "|".join(f"(?P<{name}>{words})" for name, words in _LABELS.items())
    + r")(?![A-Za-z0-9])[\"'`]?(?P<separator>\s*(?:=>|[:=]))?"
    r"|(?P<value>[^\s\"'`,;&<>=:()\[\]{}•●*]+(?:={1,2}(?=[\"'`,;&\s]|\Z))?)",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"(?i)null|none|undefined")
_OPAQUE = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_~.+/-]{16,}={0,2}")
_JWT = re.compile(r"[\w-]{10,}\.([\w-]{10,})\.[\w-]{10,}")
_OF_AN_APP = {"iss", "exp", "iat", "aud", "nbf"}  # all that tokens of the former kind say


@dataclass
class Recognised:
    """The credentials in a text, by the names above.

    `is_by_shape` says that labels were missing, `is_former` that the token, or a key that cannot be
    used, is of an app of the kind that services of today do not accept. The token `ended_at`.
    """

    values: dict[str, str] = field(default_factory=dict, repr=False)
    is_by_shape: bool = False
    is_former: bool = False
    ended_at: datetime | None = None

    @property
    def renews(self) -> bool:
        """Returns whether tokens can be asked for with them."""
        return bool(self.values.keys() & set(_CREDENTIALS))


def recognise(text: str) -> Recognised:
    """Returns the credentials in a text; of several of one kind the first."""
    result, loose = Recognised(), list[str]()
    for name, value in _named(text[:LONGEST]):
        if name == _OLD:
            result.is_former = True
        elif name == _BASIC:
            for of_client, each in zip((CLIENT, SECRET), _decoded(value), strict=False):
                result.values.setdefault(of_client, each)
        elif name:
            result.values.setdefault(name, value)
        elif _JWT.fullmatch(value):
            result.values.setdefault(TOKEN, value)
        elif _OPAQUE.fullmatch(value):
            loose.append(value)
    result.values.pop(_IGNORED, None)
    if result.renews or not (result.is_former or TOKEN in result.values):
        _place(result, list(dict.fromkeys(loose)))
    if result.renews:  # a token beside them ends, and is asked for with them
        result.values.pop(TOKEN, None)
        result.is_former = False
    else:
        _read_token(result)
    return result


def _named(text: str) -> Iterator[tuple[str, str]]:
    """Yields the values of a text, each with the name of its label, or with none."""
    waiting: list[tuple[str, bool]] = []
    for match in _TOKENS.finditer(text):
        label = next((name for name in _LABELS if match[name]), "")
        if label:
            # A label with a separator, and then another label: it has no value.
            waiting = [each for each in waiting if not each[1]]
            waiting.append((label, bool(match["separator"])))
        elif match["url"]:
            name = waiting.pop(0)[0] if waiting else ""
            if name not in (TOKEN_URL, BASE_URL):
                is_endpoint = match["url"].rstrip("/").endswith("/token")
                name = TOKEN_URL if is_endpoint else BASE_URL if "/v" in match["url"] else ""
            if name:
                yield name, match["url"].rstrip("/")
        elif match["masked"]:
            waiting = waiting[1:]
        elif waiting:
            value, is_separated = match["value"].rstrip("."), waiting[0][1]
            if _EMPTY.fullmatch(value):
                waiting = waiting[1:]
            elif is_separated or _OPAQUE.fullmatch(value):
                yield waiting.pop(0)[0], value
        else:
            yield "", match["value"].rstrip(".")


def _place(result: Recognised, loose: list[str]) -> None:
    """Gives values without a label to what is missing: the longest is the secret."""
    missing = [name for name in _CREDENTIALS if name not in result.values]
    if len(loose) == 1 and len(missing) == len(_CREDENTIALS):
        result.values[TOKEN] = loose[0]  # nothing else tells what it is
        return
    if len(loose) == 2 and len(missing) == len(_CREDENTIALS):
        missing.remove(ACCOUNT)
    loose = loose[: len(missing)]
    if SECRET in missing and len(loose) == len(missing):
        result.values[SECRET] = max(loose, key=len)
        loose.remove(result.values[SECRET])
        missing.remove(SECRET)
        result.is_by_shape = True
    for name, value in zip(missing, loose, strict=False):
        result.values[name] = value
        result.is_by_shape = True


def _read_token(result: Recognised) -> None:
    """Reads what a JSON web token says of itself, as far as it is one."""
    match = _JWT.fullmatch(result.values.get(TOKEN, ""))
    if not match:
        return
    try:
        claims = from_json(base64.urlsafe_b64decode(match[1] + "=="))
        if isinstance(claims, dict):
            result.is_former = (
                bool(claims) and claims.keys() <= _OF_AN_APP and not claims.get("aud")
            )
            result.ended_at = datetime.fromtimestamp(float(claims["exp"]), UTC)
    except (ValueError, KeyError, TypeError, OverflowError, OSError):
        return


def _decoded(value: str) -> list[str]:
    """Returns the client ID and secret of a Basic header."""
    try:
        decoded = base64.b64decode(value + "==").decode()
    except ValueError:
        return []
    return decoded.split(":", 1) if ":" in decoded else []
