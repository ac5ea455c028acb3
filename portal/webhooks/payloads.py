"""Content of a notification as it is stored: nothing secret, and not too much."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from portal.contract.events import REPORTED
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
    """Returns the event by the spec's name if it has one there, else as it was sent. What the spec
    calls a meeting, and services of today a webinar, stays an event of a webinar."""
    event = notification.get("event")
    if not isinstance(event, str):
        return ""
    today = REPORTED.get(event)
    if today is not None:
        return today.name if today.title else today.documented or today.name
    undotted = event.replace(".", "_")
    return text(undotted if undotted in set(WebhookEvent) else event, 100)


def object_of(notification: Mapping[str, object]) -> dict[str, object]:
    """Returns the object of a notification; empty if the notification is not in a valid form."""
    data = _payload_of(notification).get("object")
    return data if isinstance(data, dict) else {}


def _payload_of(notification: Mapping[str, object]) -> Mapping[str, object]:
    payload = notification.get("payload")
    return payload if isinstance(payload, dict) else {}


def happened_in(notification: Mapping[str, object]) -> datetime | None:
    """Returns the moment of the event, in GMT: by `event_time`, or by `event_ts` in milliseconds
    since 1970, which some events have in their payload. None if none is a moment of these years."""
    stated, stamp = notification.get("event_time"), notification.get("event_ts")
    if stamp is None:
        stamp = _payload_of(notification).get("event_ts")
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
