"""Portal accounts, their connections, and the audit trail."""

from portal.access.models.audit import AuditEntry, AuditHead, Outcome
from portal.access.models.connection import Colour, Connection
from portal.access.models.user import User

__all__ = ["AuditEntry", "AuditHead", "Colour", "Connection", "Outcome", "User"]
