"""The audit trail: every change, by whom, from where, to what, and how it ended."""

from portal.access.audit.acts import Act
from portal.access.audit.reading import entries_for
from portal.access.audit.trail import record

__all__ = ["Act", "entries_for", "record"]
