"""What is mirrored, and how fresh it is."""

from portal.mirror.models.groups import GroupKind, Membership, MirroredGroup
from portal.mirror.models.hooks import Heard, Subscription
from portal.mirror.models.row import MirroredRow
from portal.mirror.models.sessions import (
    MirroredSession,
    Occurrence,
    RecordedSession,
    SessionKind,
)
from portal.mirror.models.state import KEPT_FRESH_FOR, MirrorState, Removal
from portal.mirror.models.users import MirroredUser

__all__ = [
    "KEPT_FRESH_FOR",
    "GroupKind",
    "Heard",
    "Membership",
    "MirrorState",
    "MirroredGroup",
    "MirroredRow",
    "MirroredSession",
    "MirroredUser",
    "Occurrence",
    "RecordedSession",
    "Removal",
    "SessionKind",
    "Subscription",
]
