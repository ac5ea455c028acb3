"""Approval of a job by another administrator: its conditions, and the request for it.

The rules of the connection require it by the size of the job, or by its operations.
"""

from collections.abc import Callable, Sequence
from copy import copy

from portal.access.http import Origin
from portal.access.models import Connection
from portal.approvals.models import OPEN, ApprovalRequest, RequestKind
from portal.approvals.services import deciding, submitting
from portal.audit.account_history import AccountHistory
from portal.config import clock
from portal.connections.approval_rules import is_approver, rule_of
from portal.connections.standing import is_another
from portal.contract.operation import AnyOperation, Effect
from portal.jobs.job_types import job_type_of
from portal.jobs.models import NEVER_SENT, UNDOES, ItemState, Job


def is_required(job: Job) -> bool:
    """Returns whether the rules require it for the job. Raises `KeyError` for an unknown type."""
    job_type = job_type_of(job)
    if job_type.reads_only:
        return False
    return is_expected(job.connection, job_type.needs(job), lambda: _rows(job))


def is_expected(
    connection: Connection, needs: Sequence[AnyOperation], rows: Callable[[], int]
) -> bool:
    """Returns whether the rules require it for a job of these operations and so many rows."""
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
    """Returns whether the job must not continue: the rules require an approval that it lacks."""
    return not job.approved_by and is_required(job)


def is_required_again(job: Job) -> bool:
    """Returns whether a job that is started again requires it: approvals expire."""
    until = job.approval_holds_until
    holds = bool(job.approved_by) and until is not None and until > clock.now()
    return not holds and is_required(job)


def is_expected_of_undo(job: Job) -> bool:
    """Returns whether the rules would require it for a job that undoes this one."""
    back = copy(job)
    back.parameters = {**job.parameters, UNDOES: job.key}
    done = job.items.filter(state=ItemState.DONE)
    return is_expected(job.connection, job_type_of(back).needs(back), done.count)


def is_given_by(job: Job, origin: Origin) -> bool:
    """Returns whether the user who starts the job is another administrator than its owner and the
    users who set its actions."""
    actor = origin.actor
    return (
        actor is not None
        and is_another(AccountHistory(actor), than=job.involved, since=job.created_at)
        and is_approver(actor, job.connection)
    )


def request(job: Job, origin: Origin, seen: int, reason: str) -> None:
    """Requests the approval of this version of the plan. Raises `ApprovalRefused`."""
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
    """Ends the request for a plan that is not carried out any more, in the transaction that changes
    the plan."""
    locked = ApprovalRequest.objects.select_for_update(of=("self",))
    for asked in locked.select_related("connection").filter(subject=job.key, state__in=OPEN):
        deciding.void(asked, origin, why)


def _rows(job: Job) -> int:
    return job.items.exclude(state__in=NEVER_SENT).count()
