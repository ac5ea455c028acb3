"""Approval of a job by another administrator: its conditions, and the request for it.

That is so by its size, or by what it calls, as the rules of its connection say.
"""

from collections.abc import Callable, Sequence
from copy import copy

from portal.access.approval_rules import is_approver, rule_of
from portal.access.http import Origin
from portal.access.models import Connection
from portal.approvals.models import OPEN, ApprovalRequest, RequestKind
from portal.approvals.services import deciding, submitting
from portal.config import clock
from portal.contract.operation import AnyOperation, Effect
from portal.jobs.job_types import job_type_of
from portal.jobs.models import NEVER_SENT, UNDOES, ItemState, Job


def is_required(job: Job) -> bool:
    """Returns whether the rules hold the job back. Raises `KeyError` for an unknown type."""
    job_type = job_type_of(job)
    if job_type.reads_only:
        return False
    return is_expected(job.connection, job_type.needs(job), lambda: _rows(job))


def is_expected(
    connection: Connection, needs: Sequence[AnyOperation], rows: Callable[[], int]
) -> bool:
    """Returns whether the rules hold back a job of these operations and so many rows."""
    rule = rule_of(connection)
    if rule is None:
        return False
    if {each.name for each in needs} & set(rule.operations):
        return True
    limits = [rule.job_rows]
    if any(each.effect is Effect.DESTRUCTIVE for each in needs):
        limits.append(rule.destructive_job_rows)
    applicable = [limit for limit in limits if limit is not None]
    return bool(applicable) and rows() > min(applicable)


def is_missing(job: Job) -> bool:
    """Returns whether the job must not go on: nobody else has approved it, and the rules require
    that."""
    return not job.approved_by and is_required(job)


def is_to_be_asked(job: Job) -> bool:
    """Returns whether a job that is started again needs it: approvals do not hold for ever."""
    until = job.approval_holds_until
    holds = bool(job.approved_by) and until is not None and until > clock.now()
    return not holds and is_required(job)


def is_expected_of_undo(job: Job) -> bool:
    """Returns whether the rules would hold back a job that undoes this one."""
    back = copy(job)
    back.parameters = {**job.parameters, UNDOES: job.key}
    done = job.items.filter(state=ItemState.DONE)
    return is_expected(job.connection, job_type_of(back).needs(back), done.count)


def is_given_by(job: Job, origin: Origin) -> bool:
    """Returns whether whoever starts the job is another administrator than its owner and than
    whoever said what it does."""
    actor = origin.actor
    if actor is None or actor.pk in job.involved:
        return False
    return is_approver(actor, job.connection)


def ask(job: Job, origin: Origin, seen: int, reason: str) -> None:
    """Asks for the approval of the plan of this version. Raises `NotNow` of the approvals."""
    submitting.request(
        origin,
        job.connection,
        RequestKind.JOB,
        reason,
        title=job.title,
        family="job",
        object_id=job.key,
        subject=job.key,
        seen=str(seen),
        sent={"rows": _rows(job)},
        shown={language: [words["title"]] for language, words in job.titles.items()},
    )


def request_for(job: Job) -> ApprovalRequest | None:
    result = ApprovalRequest.objects.select_related("connection__owner", "requester")
    return result.filter(subject=job.key, state__in=OPEN).first()


def void(job: Job, origin: Origin, why: str) -> None:
    """Ends the request for a plan that is not to be carried out any more, in the transaction that
    changes it."""
    locked = ApprovalRequest.objects.select_for_update(of=("self",))
    for asked in locked.select_related("connection").filter(subject=job.key, state__in=OPEN):
        deciding.void(asked, origin, why)


def _rows(job: Job) -> int:
    return job.items.exclude(state__in=NEVER_SENT).count()
