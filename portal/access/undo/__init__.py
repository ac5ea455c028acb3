"""Undoing an audited write: what it was about, what can be put back now, and what cannot."""

from portal.access.undo.members import UndoPlan
from portal.access.undo.planning import plan_for
from portal.access.undo.recorded import RecordedWrite, obstacle, recorded

__all__ = ["RecordedWrite", "UndoPlan", "obstacle", "plan_for", "recorded"]
