"""Freshness of copies of lists, common fields of their rows, and webhook subscriptions."""

from portal.mirror.models.row import VIEWED_WITHIN, MirroredRow, MirrorState, Removal
from portal.mirror.models.webhooks import Delivery, Gap, Refusal, Subscription

__all__ = [
    "VIEWED_WITHIN",
    "Delivery",
    "Gap",
    "MirrorState",
    "MirroredRow",
    "Refusal",
    "Removal",
    "Subscription",
]
