"""Services that create, approve, pause and cancel jobs; each is recorded in the audit trail."""

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

from allauth.core.exceptions import ReauthenticationRequired
from django.db import transaction

from portal.access import tokens
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.access.roles import RoleRefused
from portal.approvals import subjects as approvals
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.connections.calls import Permit
from portal.contract.inverse import NoWayBack
from portal.contract.model import JsonDict
from portal.contract.operation import Effect
from portal.jobs import second_approval
from portal.jobs.job_types import (
    following_names,
    has_all_of,
    is_supported,
    job_type_of,
    read_only_names,
)
from portal.jobs.leases import JOBS
from portal.jobs.models import (
    APPROVED,
    LEFT_OUT,
    OPEN,
    OPEN_ITEMS,
    UNRESOLVED_ITEMS,
    WORKED_ON,
    ItemState,
    Job,
    JobFile,
    JobItem,
    JobState,
    JobTitle,
    in_each_language,
)
from portal.translation import gettext as _, within
from portal.translation.phrases import remembered

_LOCKING = Job.objects.select_related("owner", "connection__owner").select_for_update(of=("self",))


_OF_A_LIMIT = timedelta(seconds=45)  # longer than rows that failed on their own wait


class JobRefused(Exception):
    """Raised if the state of the job does not allow an act; the text says why."""


def draft(
    origin: Origin,
    connection: Connection,
    kind: str,
    title: str | JobTitle,
    *,
    parameters: JsonDict | None = None,
    file: bytes | None = None,
    file_name: str = "",
) -> Job:
    """Begins a job: a worker makes its plan, which a person then approves.

    The file is stored encrypted until the plan is made.
    """
    # A job that begins by itself comes from no request: this joins its entries in the trail.
    origin = replace(origin, request_id=origin.request_id or str(uuid4()))
    if origin.actor is None:
        raise ValueError("A job needs an owner.")
    with transaction.atomic():
        job = Job.objects.create(
            connection=connection,
            owner=origin.actor,
            kind=kind,
            stored_title=str(title)[:200],
            titles=in_each_language(title),
            parameters=parameters or {},
            ip=origin.ip,
            request_id=origin.request_id,
            from_file=file is not None,
        )
        if file is not None:
            JobFile.objects.create(job=job, name=file_name[:200], sealed=tokens.seal_file(file))
        _record(origin, Act.JOB_DRAFTED, job, sent={"kind": kind, "file": file_name or None})
        JOBS.wake(job.pk)
    return job


def irreversible(job: Job) -> list[str]:
    """Returns the summaries of the job's operations that no undo takes back."""
    kind = job_type_of(job)
    destructive = [each for each in kind.needs(job) if each.effect is Effect.DESTRUCTIVE]
    return [each.summary for each in destructive if not kind.reverts(each)]


def without_undo(job: Job) -> list[str]:
    """Returns sentences about the changes that an undo of the job does not take back, beside those
    that are `irreversible`."""
    kind = job_type_of(job)
    if kind.has_undo:
        return []
    writes = [one for one in kind.needs(job) if one.effect is Effect.WRITE and one.inverse]
    words = [
        _("“%(what)s” cannot be undone. %(why)s")
        % {"what": one.summary, "why": _(one.inverse.words)}
        for one in writes
        if isinstance(one.inverse, NoWayBack)
    ]
    if len(words) < len(writes):
        words.append(
            _(
                "This job cannot be undone as a whole. Its changes are undone one by one, from the "
                "audit trail."
            )
        )
    return words


def may_run(job: Job, actor: User) -> bool:
    """Returns whether the user may call all operations of the job over the connection."""
    scope = scope_of(actor, job.connection)
    return all(scope.can_call(each) for each in job_type_of(job).needs(job))


def needs_reason(job: Job, actor: User) -> bool:
    """Returns whether starting the job asks another administrator to approve it."""
    if not is_supported(job):
        return False
    is_required = second_approval.is_required(job)
    return is_required and not second_approval.is_given_by(job, Origin(actor))


