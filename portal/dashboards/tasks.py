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
# For so long after the last viewer, the curve goes on without gaps.
_FOLLOWED_FOR = timedelta(days=1)


@app.task(name="dashboards.sample")
def sample() -> None:
    """Has live sessions read of connections with a viewer within a day, or with alert rules."""
    since = clock.now() - _FOLLOWED_FOR
    watched = LiveSnapshot.objects.filter(watched_at__gte=since)
    followed = {
        *watched.values_list("connection_id", flat=True),
        *AlertRule.supported().values_list("connection_id", flat=True).distinct(),
    }
    for connection_id in sorted(followed):
        enqueue("dashboards.read", connection_id, expires=EVERY_MINUTE)


@app.task(name="dashboards.read")
def read(connection_id: int) -> None:
    """Reads the live sessions of a connection, unless a viewer has just caused that."""
    read_if_due(connection_id, timedelta(seconds=EVERY_MINUTE / 2))


@app.task(name="dashboards.prune")
def prune() -> None:
    """Deletes samples of more than a day ago, measurements of more than a month ago, and days of
    the quality board that were read more than 90 days ago."""
    samples.prune()
    quality.prune()
    days.prune()
