"""Freshness of copies of lists, and common fields of their rows."""

from portal.mirror.models.row import VIEWED_WITHIN, MirroredRow, MirrorState, Removal

__all__ = [
    "VIEWED_WITHIN",
    "MirrorState",
    "MirroredRow",
    "Removal",
]
