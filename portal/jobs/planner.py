"""Makes the plan of a job in the worker, by the `plan` of its job type."""

from datetime import timedelta

import structlog
from django.db import transaction
from django.utils import timezone

from portal.access.calls import check
from portal.access.roles import Refused
from portal.access.tokens import TokenUnreadable
from portal.client import ApiError
from portal.jobs.failures import passes
from portal.jobs.job_types import job_type_of
from portal.jobs.leases import JOBS, LeaseLost, release, renew
from portal.jobs.models import UNDOES, Job, JobFile, JobState
from portal.jobs.planning import Planning, Unplannable

_TRY_AGAIN = timedelta(seconds=15)
_log = structlog.get_logger(__name__)


def plan(job: Job) -> None:
    """Makes the plan of a job that the caller has leased. What a plan that broke off had made is
    made again."""
    try:
        planning = _planned(job)
    except LeaseLost:
        return
    except Unplannable as problem:
        _end(job, JobState.UNPLANNABLE, reason=str(problem))
    except TokenUnreadable as problem:
        _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=str(problem))
    except Refused as refused:
        what = refused.operation.summary
        _end(
            job, JobState.UNPLANNABLE, reason=f"“{what}” is not allowed for you on this connection."
        )
    except ApiError as error:
        if passes(error):
            _try_again(job, error)
        else:
            words = f"The service refused data that the preview needs: {error.message}"
            _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=words)
    except Exception:
        _log.exception("planning failed", job=job.key, kind=job.kind)
        words = "Internal error. See the worker log for details."
        _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=words)
    else:
        _finish(job, planning)


def _planned(job: Job) -> Planning:
    kind = job_type_of(job)
    _clear(job)
    planning = Planning(job)
    if UNDOES in job.parameters:
        _plan_undo(planning)
    else:
        kind.plan(planning)
    planning.store()
    for operation in kind.needs(job):
        check(job.owner.role, job.connection, operation)
    return planning


def _plan_undo(planning: Planning) -> None:
    """The plan that restores what another job has changed."""
    job = planning.job
    earlier = Job.objects.filter(
        connection=job.connection, kind=job.kind, key=job.parameters[UNDOES]
    ).first()
    kind = job_type_of(job)
    if earlier is None or kind.undo(earlier) is None:
        raise Unplannable("The job to undo no longer exists.")
    kind.plan_undo(planning, earlier)


def _finish(job: Job, planning: Planning) -> None:
    if job_type_of(job).is_approved(job):
        _end(job, JobState.RUNNING, notes=planning.notes, approved_at=timezone.now())
        JOBS.wake(job.pk)
    else:
        _end(job, JobState.PLANNED, notes=planning.notes)


def _clear(job: Job) -> None:
    with transaction.atomic():
        renew(job, progress=0, expected=0, activity="")
        job.items.all().delete()


def _try_again(job: Job, error: ApiError) -> None:
    """Leaves the job to a later try."""
    later = timezone.now() + _TRY_AGAIN
    release(job, leased_until=later, waits_until=later, trouble=error.message)


def _end(job: Job, state: JobState, *, keeps_file: bool = False, **values: object) -> None:
    """Ends the planning, unless the job has been cancelled."""
    with transaction.atomic():
        held = Job.objects.select_for_update().filter(pk=job.pk, lease=job.lease).first()
        if held is None:
            return
        if held.state == JobState.PLANNING:
            values = {"state": state, "reason": "", "trouble": "", "waits_until": None, **values}
            if state == JobState.UNPLANNABLE:
                values["finished_at"] = timezone.now()
                job.items.all().delete()
        if not keeps_file:
            JobFile.objects.filter(job=job).delete()
        release(job, activity="", **values)
