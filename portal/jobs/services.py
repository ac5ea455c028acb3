"""Services that create, approve, pause and cancel jobs; each is recorded in the audit trail."""

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from allauth.core.exceptions import ReauthenticationRequired
from django.db import transaction

from portal.access import tokens
from portal.access.audit import Act, record
from portal.access.calls import Permit
from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.access.roles import RoleRefused
from portal.approvals import subjects as approvals
from portal.config import clock
from portal.contract.inverse import NoWayBack
from portal.contract.model import JsonDict
from portal.contract.operation import Effect
from portal.jobs import second_approval
from portal.jobs.job_types import following_names, job_type_of, read_only_names
from portal.jobs.leases import JOBS
from portal.jobs.models import (
    LEFT_OUT,
    OPEN,
    UNDOES,
    UNRESOLVED_ITEMS,
    ItemState,
    Job,
    JobFile,
    JobState,
    JobTitle,
    in_each_language,
)
from portal.translation import gettext as _, lazily, within

_LOCKING = Job.objects.select_related("owner", "connection__owner").select_for_update(of=("self",))


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
    try:
        is_required = second_approval.is_required(job)
    except KeyError:  # a type that this release does not know
        return False
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
        if was == JobState.PAUSED or job.kind in following_names():
            with suppress(KeyError):  # a type that this release does not know
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


def can_undo(job: Job) -> bool:
    """Returns whether a reversal of the job can be planned."""
    has_ended = job.state in (JobState.DONE, JobState.CANCELLED)
    return has_ended and job_type_of(job).undo(job) is not None and undone_by(job) is None


def undone_by(job: Job) -> Job | None:
    """Returns the job that restores, or is to restore, what this one changed; None also if that
    job was discarded, cancelled, or undone itself."""
    others = Job.objects.filter(connection=job.connection, kind=job.kind)
    states = (*OPEN, JobState.DONE)
    for other in others.filter(parameters__takes_back=job.key, state__in=states):
        did_something = other.items.filter(state=ItemState.DONE).exists()
        if other.is_open or (did_something and undone_by(other) is None):
            return other
    return None


def undo(job: Job, origin: Origin) -> Job:
    """Drafts a job that restores the values of before, for a person to approve."""
    require(job, origin)
    with transaction.atomic():
        Job.objects.select_for_update().get(pk=job.pk)  # so that it is undone once
        if undone_by(job):
            raise JobRefused(_("This job has already been undone."))
        if not can_undo(job):
            raise JobRefused(_("This job cannot be undone."))
        data = {name: value for name, value in job.parameters.items() if name != LEFT_OUT}
        return draft(
            origin,
            job.connection,
            job.kind,
            lazily(lambda: _("Undo: %(title)s") % {"title": job.title}),
            parameters={**data, UNDOES: job.key},
        )


def judge_unknown(job: Job, item_id: int, origin: Origin, *, was_done: bool) -> None:
    """Records a person's verdict about an item of unknown outcome: it was done, or it is sent
    again."""
    with _changing(job, JobState.RUNNING, JobState.PAUSED, JobState.DONE, by=origin) as change:
        items = job.items.filter(UNRESOLVED_ITEMS, pk=item_id)
        if was_done:
            judged = items.update(state=ItemState.DONE, message=_("Marked as done."), sealed="")
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
    try:
        needs = job_type_of(job).needs(job)
    except KeyError:
        raise JobRefused(
            _("This version of Switchboard does not support this type of job.")
        ) from None
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
