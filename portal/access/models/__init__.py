"""Portal accounts, their connections, and the audit trail."""

from portal.access.models.approval_rule import ApprovalRule
from portal.access.models.audit import AuditEntry, AuditHead, Outcome
from portal.access.models.check import ConnectionCheck
from portal.access.models.connection import Colour, Connection, Way
from portal.access.models.second_factor import SecondFactorRule
from portal.access.models.service_token import ServiceToken
from portal.access.models.session import Session
from portal.access.models.share import EndedLimit, Share
from portal.access.models.user import User

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
