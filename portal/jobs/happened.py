"""Panel of the first page that tells what happened: one line a job or act, with its outcome."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from typing import cast

from django.db.models import Subquery
from django.urls import reverse

from portal.access.models import User
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.changes import ChangeLine
from portal.audit.models import AuditEntry
from portal.audit.reading import FIRST_STRETCH, visible_to
from portal.audit.undo.offered import lines_within
from portal.audit.wording import say_titles
from portal.config import cache
from portal.contract import OPERATIONS
from portal.jobs import undoing
from portal.jobs.filters import begun_by_people
from portal.jobs.job_summary import JobSummary, job_summaries
from portal.jobs.job_types import job_type_of
from portal.jobs.models import Job
from portal.translation import gettext_lazy, ngettext, number
from portal.ui.home import HomePanel
from portal.ui.states import State

_SHOWN = 5
_CACHED_FOR = 300
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
    approved = jobs.exclude(approved_at=None)
    begun = list(approved.annotate(has_undos=undoing.has_undos())[:_SHOWN])
    requests = approved.exclude(request_id="").values("request_id")
    entries = visible_to(scope.user).filter(connection_key=scope.connection.key)
    entries = entries.exclude(operation__in=_IN_A_JOB)
    entries = entries.exclude(request_id__in=requests)
    # A large job has more entries than can be passed over with every look at the page.
    last = AuditEntry.objects.order_by("-sequence").values("sequence")[:1]
    lately = entries.filter(sequence__gt=Subquery(last) - FIRST_STRETCH)
    single = list(lately[:_LAST_ENTRIES])
    if not single and not begun:
        single = list(entries[:_LAST_ENTRIES])
    say_titles(single)
    summaries = job_summaries(begun)
    undoable = _undoable(scope, summaries)
    of_jobs = (_job(scope.user, one, undoable) for one in summaries)
    every = [*_acts(scope, single), *of_jobs]
    every.sort(key=lambda one: one.time, reverse=True)
    return {"lines": every[:_SHOWN]}


def _acts(scope: Scope, entries: Iterable[AuditEntry]) -> Iterator[OutcomeLine]:
    """Yields successive entries of the same event by the same user as one; the newest represents
    them. A call that was refused and sent again in parts is told by the part that was done."""
    lines = [ChangeLine(entry) for entry in entries]
    done = {_call_of(line) for line in lines if line.is_done}
    lines = [one for one in lines if one.is_done or _call_of(one) not in done]
    acts = groupby(lines, key=lambda one: (one.event, one.entry.actor_id))
    runs = [(event, list(run)) for (event, _actor), run in islice(acts, _SHOWN)]
    single = lines_within([scope], [run[0].entry for _event, run in runs if len(run) == 1])
    can_undo = {line.entry.sequence for line in single if line.undoing.can}
    viewer = scope.user.pk if scope.user else None
    for event, run in runs:
        line, count = run[0], len(run)
        times = ngettext("%(count)s time", "%(count)s times", count)
        yield OutcomeLine(
            line.entry.time,
            event,
            reverse("audit:entry", args=[line.entry.sequence]),
            cast(State, line.outcome[0]),
            times % {"count": number(count)} if count > 1 else line.object,
            "" if line.entry.actor_id == viewer else line.by,
            _undo_of(line.entry) if line.entry.sequence in can_undo else "",
            is_dialog=True,
        )


def _call_of(line: ChangeLine) -> tuple[str, ...]:
    """Returns the request of an act, and what it was to do to which object; of an act without a
    request, its own number."""
    entry = line.entry
    return entry.request_id or str(entry.sequence), entry.operation, entry.path


def _undo_of(entry: AuditEntry) -> str:
    return reverse("changes:undo", args=[entry.connection_key, entry.sequence])


def _undoable(scope: Scope, summaries: Iterable[JobSummary]) -> set[int]:
    """Returns the primary keys of the jobs that the user can undo, or the rest of them. The
    operations of one that has ended are cached for some minutes: its rows would be read for it."""
    jobs = {
        f"jobs.undo:{job.pk}:{job.finished_at.timestamp()}:{one.done}:{one.unknown}": job
        for one in summaries
        if one.done and one.is_supported and (job := one.job).finished_at and not job.is_open
    }
    cached = cache.get_many(jobs) if jobs else {}
    made = {key: _undo_needs(job) for key, job in jobs.items() if key not in cached}
    if made:
        cache.set_many(made, _CACHED_FOR)
    needs, undone = cached | made, {job.key for job in jobs.values() if vars(job)["has_undos"]}
    return {
        job.pk
        for key, job in jobs.items()
        if needs[key]
        and all(name in OPERATIONS and scope.can_call(OPERATIONS[name]) for name in needs[key])
        and (job.key not in undone or undoing.JobUndos(job).can_begin)
    }


def _undo_needs(job: Job) -> list[str]:
    """Returns the names of the operations of a job; none if it has no undo."""
    has_undo = job_type_of(job).undo(job) is not None
    return [each.name for each in job_type_of(job).needs(job)] if has_undo else []


def _job(user: User, summary: JobSummary, undoable: Collection[int]) -> OutcomeLine:
    job: Job = summary.job
    url = job.get_absolute_url()
    return OutcomeLine(
        job.finished_at or job.approved_at or job.created_at,
        job.title,
        url,
        summary.tone,
        summary.word if job.is_open else summary.summary,
        "" if job.owner_id == user.pk else str(job.owner),
        f"{url}#act-take-back" if job.pk in undoable else "",
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
