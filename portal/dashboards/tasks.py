"""Celery tasks of the dashboards app."""

from datetime import timedelta

from portal.config import clock
from portal.config.celery import app, enqueue
from portal.dashboards.models import AlertRule, LiveSnapshot
from portal.dashboards.services.live import samples
from portal.dashboards.services.live.reader import read_if_due
from portal.dashboards.services.session import quality
from portal.dashboards.services.streams import days

EVERY_MINUTE = 60.0
# So long after somebody watched, the curve goes on without gaps.
_FOLLOWED_FOR = timedelta(days=1)


@app.task(name="dashboards.sample")
def sample() -> None:
    """Has what runs read where somebody watched within a day, or where rules have to be
    evaluated."""
    since = clock.now() - _FOLLOWED_FOR
    watched = LiveSnapshot.objects.filter(watched_at__gte=since)
    followed = {
        *watched.values_list("connection_id", flat=True),
        *AlertRule.objects.values_list("connection_id", flat=True).distinct(),
    }
    for connection_id in sorted(followed):
        enqueue("dashboards.read", connection_id, expires=EVERY_MINUTE)


@app.task(name="dashboards.read")
def read(connection_id: int) -> None:
    """Reads what runs on a connection, unless somebody who watches has just had that done."""
    read_if_due(connection_id, timedelta(seconds=EVERY_MINUTE / 2))


@app.task(name="dashboards.prune")
def prune() -> None:
    """Forgets samples of more than a day ago, measurements of more than a month ago, and what the
    quality board has of days that were read more than 90 days ago."""
    samples.prune()
    quality.prune()
    days.prune()