def plan_version(job: Job) -> int:
    """Returns a number for the present plan, which changes if the plan is made again, or rows are
    left out: the last row that would be sent, and above it a checksum of those left out."""
    last = job.items.filter(state=ItemState.PENDING).order_by("-pk").first()
    left_out = job.items.filter(state=ItemState.LEFT_OUT).order_by("pk")
    rows = ",".join(map(str, left_out.values_list("pk", flat=True)))
    return (zlib.crc32(rows.encode()) << 64) + (last.pk if last else 0)


def approve(
    job: Job,
    origin: Origin,
    *,
    seen: int | None,
    reauthenticated: Callable[[], bool],
    reason: str = "",
) -> None:
    """Lets the plan run that was shown: `seen` is its `plan_version`. If the rules of the
    connection require a second approval, requests that, with the `reason`.

    Raises `RoleRefused` if the role does not allow the operations, and allauth's
    `ReauthenticationRequired` if they have no way back and `reauthenticated` returns false. All of
    it is decided once the job is locked: until then a worker may make another plan.
    """
    with _changing(job, JobState.PLANNED, by=origin) as change:
        if seen is None:
            raise JobRefused(_("The request does not name the preview. Review the preview first."))
        if seen != plan_version(job):
            raise JobRefused(_("The preview has changed since you opened it. Review it again."))
        require(job, origin, reauthenticated)
        by = ""
        if second_approval.is_required(job):
            by = _second_approver(job, origin, reauthenticated)
            if not by:
                _request_approval(job, origin, reason)
                change(JobState.AWAITING, reason="")
                return
        count = job.items.filter(state=ItemState.PENDING).count()
        start(job, origin, {"items": count}, approved_at=clock.now(), approved_by=by)


def start(job: Job, origin: Origin, sent: JsonDict, *, approved_by: str, **values: object) -> None:
    """Lets an approved plan run, in the transaction that locks the job, and stores these values."""
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, reason="", approved_by=approved_by, **values
    )
    job.state = JobState.RUNNING
    job.items.filter(state=ItemState.LEFT_OUT).exclude(sealed="").update(sealed="")
    _record(origin, Act.JOB_APPROVED, job, sent=sent, approved_by=approved_by)
    JOBS.wake(job.pk)


def _second_approver(job: Job, origin: Origin, reauthenticated: Callable[[], bool]) -> str:
    """Returns the address of the user who starts another user's job, if that is an administrator:
    two people have then seen the plan. Takes a fresh proof of identity."""
    if origin.actor is None or not second_approval.is_given_by(job, origin):
        return ""
    if not reauthenticated():
        raise ReauthenticationRequired
    return origin.actor.email


def _request_approval(job: Job, origin: Origin, reason: str) -> None:
    """Requests the second approval. Raises `JobRefused` if no administrator could give it."""
    try:
        second_approval.request(job, origin, plan_version(job), reason)
    except approvals.ApprovalRefused as problem:
        raise JobRefused(str(problem)) from None


def _go_on(change: Callable[..., None], job: Job, origin: Origin, why: str) -> None:
    """Continues a job that was paused or is done, or first requests its second approval."""
    values: dict[str, object] = {"finished_at": None, "reason": "", "signed_out": False}
    if second_approval.is_required_again(job):
        _request_approval(job, origin, why)
        change(JobState.AWAITING, approved_by="", **values)
    else:
        change(JobState.RUNNING, **values)


def start_when_planned(job: Job, origin: Origin) -> None:
    """Approves a plan that its owner has agreed to elsewhere: now, or once a worker has made it."""
    with transaction.atomic():
        locked = _LOCKING.get(pk=job.pk)
        locked.parameters = {**locked.parameters, APPROVED: True}
        locked.save(update_fields=["parameters"])
        is_planned = locked.state == JobState.PLANNED
    if is_planned:
        with suppress(JobRefused, RoleRefused):
            seen, why = plan_version(locked), _("It was chosen with the change before it.")
            approve(locked, origin, seen=seen, reauthenticated=lambda: True, reason=why)


