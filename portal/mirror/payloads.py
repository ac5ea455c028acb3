"""Content of a notification as it is stored: nothing secret, and not too much; and its signature.

    x-zm-signature: v0=<HMAC-SHA256 of "v0:<time>:<body>" in hexadecimal>
    x-zm-request-timestamp: <time, in seconds since 1970>

The body is signed as it was sent, byte by byte. Names of headers and version are each
subscription's own, since services differ in these alone.
"""

import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from django.utils.crypto import constant_time_compare

from portal.config import clock
from portal.contract.model import MASK, JsonDict, has_secret_name
from portal.contract.webhooks import WebhookEvent
from portal.mirror.values import moment, text

_MOST = 8_000  # characters
_LONGEST = 500  # of one text
_DEEPEST = 8
_WIDEST = 100  # fields of an object, or items of a list
_CUT = "…"
# An address may carry credentials, so only its host is stored.
_ADDRESS = re.compile(r"\b([a-zA-Z][a-zA-Z0-9+.-]{1,15}://)(?:[^\s/@?#]*@)?([^\s/?#@]*)(\S*)")
# The names of events that a service of today sends, beside the spec's (section 6).
_EVENTS = {
    "meeting.registration_created": WebhookEvent.MEETING_REGISTERED,
    "webinar.registration_created": WebhookEvent.MEETING_REGISTERED,
    "webinar.started": WebhookEvent.MEETING_STARTED,
    "webinar.ended": WebhookEvent.MEETING_ENDED,
    "meeting.participant_joined": WebhookEvent.PARTICIPANT_JOINED,
    "webinar.participant_joined": WebhookEvent.PARTICIPANT_JOINED,
    "meeting.participant_left": WebhookEvent.PARTICIPANT_LEFT,
    "webinar.participant_left": WebhookEvent.PARTICIPANT_LEFT,
    "meeting.participant_jbh_joined": WebhookEvent.MEETING_JBH,
    "meeting.participant_jbh_waiting": WebhookEvent.MEETING_JOIN,
}
_FIRST = (
    "event",
    "event_id",
    "event_time",
    "event_ts",
    "payload",
    "object",
    "id",
    "uuid",
    "type",
    "host_id",
)


class Budget:
    """Space left to store; `is_cut` once something was left out."""

    def __init__(self) -> None:
        self.left = _MOST
        self.is_cut = False

    def spend(self, size: int) -> bool:
        self.left -= size
        if self.left < 0:
            self.is_cut = True
        return self.left >= 0


def stored(notification: dict[str, object]) -> tuple[JsonDict, bool]:
    """Returns the notification without secrets, and whether it was cut.

    The fields that identify it and its object are stored first, so that it can be replayed.
    """
    budget = Budget()
    whole: dict[str, object] = _storable_object(notification, budget, 0)
    return whole, budget.is_cut


def texts_in(value: object) -> list[str]:
    """Returns all texts of a stored value, for a search."""
    if isinstance(value, dict):
        return [words for item in value.values() for words in texts_in(item)]
    if isinstance(value, list):
        return [words for item in value for words in texts_in(item)]
    return [] if value is None or isinstance(value, bool) else [str(value)]


def event_in(notification: Mapping[str, object]) -> str:
    """Returns the event by the spec's name if it has one there, else as it was sent."""
    event = notification.get("event")
    if not isinstance(event, str):
        return ""
    undotted = event.replace(".", "_")
    named = _EVENTS.get(event, undotted if undotted in set(WebhookEvent) else event)
    return text(named, 100)


def happened_in(notification: Mapping[str, object]) -> datetime | None:
    """Returns the moment of the event, in GMT: by `event_time`, or by `event_ts` in milliseconds
    since 1970. None if neither is a moment of these years."""
    stated, stamp = notification.get("event_time"), notification.get("event_ts")
    readings: list[Callable[[], datetime]] = []
    if isinstance(stated, str) and len(stated) <= 40:
        readings.append(lambda: datetime.fromisoformat(stated))
    if isinstance(stamp, int) and not isinstance(stamp, bool):
        readings.append(lambda: datetime.fromtimestamp(stamp / 1000, UTC))
    for read in readings:
        with suppress(ValueError, OverflowError, OSError):
            at = moment(read())
            if at and 2000 <= at.year < 2100:
                return at
    return None


