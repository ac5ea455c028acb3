"""Freshness of copies of lists, common fields of their rows, and webhook subscriptions."""

from portal.mirror.models.row import KEPT_FRESH_FOR, MirroredRow, MirrorState, Removal
from portal.mirror.models.webhooks import Delivery, Gap, Refusal, Subscription

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