def plan_again(job: Job, origin: Origin) -> None:
    """Makes a plan again that could not be made or is not approved yet.

    Raises `RoleRefused` like `approve`, as do all functions that continue a job.
    """
    states = (JobState.UNPLANNABLE, JobState.PLANNED, JobState.AWAITING)
    with _changing(job, *states, by=origin) as change:
        if job.from_file and not JobFile.objects.filter(job=job).exists():
            raise JobRefused(
                _("The file of this job was deleted after it was read. Upload it again.")
            )
        if job.approved_at:
            raise JobRefused(_("This job has begun already. Pause or cancel it instead."))
        second_approval.void(job, origin, _("The preview was made again."))
        left_out = job.items.filter(state=ItemState.LEFT_OUT).exclude(object_id="")
        data = {LEFT_OUT: sorted(left_out.values_list("object_id", flat=True).order_by())}
        data = {**job.parameters, **data}
        change(JobState.PLANNING, reason="", finished_at=None, notes=[], parameters=data)
        _record(origin, Act.JOB_PLANNED_AGAIN, job)
    JOBS.wake(job.pk)


def leave_out(job: Job, item_id: int, origin: Origin) -> None:
    """Leaves one row out of a plan: it is not sent when the plan is approved."""
    with _changing(job, JobState.PLANNED):
        require(job, origin)
        row = job.items.filter(pk=item_id, state=ItemState.PENDING).first()
        if row is None:
            return
        row.state, row.ended_at = ItemState.LEFT_OUT, clock.now()
        row.save(update_fields=["state", "ended_at"])
        _record(origin, Act.JOB_ROW_LEFT_OUT, job, sent={"row": row.number, "what": row.label})


def put_back(job: Job, item_id: int, origin: Origin) -> None:
    """Restores a row that was left out of the plan."""
    with _changing(job, JobState.PLANNED):
        row = job.items.filter(pk=item_id, state=ItemState.LEFT_OUT).first()
        if row is None:
            return
        row.state, row.ended_at = ItemState.PENDING, None
        row.save(update_fields=["state", "ended_at"])
        require(job, origin)
        _record(origin, Act.JOB_ROW_PUT_BACK, job, sent={"row": row.number, "what": row.label})


def pause(job: Job, origin: Origin) -> None:
    """Sends nothing more until the job is resumed; requests under way end."""
    with _changing(job, JobState.RUNNING) as change:
        change(JobState.PAUSED, reason="", rate=None, waits_until=None, trouble="")
        _record(origin, Act.JOB_PAUSED, job)


def resume(job: Job, origin: Origin) -> None:
    with _changing(job, JobState.PAUSED, by=origin) as change:
        _go_on(change, job, origin, _("To resume the job."))
        _record(origin, Act.JOB_RESUMED, job)
    JOBS.wake(job.pk)


def go_on_signed_in(connection: Connection, origin: Origin, **_given: object) -> None:
    """Resumes the jobs that were paused because the service refused earlier credentials."""
    waiting = Job.objects.filter(connection=connection, state=JobState.PAUSED, signed_out=True)
    for job in waiting:
        with suppress(JobRefused, RoleRefused):
            resume(job, origin)


def go_on_reopened(connection: Connection, **_given: object) -> None:
    """Has jobs go on that waited for a limit of the service, with the rows that it held back."""
    now = clock.now()
    jobs = Job.objects.filter(connection=connection, state__in=WORKED_ON)
    waiting = JobItem.objects.filter(OPEN_ITEMS, job__in=jobs, due_at__gt=now + _OF_A_LIMIT)
    waiting.update(due_at=None)
    for pk in jobs.filter(lease=None, waits_until__gt=now).values_list("pk", flat=True):
        Job.objects.filter(pk=pk, lease=None).update(leased_until=None, waits_until=None)
        JOBS.wake(pk)


def cancel(job: Job, origin: Origin) -> None:
    """Ends a job for good: changes made by then stay, and the rest is never sent."""
    with _changing(job, *OPEN, JobState.UNPLANNABLE) as change:
        was = job.state
        now = clock.now()
        second_approval.void(job, origin, _("The job was cancelled."))
        change(JobState.CANCELLED, reason="", finished_at=now, rate=None, waits_until=None)
        unsent = job.items.filter(state__in=(ItemState.PENDING, ItemState.LEFT_OUT))
        unsent.exclude(sealed="").update(sealed="")
        JobFile.objects.filter(job=job).delete()
        _record(origin, Act.JOB_CANCELLED, job)
        # No worker may have a lease of a job that follows others, to call `finished` in the end.
        if (was == JobState.PAUSED or job.kind in following_names()) and is_supported(job):
            job_type_of(job).finished(job)


