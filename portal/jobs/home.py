"""Lines of the first page about jobs: those that wait for a person, and those that failed."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Min, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast
from django.urls import reverse

from portal.access.models import Connection, User
from portal.access.scope import Scope
from portal.config import clock
from portal.jobs.filters import NEEDS_A_PERSON, begun_by_people, having
from portal.jobs.job_summary import job_summaries, running_now
from portal.jobs.job_types import unlisted_names
from portal.jobs.models import OPEN, UNRESOLVED_ITEMS, WORKED_ON, ItemState, Job, JobState
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.home import HomeItem, HomeLine, HomeLines, HomePanel, none_yet
from portal.ui.states import State

_FAILED = "failed"
# Home shows failed rows for so long; the list of jobs shows them for good.
_RECENT = timedelta(days=3)
_SHOWN = 3  # running jobs
# By the state of jobs or items: the tone, the tab of the list, and words for one and several jobs.
_KINDS: dict[str, tuple[State, str, str, str]] = {
    JobState.PLANNED: (
        "warning",
        "waiting",
        gettext_lazy("The preview of “%(title)s” is ready"),
        gettext_lazy("The previews of %(count)s jobs are ready"),
    ),
    JobState.AWAITING: (
        "neutral",
        "waiting",
        gettext_lazy("“%(title)s” awaits a second approval"),
        gettext_lazy("%(count)s jobs await a second approval"),
    ),
    JobState.UNPLANNABLE: (
        "bad",
        "waiting",
        gettext_lazy("The preview of “%(title)s” failed"),
        gettext_lazy("The previews of %(count)s jobs failed"),
    ),
    JobState.PAUSED: (
        "warning",
        "waiting",
        gettext_lazy("“%(title)s” is paused"),
        gettext_lazy("%(count)s jobs are paused"),
    ),
    "unknown": (
        "warning",
        "waiting",
        gettext_lazy("“%(title)s” has rows with unknown outcome"),
        gettext_lazy("%(count)s jobs have rows with unknown outcome"),
    ),
    _FAILED: (
        "bad",
        "done",
        gettext_lazy("“%(title)s” ended with failed rows"),
        gettext_lazy("%(count)s jobs ended with failed rows"),
    ),
}


def _read(_user: User, scopes: Sequence[Scope]) -> HomeLines:
    lines = none_yet(scopes)
    own = begun_by_people(*scopes)
    done = own.filter(state=JobState.DONE)
    lately = done.filter(finished_at__gt=clock.now() - _RECENT)
    rows = _rows(own.filter(state__in=NEEDS_A_PERSON)).union(
        _rows(done.filter(having(UNRESOLVED_ITEMS)), "unknown"),
        _rows(lately.filter(having(Q(state=ItemState.FAILED))), _FAILED),
        all=True,
    )
    results = {(row["connection"], row["line"]): row for row in rows}
    for scope in scopes:
        for kind, (tone, tab, *words) in _KINDS.items():
            if row := results.get((scope.connection.pk, kind)):
                lines[scope.connection.pk].append(_line(scope.connection, row, tone, words, tab))
    return lines


def _rows(jobs: QuerySet[Job], kind: str = "") -> QuerySet[Any, Any]:
    """Counts, by connection and key of `_KINDS`, these jobs, with one of them."""
    rows = jobs.order_by().annotate(line=Value(kind) if kind else F("state"))
    return rows.values("connection", "line").annotate(
        count=Count("pk"),
        one=Min("stored_title"),
        titles=Min(Cast("titles", TextField())),
        job=Min("key"),
        why=Min("reason"),
        finished=Min("finished_at"),
        created=Min("created_at"),
    )


def _line(
    connection: Connection, row: dict[str, Any], tone: State, words: Sequence[str], tab: str
) -> HomeLine:
    """Returns one line for all jobs of a row, which leads to the only job, or to the tab."""
    one, several = words
    since: datetime | None = row["finished"] or row["created"]
    if row["count"] == 1:
        url = reverse("jobs:job", args=[connection.key, row["job"]])
        title = Job(stored_title=row["one"], titles=json.loads(row["titles"])).title
        return HomeLine(tone, one % {"title": title}, url, row["why"], since)
    url = f"{reverse('jobs:list', args=[connection.key])}?state={tab}"
    words_of_all = several % {"count": number(row["count"])}
    return HomeLine(tone, words_of_all, url, since=since)


JOBS = HomeItem(gettext_lazy("Jobs"), 10, _read, for_limited=True)


def open_jobs(connection: Connection, user: User, since: datetime | None) -> Iterator[str]:
    own = Job.objects.filter(connection=connection, owner=user, state__in=OPEN)
    if since:
        own = own.filter(created_at__gte=since)
    for job in own.exclude(kind__in=unlisted_names()).only("stored_title", "titles"):
        yield _("Job “%(title)s”") % {"title": job.title}


def titles_of(keys: Collection[str]) -> Mapping[str, str]:
    """Returns the titles of jobs in the reader's language, by their keys."""
    jobs = Job.objects.filter(key__in=keys).only("key", "stored_title", "titles")
    return {job.key: job.title for job in jobs}


def _jobs(scope: Scope) -> Mapping[str, object]:
    own = begun_by_people(scope)
    running = own.filter(state__in=WORKED_ON).order_by("-created_at")
    last = own.exclude(finished_at=None).order_by("-finished_at").first()
    shown = job_summaries(running[:_SHOWN]) if running_now(scope).count else []
    return {"running": shown, "last": last}


RUNNING = HomePanel(
    gettext_lazy("Jobs"),
    40,
    _jobs,
    "jobs/home_jobs.html",
    ("jobs:list", gettext_lazy("All jobs")),
    for_limited=True,
)
