"""Portal accounts, their connections, and the audit trail."""

from portal.access.models.audit import AuditEntry, AuditHead, Outcome
from portal.access.models.connection import Colour, Connection, ServiceToken, Way
from portal.access.models.share import ApprovalRule, ConnectionCheck, EndedLimit, Share
from portal.access.models.user import SecondFactorRule, Session, User

__all__ = [
    "ApprovalRule",
    "AuditEntry",
    "AuditHead",
    "Colour",
    "Connection",
    "ConnectionCheck",
    "EndedLimit",
    "Outcome",
    "SecondFactorRule",
    "ServiceToken",
    "Session",
    "Share",
    "User",
    "Way",
]
