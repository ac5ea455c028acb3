"""What people do with jobs. Each is recorded in the audit trail."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.access.audit import Act, record
from portal.access.calls import check
from portal.access.can import Can
from portal.access.models import Connection, User
from portal.access.origin import Origin
from portal.contract.operation import Effect
from portal.jobs.bell import ring
from portal.jobs.kinds import kind_of, that_read
from portal.jobs.models import OPEN, TAKES_BACK, ItemState, Job, JobFile, JobState
from portal.jobs.planning import seal_file


class NotNow(Exception):
    """The job cannot do this as it stands; the text says why."""


def draft(
    origin: Origin,
    connection: Connection,
    kind: str,
    title: str,
    *,
    parameters: dict[str, Any] | None = None,
    file: bytes | None = None,
    file_name: str = "",
) -> Job:
    """Begins a job: a worker makes its plan, which a person then approves.

    The file is kept encrypted until the plan is made.
    """
    if origin.actor is None:
        raise ValueError("A job is somebody's.")
    with transaction.atomic():
        job = Job.objects.create(
            connection=connection,
            owner=origin.actor,
            kind=kind,
            title=title[:200],
            parameters=parameters or {},
            ip=origin.ip,
            request_id=origin.request_id,
            from_file=file is not None,
        )
        if file is not None:
            JobFile.objects.create(job=job, name=file_name[:200], sealed=seal_file(file))
        _record(origin, Act.JOB_DRAFTED, job, sent={"kind": kind, "file": file_name or None})
        transaction.on_commit(lambda: ring(job))
    return job


def is_destructive(job: Job) -> bool:
    """Whether to approve it takes a fresh proof of identity."""
    return bool(irreversible(job))


def irreversible(job: Job) -> list[str]:
    """What the job does that has no way back, each as the interface calls it."""
    return [each.summary for each in kind_of(job).needs(job) if each.effect is Effect.DESTRUCTIVE]


def may_run(job: Job, actor: User) -> bool:
    """Whether this person's role, and the connection, allow what the job does."""
    can = Can(actor.role, job.connection)
    return all(can.call(each) for each in kind_of(job).needs(job))


def approve(job: Job, origin: Origin) -> None:
    """Lets a planned job run. Raises `Refused` where the role does not allow what it does."""
    require(job, origin)
    count = job.items.filter(state=ItemState.PENDING).count()
    with _changing(job, JobState.PLANNED) as change:
        change(JobState.RUNNING, approved_at=timezone.now(), reason="")
        _record(origin, Act.JOB_APPROVED, job, sent={"items": count})
    ring(job)


def plan_again(job: Job, origin: Origin) -> None:
    """Makes the plan anew, where it could not be made or is not approved yet.

    Raises `Refused` like `approve`, and so do all who make a job go on.
    """
    require(job, origin)
    if job.from_file and not JobFile.objects.filter(job=job).exists():
        raise NotNow("The file of this job was erased when it was read. Start again with the file.")
    with _changing(job, JobState.UNPLANNABLE, JobState.PLANNED) as change:
        change(JobState.PLANNING, reason="", finished_at=None, notes=[])
        _record(origin, Act.JOB_PLANNED_AGAIN, job)
    ring(job)


def pause(job: Job, origin: Origin) -> None:
    """Sends nothing more until it is resumed; what is under way ends by itself."""
    with _changing(job, JobState.RUNNING) as change:
        change(JobState.PAUSED, reason="", rate=None, waits_until=None, trouble="")
        _record(origin, Act.JOB_PAUSED, job)


def resume(job: Job, origin: Origin) -> None:
    require(job, origin)
    with _changing(job, JobState.PAUSED) as change:
        change(JobState.RUNNING, reason="")
        _record(origin, Act.JOB_RESUMED, job)
    ring(job)