def _storable(value: object, name: str, budget: Budget, depth: int) -> object:
    if has_secret_name(name) and value not in (None, "", [], {}):
        return MASK
    if isinstance(value, (dict, list)):
        if depth >= _DEEPEST:
            budget.is_cut = True
            return _CUT
        if isinstance(value, dict):
            return _storable_object(value, budget, depth)
        return _storable_list(value, name, budget, depth)
    if isinstance(value, str):
        return _storable_text(value, budget)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        # A number may be as long as the body is.
        return value if len(str(value)) <= 40 else _storable_text(str(value), budget)
    return value


def _storable_object(value: dict[str, object], budget: Budget, depth: int) -> dict[str, object]:
    results: JsonDict = {}
    names = sorted(value, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    for name in names:
        if len(results) >= _WIDEST or not budget.spend(len(name) + 8):
            budget.is_cut = True
            break
        results[text(name, 100)] = _storable(value[name], name, budget, depth + 1)
    return {
        text(name, 100): results[text(name, 100)] for name in value if text(name, 100) in results
    }


def _storable_list(value: list[object], name: str, budget: Budget, depth: int) -> list[object]:
    results: list[Any] = []
    for item in value:
        if len(results) >= _WIDEST or not budget.spend(4):
            budget.is_cut = True
            break
        results.append(_storable(item, name, budget, depth + 1))
    return results


def _storable_text(value: str, budget: Budget) -> str:
    stored_text = _ADDRESS.sub(_host_alone, text(value, _LONGEST))
    if len(value) > _LONGEST:
        budget.is_cut = True
        stored_text += _CUT
    if not budget.spend(len(stored_text)):
        return _CUT
    return stored_text


def _host_alone(match: "re.Match[str]") -> str:
    scheme, host, rest = match.groups()
    return f"{scheme}{host}/{MASK}" if len(rest) > 1 else f"{scheme}{host}{rest}"


TOLERANCE = 300  # seconds
VALIDATION = "endpoint.url_validation"
_LONGEST_TOKEN = 1_000
_TIMESTAMP = re.compile(r"[0-9]{1,16}")
_IN_MILLISECONDS = 10**11  # later than the year 5000 in seconds


@dataclass(frozen=True)
class SigningScheme:
    """A service's headers for the signature and its time, and the version before both."""

    signature_header: str
    timestamp_header: str
    version: str

    def signature(self, secret: str, timestamp: str, body: bytes) -> str:
        """Returns the signature of a body as its header has it."""
        signed = f"{self.version}:{timestamp}:".encode() + body
        return f"{self.version}={_hmac(secret, signed)}"

    def secret_of(
        self, secrets: Sequence[str], headers: Mapping[str, str], body: bytes
    ) -> str | None:
        """Returns the secret that the body was signed with, None if it was none of these.

        It takes the same time whichever it is.
        """
        signature = headers.get(self.signature_header, "").strip()
        timestamp = headers.get(self.timestamp_header, "").strip()
        matching = [
            secret
            for secret in secrets
            if constant_time_compare(self.signature(secret, timestamp, body), signature)
        ]
        return matching[0] if matching else None

    def is_recent(self, headers: Mapping[str, str]) -> bool:
        """Returns if the body was signed within the tolerance, by the clock of the database."""
        timestamp = headers.get(self.timestamp_header, "").strip()
        if not _TIMESTAMP.fullmatch(timestamp):
            return False
        seconds = int(timestamp)
        if seconds >= _IN_MILLISECONDS:
            seconds //= 1000
        return abs(clock.now().timestamp() - seconds) <= TOLERANCE


def challenge_answer(secret: str, notification: Mapping[str, object]) -> dict[str, str] | None:
    """Returns the answer to the question whether this address is the subscriber's, None of any
    other notification. The service asks when the address is entered and every 72 hours."""
    payload = notification.get("payload")
    token = payload.get("plainToken") if isinstance(payload, dict) else None
    if notification.get("event") != VALIDATION or not isinstance(token, str):
        return None
    if not 0 < len(token) <= _LONGEST_TOKEN:
        return None
    return {"plainToken": token, "encryptedToken": _hmac(secret, token.encode(errors="replace"))}


def _hmac(secret: str, signed: bytes) -> str:
    return hmac.new(secret.encode(), signed, sha256).hexdigest()
