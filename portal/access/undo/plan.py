"""Plan of an undo, as people read it, and the values that it compares."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from portal.access.models import AuditEntry
from portal.contract.operation import Call


@dataclass(frozen=True)
class UndoneValue:
    """Something that goes back: what it is now, and what it is to be again."""

    title: str
    now: str
    then: str


@dataclass(frozen=True)
class UnrestoredValue:
    """Something that stays as it is, and why; `since` is the entry that changed it, if one did."""

    title: str
    why: str
    since: AuditEntry | None = None


@dataclass
class UndoPlan:
    """Fields that go back, fields that stay, and notes to read before it is done."""

    back: list[UndoneValue] = field(default_factory=list)
    left: list[UnrestoredValue] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    calls: list[Call[Any]] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """Another one where what would be done is another thing than what was shown."""
        shown = [[one.title, one.now, one.then] for one in self.back]
        return sha256(json.dumps(shown).encode()).hexdigest()[:16]


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
