"""Undoing an audited write: what it was about, what can be put back now, and what cannot."""

from portal.access.undo.plan import Plan
from portal.access.undo.planning import plan_for
from portal.access.undo.recorded import Recorded, obstacle, recorded

__all__ = ["Plan", "Recorded", "obstacle", "plan_for", "recorded"]
