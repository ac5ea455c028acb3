"""The making of a job's plan in a worker, by the `plan` of its job type."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import structlog
from django.db import InterfaceError, OperationalError, connection, transaction

from portal.access.grants import AccessEnded
from portal.access.roles import RoleRefused
from portal.access.tokens import TokenUnreadable
from portal.client import ApiError, Throttled
from portal.config import clock
from portal.connections.calls import check
from portal.jobs import second_approval, services
from portal.jobs.breaker import passes
from portal.jobs.job_types import job_type_of
from portal.jobs.leases import JOBS, LeaseLost, logged, release, renew
from portal.jobs.models import UNDOES, Job, JobFile, JobState
from portal.jobs.planning import Planning, Unplannable, filled_by_whole
from portal.jobs.row_errors import Unsupported, fault_of_plan
from portal.translation import gettext as _, speaking_to
from portal.translation.phrases import remembered
from portal.work.leases import release_soon

_TRY_AGAIN = timedelta(seconds=15)
_SHORTEST = timedelta(seconds=1)
_log = structlog.get_logger(__name__)


def plan(job: Job) -> None:
    """Makes the plan of a job that the caller has leased, in the language of its owner. The items
    of a plan that was interrupted are made again."""
    with speaking_to(job.owner), remembered(), logged(job):
        try:
            planning = _planned(job)
        except LeaseLost:
            return
        except Unplannable as problem:
            _end(job, JobState.UNPLANNABLE, reason=str(problem))
        except TokenUnreadable as problem:
            _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=str(problem))
        except AccessEnded:
            words = _(
                "%(owner)s no longer has the access to the connection that this job began with."
            ) % {"owner": job.owner}
            _end(job, JobState.UNPLANNABLE, reason=words)
        except RoleRefused as refused:
            what = refused.operation.summary
            _end(
                job,
                JobState.UNPLANNABLE,
                reason=_("“%(what)s” is not allowed for you on this connection.") % {"what": what},
            )
        except ApiError as error:
            if passes(error):
                wait = timedelta(seconds=error.retry_after or 0.0)
                later = clock.now() + max(wait, _TRY_AGAIN if not wait else _SHORTEST)
                openings = 0 if isinstance(error, Throttled) else 1
                release(
                    job,
                    leased_until=later,
                    waits_until=later,
                    trouble=error.message,
                    openings=openings,
                )
            else:
                words = _("The service refused data that the preview needs: %(message)s") % {
                    "message": error.message
                }
                _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=words)
        except Exception as error:
            _break_off(job, error)
        else:
            _finish(job, planning)


def _break_off(job: Job, error: Exception) -> None:
    if isinstance(error, Unsupported):
        _log.warning("job left to another release", job=job.key, name=str(error))
        release(job, leased_until=clock.now() + _TRY_AGAIN)
        return
    _log.error("planning failed", exc_info=error, job=job.key, kind=job.kind)
    if isinstance(error, InterfaceError | OperationalError):
        connection.close_if_unusable_or_obsolete()  # a new one releases the lease
    try:
        _end(job, JobState.UNPLANNABLE, keeps_file=True, reason=fault_of_plan(job))
    except (InterfaceError, OperationalError):  # the plan is made once the database is back
        release_soon(job, released=lambda: JOBS.wake(job.pk))
        raise


def _planned(job: Job) -> Planning:
    kind = job_type_of(job)
    with transaction.atomic():
        renew(job, progress=0, expected=0, activity="")
        job.items.all().delete()
    planning = Planning(job, kind.calls_of_row)
    if kind.fills_copies and planning.scope.is_narrow:
        raise Unplannable(filled_by_whole(job))
    if UNDOES in job.parameters:
        _plan_undo(planning)
    else:
        kind.plan(planning)
    planning.store()
    for operation in kind.needs(job):
        check(planning.scope, operation)
    return planning


def _plan_undo(planning: Planning) -> None:
    """Plans the undo of another job."""
    job = planning.job
    earlier = Job.objects.filter(
        connection=job.connection, kind=job.kind, key=job.parameters[UNDOES]
    ).first()
    kind = job_type_of(job)
    if earlier is None or kind.undo(earlier) is None:
        raise Unplannable(_("The job to undo no longer exists."))
    kind.plan_undo(planning, earlier)


def _finish(job: Job, planning: Planning) -> None:
    """Ends the planning: a job that needs no first approval runs, or requests its second one."""
    is_approved = _is_approved(job)
    if is_approved and not second_approval.is_missing(job):
        _end(job, JobState.RUNNING, notes=planning.notices, approved_at=clock.now())
        JOBS.wake(job.pk)
        return
    _end(job, JobState.PLANNED, notes=planning.notices)
    if is_approved or _is_approved(job):  # it may have been approved while the plan was made
        seen, why = services.plan_version(job), _("It runs by a rule.")
        with suppress(services.JobRefused, RoleRefused):
            services.approve(job, job.origin, seen=seen, reauthenticated=lambda: True, reason=why)


def _is_approved(job: Job) -> bool:
    with suppress(Job.DoesNotExist):
        job.refresh_from_db(fields=["parameters"])
    return job_type_of(job).is_approved(job)


def _end(job: Job, state: JobState, *, keeps_file: bool = False, **values: Any) -> None:
    """Ends the planning, unless the job was cancelled in the meantime."""
    with transaction.atomic():
        leased = Job.objects.select_for_update().filter(pk=job.pk, lease=job.lease).first()
        if leased is None:
            return
        if leased.state == JobState.PLANNING:
            cleared = {"reason": "", "trouble": "", "openings": 0, "waits_until": None}
            values = {"state": state, **cleared, **values}
            job.remember(values["reason"], *(words for _tone, words in values.get("notes", ())))
            values["words"] = job.words
            if state == JobState.UNPLANNABLE:
                values["finished_at"] = clock.now()
                job.items.all().delete()
                job_type_of(job).not_planned(job, str(values["reason"]))
        if not keeps_file:
            JobFile.objects.filter(job=job).delete()
        release(job, activity="", **values)
