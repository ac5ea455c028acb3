"""What the first page says of jobs: those that wait for somebody, that failed, that run."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Min, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection, User
from portal.jobs.filters import NEEDS_A_PERSON, begun_by_people
from portal.jobs.models import WORKED_ON, ItemState, Job, JobItem, JobState
from portal.ui.home import HomeItem, HomeLine
from portal.ui.states import State

# Failed rows are spoken of for so long; the list of jobs shows them for good.
_RECENT = timedelta(days=3)
# By state: which of the five it is, and words for one and for several.
_WAITING: dict[str, tuple[State, str, str]] = {
    JobState.PLANNED: ("warning", "“{}” awaits approval", "{:,} jobs await approval"),
    JobState.UNPLANNABLE: ("bad", "The preview of “{}” failed", "The previews of {:,} jobs failed"),
    JobState.PAUSED: ("warning", "“{}” is paused", "{:,} jobs are paused"),
}
_FAILED = ("“{}” ended with failed rows", "{:,} jobs ended with failed rows")
_UNKNOWN = ("“{}” has rows with unknown outcome", "{:,} jobs have rows with unknown outcome")
_RUNNING = ("“{}” is running", "{:,} jobs are running")


def _read(_user: User, connection: Connection) -> Iterator[HomeLine]:
    own = begun_by_people(connection)
    for state in NEEDS_A_PERSON:
        tone, *words = _WAITING[state]
        yield from _line(connection, own.filter(state=state), tone, words, "waiting")
    done = own.filter(state=JobState.DONE)
    unsettled = _with(done, ItemState.UNKNOWN, ended=True)
    yield from _line(connection, unsettled, "warning", _UNKNOWN, "waiting")
    recent = done.filter(finished_at__gt=timezone.now() - _RECENT)
    yield from _line(connection, _with(recent, ItemState.FAILED), "bad", _FAILED, "done")
    running = own.filter(state__in=WORKED_ON)
    yield from _line(connection, running, "running", _RUNNING, "running")


def _with(jobs: QuerySet[Job], state: ItemState, *, ended: bool = False) -> QuerySet[Job]:
    """Those that have items of this state."""
    items = JobItem.objects.filter(job=OuterRef("pk"), state=state)
    return jobs.filter(Exists(items.exclude(ended_at=None) if ended else items))


def _line(
    connection: Connection,
    jobs: QuerySet[Job],
    tone: State,
    words: Sequence[str],
    tab: str,
) -> Iterator[HomeLine]:
    """One line for all of them, which leads to the one, or to the tab of the list."""
    found = jobs.order_by().aggregate(
        count=Count("pk"),
        title=Min("title"),
        key=Min("key"),
        reason=Min("reason"),
        finished=Min("finished_at"),
        created=Min("created_at"),
    )
    one, several = words
    since: datetime | None = found["finished"] or found["created"]
    if found["count"] == 1:
        url = reverse("jobs:job", args=[connection.key, found["key"]])
        yield HomeLine(tone, one.format(found["title"]), url, found["reason"], since)
    elif found["count"]:
        url = f"{reverse('jobs:list', args=[connection.key])}?state={tab}"
        yield HomeLine(tone, several.format(found["count"]), url, since=since)


JOBS = HomeItem("Jobs", 10, _read)
