"""Portal accounts, their connections, and with whom these are shared."""

from portal.access.models.connection import (
    Colour,
    Connection,
    ServiceToken,
    Way,
    read_healths,
)
from portal.access.models.role import (
    CustomRole,
    every_role,
    explanation_of,
    is_role,
    label_of,
)
from portal.access.models.share import (
    ApprovalRule,
    ConnectionCheck,
    Elevation,
    EndedLimit,
    Share,
)
from portal.access.models.user import SecondFactorRule, Session, User

__all__ = [
    "ApprovalRule",
    "Colour",
    "Connection",
    "ConnectionCheck",
    "CustomRole",
    "Elevation",
    "EndedLimit",
    "SecondFactorRule",
    "ServiceToken",
    "Session",
    "Share",
    "User",
    "Way",
    "every_role",
    "explanation_of",
    "is_role",
    "label_of",
    "read_healths",
]
