"""Changes of one object for a tab of its page, and the undo of a change."""

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
    """Returns the jobs that made these changes, by the ids of requests: an entry of a job has the
    id of the request that began the job."""
    requests = {entry.request_id for entry in entries} - {""}
    jobs = jobs_of(scope).filter(request_id__in=requests)
    return {job.request_id: job for job in jobs}


def has_undo(job: Job) -> bool:
    """Returns whether the job is undone as a whole; also for a type that this release does not
    know."""
    try:
        return job_type_of(job).has_undo
    except KeyError:
        return True


def carry_out(api: Api, scope: Scope, entry: AuditEntry, plan: UndoPlan) -> None:
    """Makes the calls of a plan; their entries refer to the undone one. Raises `ApiError`, after
    which the calls before it remain."""
    caller = cast(AuditedCaller, api.caller).undoing(entry)
    for call in plan.calls:
        announce(scope, api, call, caller(call))


@dataclass(frozen=True)
class HistoryLine(UndoableLine):
    """An entry of the audit trail, and the job that made the change, if one did."""

    job: Job | None = None


def history_of(scope: Scope, family: str, object_id: str, page: str | None) -> dict[str, object]:
    """Returns the context of `TEMPLATE`: one page of the object's changes, newest first."""
    shown = Paginator(entries_for(scope, family, object_id), PAGE_SIZE).get_page(page)
    entries = list(shown.object_list)
    jobs = jobs_behind(scope, entries)
    undos = undoings(entries, lambda _entry, by: scope.can_call(by))
    lines = [HistoryLine(one, undos[one.sequence], jobs.get(one.request_id)) for one in entries]
    return {"page": shown, "lines": lines}
