"""Plan of an undo, as people read it, and the calls that carry it out."""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

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
