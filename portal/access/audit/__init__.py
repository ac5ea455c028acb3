"""The audit trail: every change with its actor, origin, object and outcome."""

from portal.access.audit.acts import Act
from portal.access.audit.reading import entries_for
from portal.access.audit.trail import record

__all__ = ["Act", "entries_for", "record"]
