"""Values of what was read, sent and there before, held against each other."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

_NOTHING: tuple[Any, ...] = (None, "", [], {})


def is_same(one: Any, other: Any, zone: str = "") -> bool:
    """Returns whether both values mean the same: empty ones are equal, and a moment is one in any
    zone.

    `zone` is that of local times.
    """
    if one == other or (one in _NOTHING and other in _NOTHING):
        return True
    if _is_scalar(one) and _is_scalar(other) and str(one) == str(other):
        return True
    moments = [_moment(value, zone) for value in (one, other)]
    return None not in moments and moments[0] == moments[1]


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """The object whose fields have these dotted names."""
    made: dict[str, Any] = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        inner = made
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return made


def find(value: Any, name: str, wanted: Any) -> dict[str, Any] | None:
    """The object within whose field of this name is the one wanted, however it is written."""
    if isinstance(value, dict):
        if str(value.get(name, "")).lower() == str(wanted).lower():
            return value
        value = list(value.values())
    if not isinstance(value, list):
        return None
    return next((found for one in value if (found := find(one, name, wanted)) is not None), None)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _moment(value: Any, zone: str) -> datetime | None:
    if not isinstance(value, str) or "T" not in value:
        return None
    try:
        moment = datetime.fromisoformat(value)
        return (
            moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone or "UTC"))
        ).astimezone(UTC)
    except (ValueError, KeyError, OSError):
        return None
