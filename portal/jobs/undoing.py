"""Undoing one audited write: by whom it was made, and what follows when it is undone."""

from collections.abc import Iterable
from typing import cast

from portal.access.calls import AuditedCaller
from portal.access.calls_made import Made, announce
from portal.access.models import AuditEntry
from portal.access.scope import Scope
from portal.access.undo import UndoPlan
from portal.client import Api
from portal.jobs.filters import jobs_of
from portal.jobs.job_types import job_type_of
from portal.jobs.models import Job


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
    made: list[Made] = []
    try:
        for call in plan.calls:
            answer = caller(call)
            made.append((call, answer))
    finally:
        if made:
            announce(scope, api, made)