def remove(job: Job, origin: Origin) -> None:
    """Removes a job that has ended, with its rows. Raises `JobRefused` if it has not ended."""
    with transaction.atomic():
        locked = Job.objects.select_for_update().get(pk=job.pk)
        if locked.state in OPEN:
            raise JobRefused(_("The job has not ended yet. Cancel it first."))
        _record(origin, Act.JOB_REMOVED, locked, sent={"kind": locked.kind})
        locked.delete()


def retry_failed(job: Job, origin: Origin) -> int:
    """Sends the failed items again. Returns how many there are."""
    with _changing(job, JobState.RUNNING, JobState.PAUSED, JobState.DONE, by=origin) as change:
        failed = job.items.filter(state=ItemState.FAILED).update(
            state=ItemState.PENDING, attempts=0, message="", problems=[], ended_at=None
        )
        if failed:
            _go_on(change, job, origin, _("To retry failed rows."))
            _record(origin, Act.JOB_RETRIED, job, sent={"items": failed})
    JOBS.wake(job.pk)
    return failed


def judge_unknown(job: Job, item_id: int, origin: Origin, *, was_done: bool) -> None:
    """Records a person's verdict about an item of unknown outcome: it was done, or it is sent
    again."""
    with _changing(job, JobState.RUNNING, JobState.PAUSED, JobState.DONE, by=origin) as change:
        items = job.items.filter(UNRESOLVED_ITEMS, pk=item_id)
        if was_done:
            judged = 0
            for item in items:
                with remembered():
                    item.message = _("Marked as done.")
                item.remember(item.message)
                judged = items.update(
                    state=ItemState.DONE, message=item.message, words=item.words, sealed=""
                )
        else:
            judged = items.update(state=ItemState.PENDING, attempts=0, message="", ended_at=None)
            if judged:
                _go_on(change, job, origin, _("To send a row of unknown outcome again."))
        if judged:
            sent = {"item": item_id, "was_done": was_done}
            _record(origin, Act.JOB_JUDGED, job, sent=sent)
    JOBS.wake(job.pk)


@contextmanager
def _changing(
    job: Job, *states: JobState, by: Origin | None = None
) -> Iterator[Callable[..., None]]:
    """Locks a job whose state is one of these, and yields the function that changes its state.

    Within it the job is as stored. An act that continues the job names its user with `by`, whose
    role has to allow the job's operations.
    """

    def change(state: JobState, **values: object) -> None:
        Job.objects.filter(pk=job.pk).update(state=state, **values)
        job.state = state

    with transaction.atomic():
        job.refresh_from_db(from_queryset=_LOCKING)
        if by:
            require(job, by)
        if job.state not in states:
            state = within(JobState(job.state).label)
            raise JobRefused(_("The job is %(state)s now.") % {"state": state})
        yield change


def require(job: Job, origin: Origin, reauthenticated: Callable[[], bool] = lambda: True) -> None:
    """Raises `RoleRefused` if the user may not call the job's operations, `JobRefused` if this
    release cannot carry the job out, and allauth's `ReauthenticationRequired` if a proof of
    identity is required and missing."""
    if not has_all_of(job):
        raise JobRefused(
            _("This job was made by another release of Switchboard. It is left to that release.")
        )
    needs = job_type_of(job).needs(job)
    if origin.actor is None:
        raise ValueError("A job is changed by a user.")
    scope = scope_of(origin.actor, job.connection)
    permit = Permit(origin, scope, reauthenticated)
    for operation in needs:
        permit.check(operation)


def _record(
    origin: Origin, act: Act, job: Job, sent: JsonDict | None = None, approved_by: str = ""
) -> None:
    if job.kind in read_only_names():  # of these nothing is recorded
        return
    record(
        origin,
        act,
        object_id=job.key,
        label=job.title,
        connection=job.connection,
        sent=sent or {},
        approved_by=approved_by,
    )
