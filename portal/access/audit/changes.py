"""An entry as people read it: each field with what it was and what it was set to."""

import json
from dataclasses import dataclass
from typing import Any

from portal.access.audit.acts import title
from portal.access.models import AuditEntry, Outcome

ABSENT = "\N{EN DASH}"


@dataclass(frozen=True)
class Line:
    """An entry with its end, in words."""

    entry: AuditEntry

    @property
    def end(self) -> AuditEntry:
        """The entry that tells how it ended; the entry itself where none does."""
        end: AuditEntry = getattr(self.entry, "answer", self.entry)
        return end

    @property
    def title(self) -> str:
        return title(self.entry.operation)

    @property
    def object(self) -> str:
        return self.end.object_label or self.end.object_id

    @property
    def by(self) -> str:
        if self.entry.email:
            return self.entry.email
        return "Unknown" if self.entry.ip else "The portal"

    @property
    def outcome(self) -> tuple[str, str]:
        """One of the five states, and a word."""
        match self.end.outcome:
            case Outcome.DONE:
                return "good", "Done"
            case Outcome.FAILED:
                return "bad", "Failed"
            case _:
                return "warning", "Outcome unknown"


@dataclass(frozen=True)
class Change:
    """A field by its dotted name; `before` or `after` is `ABSENT` where the entry does not tell."""

    name: str
    before: str
    after: str


def changes(entry: AuditEntry) -> list[Change]:
    """Those that were sent first, in their order, then what else is known of before."""
    after = dict(_flat(entry.sent or {}))
    before = dict(_flat(entry.before or {}))
    names = [*after, *(name for name in before if name not in after)]
    return [Change(name, before.get(name, ABSENT), after.get(name, ABSENT)) for name in names]


def _flat(value: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    found = []
    for name, item in value.items():
        if isinstance(item, dict) and item:
            found += _flat(item, f"{prefix}{name}.")
        else:
            found.append((f"{prefix}{name}", _words(item)))
    return found


def _words(value: Any) -> str:
    match value:
        case True:
            return "on"
        case False:
            return "off"
        case None | "":
            return "empty"
        case str():
            return value
        case list() if all(isinstance(item, str) for item in value):
            return ", ".join(value) or "none"
        case _:
            return json.dumps(value, ensure_ascii=False)
