"""Undoing an audited write: what it was about, what can be put back now, and what cannot."""

from portal.audit.undo.members import UndoPlan
from portal.audit.undo.planning import plan_for
from portal.audit.undo.recorded import RecordedWrite, obstacle, recorded

__all__ = ["RecordedWrite", "UndoPlan", "obstacle", "plan_for", "recorded"]
