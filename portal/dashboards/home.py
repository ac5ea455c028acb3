"""What the first page says of what is live: alerts, poor quality, and how much runs."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Count, Min
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection, User
from portal.contract.metrics import Metrics
from portal.dashboards.models import Alert
from portal.dashboards.services.live.kept import kept
from portal.dashboards.services.live.picture import LISTS, Picture
from portal.ui.home import HomeItem, HomeLine, NothingKnown

_NOW = timedelta(minutes=10)  # what was read before that is not live any more
_NAMES = {"meetings": ("meeting", "meetings"), "webinars": ("webinar", "webinars")}


def _alerts(_user: User, connection: Connection) -> Iterator[HomeLine]:
    raised = Alert.objects.filter(rule__connection=connection, ended_at=None)
    found = raised.exclude(raised_at=None).aggregate(
        count=Count("pk"), words=Min("words"), since=Min("raised_at")
    )
    if not found["count"]:
        return
    url, as_of = reverse("dashboards:alerts", args=[connection.key]), kept(connection).asked_at
    if found["count"] == 1:
        yield HomeLine("bad", found["words"], url, "", found["since"], as_of)
    else:
        words = f"{found['count']:,} alerts are active"
        why = f"One of them: {found['words']}"
        yield HomeLine("bad", words, url, why, found["since"], as_of)


def _live(_user: User, connection: Connection) -> Iterator[HomeLine]:
    known, url = kept(connection), reverse("dashboards:now", args=[connection.key])
    since = timezone.now() - _NOW
    if known.asked_at is None or known.asked_at < since:
        raise NothingKnown
    picture = known.picture
    as_of = min((at for name in LISTS if (at := picture.lists[name].read_at)), default=None)
    for name, each in picture.failing[:1]:
        words = f"The list of live {name} could not be updated"
        yield HomeLine("warning", words, url, each.failure, each.failing_since, each.read_at)
    if as_of is None or as_of < since:
        return
    poor = sum(one.quality == "poor" for one in picture.sessions)
    if poor:
        words = f"{poor:,} live {'session has' if poor == 1 else 'sessions have'} poor quality"
        yield HomeLine("bad", words, url, as_of=as_of)
    if picture.sessions:
        yield HomeLine("running", _running(picture), url, as_of=as_of)


def _running(picture: Picture) -> str:
    """ "3 meetings and 1 webinar are live, with 42 participants"."""
    counts = [(len(picture.lists[name].sessions), _NAMES[name]) for name in LISTS]
    parts = [f"{count:,} {noun[count != 1]}" for count, noun in counts if count]
    verb = "is" if sum(count for count, _ in counts) == 1 else "are"
    there = sum(one.participants or 0 for one in picture.sessions)
    people = f"{there:,} participant{'' if there == 1 else 's'}"
    return f"{' and '.join(parts)} {verb} live, with {people}"


ALERTS = HomeItem("Alerts", 20, _alerts, needs=(Metrics.meetings,))
LIVE = HomeItem("Live sessions", 30, _live, needs=(Metrics.meetings,))
