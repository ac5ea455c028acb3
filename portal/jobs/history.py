"""Changes of one object for a tab of its page, and the undo of a change."""

from collections.abc import Iterable
from typing import cast

from django.core.paginator import Paginator

from portal.access.scope import Scope
from portal.audit.models import AuditEntry
from portal.audit.reading import entries_for
from portal.audit.undo import UndoPlan
from portal.audit.undo.offered import JobBehind, lines_within
from portal.client import Api
from portal.connections.api import announce
from portal.connections.calls import AuditedCaller
from portal.jobs.filters import jobs_of
from portal.jobs.job_types import job_type_of
from portal.jobs.models import Job
from portal.jobs.row_errors import Unsupported

TEMPLATE = "jobs/object_history.html"
PAGE_SIZE = 25


def jobs_behind(scopes: Iterable[Scope], entries: Iterable[AuditEntry]) -> dict[str, Job]:
    """Returns the jobs that made these changes, by the ids of requests: an entry of a job has the
    id of the request that began the job."""
    requests = {entry.request_id for entry in entries} - {""}
    scopes = list(scopes)
    if not requests or not scopes:
        return {}
    jobs = jobs_of(*scopes).select_related("connection").filter(request_id__in=requests)
    return {job.request_id: job for job in jobs}


def links_to_jobs(scopes: Iterable[Scope], entries: Iterable[AuditEntry]) -> dict[str, JobBehind]:
    """Returns the same jobs as the audit trail shows them."""
    return {
        request: JobBehind(job.title, job.get_absolute_url(), has_undo(job))
        for request, job in jobs_behind(scopes, entries).items()
    }


def has_undo(job: Job) -> bool:
    """Returns whether the job is undone as a whole; also for a type that this release does not
    know."""
    try:
        return job_type_of(job).has_undo
    except Unsupported:
        return True


def carry_out(api: Api, scope: Scope, entry: AuditEntry, plan: UndoPlan) -> None:
    """Makes the calls of a plan; their entries refer to the undone one. Raises `ApiError`, after
    which the calls before it remain."""
    caller = cast(AuditedCaller, api.caller).undoing(entry)
    for call in plan.calls:
        announce(scope, api, call, caller(call))


def history_of(scope: Scope, family: str, object_id: str, page: str | None) -> dict[str, object]:
    """Returns the context of `TEMPLATE`: one page of the object's changes, newest first."""
    shown = Paginator(entries_for(scope, family, object_id), PAGE_SIZE).get_page(page)
    return {"page": shown, "lines": lines_within([scope], shown.object_list)}
