"""Panel of the first page that tells what happened: one line a job or act, with its outcome."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from typing import cast

from django.urls import reverse

from portal.access.models import User
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.reading import FIRST_STRETCH, visible_to
from portal.audit.undo.offered import UndoableLine, lines_within
from portal.audit.wording import say_titles
from portal.jobs import services, undoing
from portal.jobs.filters import begun_by_people
from portal.jobs.job_summary import JobSummary, job_summaries
from portal.jobs.models import Job
from portal.translation import gettext_lazy, ngettext, number
from portal.ui.home import HomePanel
from portal.ui.states import State

_SHOWN = 5
_LAST_ENTRIES = 60  # entries, among which those of one act are grouped
# What the line of a job stands for.
_IN_A_JOB = [
    Act.JOB_DRAFTED.value,
    Act.JOB_PLANNED_AGAIN.value,
    Act.JOB_ROW_LEFT_OUT.value,
    Act.JOB_ROW_PUT_BACK.value,
    Act.JOB_APPROVED.value,
    Act.JOB_PAUSED.value,
    Act.JOB_RESUMED.value,
    Act.JOB_CANCELLED.value,
    Act.JOB_RETRIED.value,
    Act.JOB_JUDGED.value,
    Act.JOB_RESTORED.value,
]


@dataclass(frozen=True)
class OutcomeLine:
    """An act or a job: its title, its outcome in one of the five states, what it was about or how
    it ended, and the addresses of its page and of its undo. `by` is empty for the reader's own."""

    time: datetime
    title: str
    url: str
    state: State
    about: str
    by: str
    undo_url: str = ""
    is_dialog: bool = False


def _happened(scope: Scope) -> Mapping[str, object]:
    if scope.user is None:
        return {"lines": []}
    # A job is one line, however many entries it has, or nothing until it was applied.
    jobs = begun_by_people(scope).select_related("connection", "owner").order_by("-id")
    begun = list(jobs.exclude(approved_at=None)[:_SHOWN])
    of_jobs = jobs.exclude(approved_at=None).exclude(request_id="").values("request_id")
    entries = visible_to(scope.user).filter(connection_key=scope.connection.key)
    entries = entries.exclude(operation__in=_IN_A_JOB)
    entries = entries.exclude(request_id__in=of_jobs)
    # A large job has more entries than can be passed over with every look at the page.
    last = AuditEntry.objects.order_by("-sequence").values_list("sequence", flat=True).first() or 0
    single = list(entries.filter(sequence__gt=last - FIRST_STRETCH)[:_LAST_ENTRIES])
    if not single and not begun:
        single = list(entries[:_LAST_ENTRIES])
    say_titles(single)
    acts = islice(_acts(scope.user, lines_within([scope], single)), _SHOWN)
    every = [*acts, *(_job(scope.user, one) for one in job_summaries(begun))]
    every.sort(key=lambda one: one.time, reverse=True)
    return {"lines": every[:_SHOWN]}


def _acts(user: User, lines: Iterable[UndoableLine]) -> Iterator[OutcomeLine]:
    """Yields successive entries of the same event by the same user as one; the newest represents
    them. A call that was refused and sent again in parts is told by the part that was done."""
    lines = list(lines)
    done = {_call_of(line) for line in lines if line.is_done}
    lines = [one for one in lines if one.is_done or _call_of(one) not in done]
    for _event, run in groupby(lines, key=lambda one: (one.event, one.entry.actor_id)):
        line, *others = run
        count = len(others) + 1
        times = ngettext("%(count)s time", "%(count)s times", count)
        can = line.undoing.can and not others
        yield OutcomeLine(
            line.entry.time,
            line.event,
            reverse("audit:entry", args=[line.entry.sequence]),
            cast(State, line.outcome[0]),
            times % {"count": number(count)} if others else line.object,
            "" if line.entry.actor_id == user.pk else line.by,
            _undo_of(line.entry) if can else "",
            is_dialog=True,
        )


def _call_of(line: UndoableLine) -> tuple[str, ...]:
    """Returns the request of an act, and what it was to do to which object; of an act without a
    request, its own number."""
    entry = line.entry
    return entry.request_id or str(entry.sequence), entry.operation, entry.path


def _undo_of(entry: AuditEntry) -> str:
    return reverse("changes:undo", args=[entry.connection_key, entry.sequence])


def _job(user: User, summary: JobSummary) -> OutcomeLine:
    job: Job = summary.job
    can = summary.done and summary.is_supported and services.may_run(job, user)
    url = job.get_absolute_url()
    return OutcomeLine(
        job.finished_at or job.approved_at or job.created_at,
        job.title,
        url,
        summary.tone,
        summary.word if job.is_open else summary.summary,
        "" if job.owner_id == user.pk else str(job.owner),
        f"{url}#act-take-back" if can and undoing.JobUndos(job).can_begin else "",
    )


HAPPENED = HomePanel(
    gettext_lazy("What happened"),
    30,
    _happened,
    "jobs/home_happened.html",
    ("audit:trail", gettext_lazy("Audit trail")),
    wide=True,
    for_limited=True,
)
