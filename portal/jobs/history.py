"""Changes of one object as a tab of its page shows them, and the undo of one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from django.core.paginator import Paginator

from portal.access.api import announce
from portal.access.audit import entries_for
from portal.access.calls import AuditedCaller
from portal.access.models import AuditEntry
from portal.access.scope import Scope
from portal.access.undo import UndoPlan
from portal.access.undo.recorded import UndoableLine, undoings
from portal.client import Api
from portal.jobs.filters import jobs_of
from portal.jobs.job_types import job_type_of
from portal.jobs.models import Job

TEMPLATE = "jobs/object_history.html"
PAGE_SIZE = 25


def jobs_behind(scope: Scope, entries: Iterable[AuditEntry]) -> dict[str, Job]:
    """The jobs that made these changes, by the ids of requests: what a job sends carries that of
    the request that the job was made in."""
    requests = {entry.request_id for entry in entries} - {""}
    jobs = jobs_of(scope).filter(request_id__in=requests)
    return {job.request_id: job for job in jobs}


def has_undo(job: Job) -> bool:
    """Returns whether the job is undone as a whole; one of another release is left alone."""
    try:
        return job_type_of(job).has_undo
    except KeyError:
        return True


def carry_out(api: Api, scope: Scope, entry: AuditEntry, plan: UndoPlan) -> None:
    """Makes the calls of a plan, as entries that say what they undo. Raises `ApiError`; what was
    done by then is done."""
    caller = cast(AuditedCaller, api.caller).undoing(entry)
    for call in plan.calls:
        announce(scope, api, call, caller(call))


@dataclass(frozen=True)
class HistoryLine(UndoableLine):
    """An entry of the audit trail, and the job that made the change, if one did."""

    job: Job | None = None


def history_of(scope: Scope, family: str, object_id: str, page: str | None) -> dict[str, object]:
    """The context of `TEMPLATE`: one page of what was done to the object, newest first."""
    entries = entries_for(scope, family, object_id)
    shown = Paginator(entries, PAGE_SIZE).get_page(page)
    return {
        "page": shown,
        "lines": _lines(scope, list(shown.object_list)),
    }


def _lines(scope: Scope, entries: list[AuditEntry]) -> list[HistoryLine]:
    jobs = jobs_behind(scope, entries)
    undos = undoings(entries, lambda _entry, by: scope.can_call(by))
    return [
        HistoryLine(entry, undos[entry.sequence], jobs.get(entry.request_id)) for entry in entries
    ]
