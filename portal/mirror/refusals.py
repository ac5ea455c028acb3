"""Deliveries that were refused: counted, at hardly any cost.

A refused attempt leaves no row. Each process counts its own, and adds them to one row of the
subscription and the reason: the first at once, those of the minute after it with whatever comes
next, be it refused or taken.
"""

import threading
import time
from datetime import timedelta

from django.db.models import F

from portal.config import clock
from portal.mirror.metrics import DELIVERIES
from portal.mirror.models import Refusal, Subscription

WRITTEN_EVERY = 60.0  # seconds
_MOST = 1_000  # subscriptions and reasons that a process counts
_waiting: dict[tuple[int, str], int] = {}
_written: dict[tuple[int, str], float] = {}
_counting = threading.Lock()


def count(subscription: Subscription, why: Refusal.Why) -> None:
    """Counts a refused attempt."""
    DELIVERIES.add(why.value)
    key = (subscription.pk, why.value)
    with _counting:
        if key not in _waiting and len(_waiting) >= _MOST:
            return
        _waiting[key] = _waiting.get(key, 0) + 1
    settle(subscription, why)


def settle(subscription: Subscription, *reasons: Refusal.Why) -> None:
    """Writes what was counted, for these reasons or for all, unless that was done lately."""
    now, due = time.monotonic(), {}
    with _counting:
        for why in reasons or Refusal.Why:
            key = (subscription.pk, why.value)
            if _waiting.get(key) and now - _written.get(key, -WRITTEN_EVERY) >= WRITTEN_EVERY:
                _written[key] = now
                due[why], _waiting[key] = _waiting[key], 0
    for why, counted in due.items():
        _add(subscription, why, counted)


def forget() -> None:
    """As a process that has just begun."""
    with _counting:
        _waiting.clear()
        _written.clear()


def _add(subscription: Subscription, why: Refusal.Why, counted: int) -> None:
    now = clock.now()
    known = Refusal.objects.filter(subscription=subscription, why=why)
    if known.filter(last_at__gt=now - _APART).update(count=F("count") + counted, last_at=now):
        return
    begun = {"count": counted, "since": now, "last_at": now}
    Refusal.objects.update_or_create(subscription=subscription, why=why, defaults=begun)


_APART = timedelta(days=1)  # after so long, it is another trouble
