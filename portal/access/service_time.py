"""Difference between the database's clock and a service's, whose answers tell it to a machine."""

from datetime import datetime, timedelta

from portal.client import limits
from portal.config import clock


def ahead_of(service: str) -> float | None:
    """Returns by how many seconds at most; `None` where this machine knows nothing of it."""
    measured = limits.ahead_of(service)
    return measured.most + clock.ahead().total_seconds() if measured else None


def earliest(service: str, moment: datetime) -> datetime | None:
    """Returns the earliest that a moment by our clock may be by the service's."""
    seconds = ahead_of(service)
    return None if seconds is None else moment - timedelta(seconds=seconds)
