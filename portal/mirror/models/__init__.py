"""Freshness of copies of lists, common fields of their rows, and webhook subscriptions."""

from portal.mirror.models.deliveries import Delivery, Gap, Refusal
from portal.mirror.models.hooks import Subscription
from portal.mirror.models.row import MirroredRow
from portal.mirror.models.state import KEPT_FRESH_FOR, MirrorState, Removal

__all__ = [
    "KEPT_FRESH_FOR",
    "Delivery",
    "Gap",
    "MirrorState",
    "MirroredRow",
    "Refusal",
    "Removal",
    "Subscription",
]
