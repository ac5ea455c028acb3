"""Figures about copies of lists."""

# untranslated: read by Prometheus

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, Min, Q

from portal.config import clock
from portal.config.metrics import Gauge, Sample
from portal.mirror.models import VIEWED_WITHIN, MirrorState

_STATES = MirrorState.objects.order_by().values("kind")


def _ages() -> Iterator[Sample]:
    """Yields the ages of viewed lists; the others are not kept fresh."""
    now = clock.now()
    watched = Q(viewed_at__gt=now - VIEWED_WITHIN)
    ages = _STATES.annotate(oldest=Min("refreshed_at", filter=watched))
    for kind, oldest in ages.values_list("kind", "oldest"):
        if oldest:
            yield (kind,), max((now - oldest) / timedelta(seconds=1), 0.0)


def _failed() -> Iterator[Sample]:
    failed = _STATES.annotate(n=Count("pk", filter=~Q(failure="")))
    for kind, number in failed.values_list("kind", "n"):
        yield (kind,), number


GAUGES = (
    Gauge(
        "switchboard_mirror_age_seconds",
        "Age of the oldest copy of a list that was viewed within a day",
        ("list",),
        _ages,
    ),
    Gauge(
        "switchboard_mirror_failed",
        "Copies of lists whose last refresh failed",
        ("list",),
        _failed,
    ),
)