def cancel(job: Job, origin: Origin) -> None:
    """Ends a job for good; what was done stays done, the rest is never sent."""
    with _changing(job, *OPEN, JobState.UNPLANNABLE) as change:
        was = job.state
        now = timezone.now()
        change(JobState.CANCELLED, reason="", finished_at=now, rate=None, waits_until=None)
        job.items.filter(state=ItemState.PENDING).update(sealed="")
        JobFile.objects.filter(job=job).delete()
        _record(origin, Act.JOB_CANCELLED, job)
        if was == JobState.PAUSED:
            with suppress(KeyError):  # a kind that another release has left behind
                kind_of(job).finished(job)


def retry_failed(job: Job, origin: Origin) -> int:
    """Sends the failed items again. Returns how many there are."""
    require(job, origin)
    with _changing(job, JobState.RUNNING, JobState.PAUSED, JobState.DONE) as change:
        failed = job.items.filter(state=ItemState.FAILED).update(
            state=ItemState.PENDING, attempts=0, message="", problems=[], ended_at=None
        )
        if failed:
            change(JobState.RUNNING, finished_at=None, reason="")
            _record(origin, Act.JOB_RETRIED, job, sent={"items": failed})
    ring(job)
    return failed


def can_take_back(job: Job) -> bool:
    """Whether what the job did can be planned the other way round."""
    return job.state in (JobState.DONE, JobState.CANCELLED) and kind_of(job).undo(job) is not None


def take_back(job: Job, origin: Origin) -> Job:
    """Drafts a job that restores what was there before, for a person to approve."""
    require(job, origin)
    if not can_take_back(job):
        raise NotNow("This job cannot be taken back.")
    return draft(
        origin,
        job.connection,
        job.kind,
        f"Take back: {job.title}",
        parameters={**job.parameters, TAKES_BACK: job.key},
    )


def judge_unknown(job: Job, item_id: int, origin: Origin, *, was_done: bool) -> None:
    """A person says what became of an item of which the service cannot tell: it was done, or it is
    to be sent again."""
    require(job, origin)
    with _changing(job, JobState.RUNNING, JobState.PAUSED, JobState.DONE) as change:
        items = job.items.filter(pk=item_id, state=ItemState.UNKNOWN).exclude(ended_at=None)
        if was_done:
            judged = items.update(state=ItemState.DONE, message="Said to be done.", sealed="")
        else:
            judged = items.update(state=ItemState.PENDING, attempts=0, message="", ended_at=None)
            if judged:
                change(JobState.RUNNING, finished_at=None, reason="")
        if judged:
            sent = {"item": item_id, "was_done": was_done}
            _record(origin, Act.JOB_JUDGED, job, sent=sent)
    ring(job)


class _changing:  # noqa: N801 - reads as a verb
    """A change of a job's state, by one at a time, and only from some states."""

    def __init__(self, job: Job, *states: JobState) -> None:
        self._job = job
        self._states = states
        self._atomic = transaction.atomic()

    def __enter__(self) -> Callable[..., None]:
        self._atomic.__enter__()
        try:
            locked = Job.objects.select_for_update().get(pk=self._job.pk)
            self._job.state = locked.state
            if locked.state not in self._states:
                raise NotNow(f"The job is {JobState(locked.state).label.lower()} now.")
        except BaseException as error:
            self._atomic.__exit__(type(error), error, error.__traceback__)
            raise
        return self._change

    def __exit__(self, *exception: Any) -> None:
        self._atomic.__exit__(*exception)

    def _change(self, state: JobState, **told: object) -> None:
        Job.objects.filter(pk=self._job.pk).update(state=state, **told)
        self._job.state = state


def require(job: Job, origin: Origin) -> None:
    """Raises `Refused` where this person may not do what the job does, `NotNow` if nobody can."""
    role = origin.actor.role if origin.actor else ""
    try:
        needs = kind_of(job).needs(job)
    except KeyError:
        raise NotNow("This release of the portal does not know this kind of job.") from None
    for operation in needs:
        check(role, job.connection, operation)


def _record(origin: Origin, act: Act, job: Job, sent: dict[str, Any] | None = None) -> None:
    if job.kind in that_read():
        return
    record(
        origin, act, object_id=job.key, label=job.title, connection=job.connection, sent=sent or {}
    )
