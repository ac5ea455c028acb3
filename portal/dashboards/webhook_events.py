"""Compares live sessions with the notifications that should have been delivered."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.config import cache
from portal.contract.webhooks import WebhookEvent
from portal.dashboards.services.live.kept import kept
from portal.dashboards.services.live.picture import MEETINGS, LiveList
from portal.mirror.gaps import Happening
from portal.mirror.models import Delivery

_STARTED = WebhookEvent.MEETING_STARTED.value
_ENDED = WebhookEvent.MEETING_ENDED.value
_FRESH = timedelta(minutes=5)
_MOST = 500
_REMEMBERED_FOR = 24 * 3600  # seconds


def unreported(scope: Scope, since: datetime, until: datetime) -> Iterator[Happening]:
    """The meetings of the last picture that began in between, and those that were reported to have
    started and do not run any more."""
    listed = kept(scope).picture.lists[MEETINGS]
    for one in listed.sessions:
        if one.number and one.started_at and since < one.started_at <= until:
            what = one.topic or one.number
            yield Happening(_STARTED, one.number, one.uuid, one.started_at, what)
    yield from _ended(scope.connection, listed, since, until)


def _ended(
    connection: Connection, listed: LiveList, since: datetime, until: datetime
) -> Iterator[Happening]:
    """A meeting is known to have ended since the first picture that was without it; one that has
    ended just now may still be reported."""
    read_at = listed.read_at
    if read_at is None or listed.failure or read_at < until - _FRESH:
        return
    running = {one.uuid for one in listed.sessions}
    own = Delivery.objects.filter(connection=connection, came_at__gt=since).exclude(instance="")
    reported = set(own.filter(event=_ENDED).values_list("instance", flat=True))
    started = own.filter(event=_STARTED, came_at__lt=min(read_at, until)).order_by("-id")[:_MOST]
    key = f"webhooks-ended:{connection.pk}"
    before: Mapping[str, str] = cache.get(key) or {}
    absent: dict[str, str] = {}
    for one in started:
        if one.instance in running or one.instance in reported:
            continue
        absent[one.instance] = before.get(one.instance, read_at.isoformat())
        ended_at = datetime.fromisoformat(absent[one.instance])
        what = one.topic or one.object_id
        yield Happening(_ENDED, one.object_id, one.instance, ended_at, what)
    cache.set(key, absent, _REMEMBERED_FOR)
