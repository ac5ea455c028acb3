"""Running a job: many requests in flight, their ends written in few transactions.

Only the thread that runs the job writes. Each turn of its loop is one transaction: it adds to the
audit trail, records results and claims the next items as `sending`. Only then do the claimed items
go to the worker pool. Nothing is written without the lease.
"""

import threading
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from structlog.contextvars import bound_contextvars

from portal.access.grants import AccessEnded, renewed
from portal.access.roles import RoleRefused
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.audit.chain import append
from portal.audit.guards import judge
from portal.audit.trail import write_waiting
from portal.client import Api, ApiError, CallWithheld
from portal.config import clock
from portal.config.database import update_rows
from portal.config.telemetry import span
from portal.connections.api import caller_for
from portal.connections.calls import check
from portal.connections.rate_limits import BACKGROUND, ONE_OF_MANY, closures_of, rate_limiter_of
from portal.contract.operation import Effect
from portal.jobs import leases, second_approval
from portal.jobs.breaker import Breaker, Speed
from portal.jobs.item_queue import ItemQueue
from portal.jobs.job_types import (
    BatchJobType,
    ItemVerdict,
    Resolution,
    following_names,
    job_type_of,
)
from portal.jobs.leases import LeaseLost, mark_unknown, release, renew
from portal.jobs.models import ItemState, Job, JobItem, JobState
from portal.jobs.outcomes import Outcomes, not_allowed
from portal.jobs.planning import filled_by_whole
from portal.jobs.row_errors import Unsupported, concerns_row, reference_of
from portal.jobs.workers import (
    InFlight,
    NotBegun,
    PendingWrite,
    Result,
    ResultQueue,
    WorkerPool,
    WorkUnit,
)
from portal.translation import gettext as _, speaking_to
from portal.translation.phrases import joined, remembered
from portal.work.leases import release_soon

stopping = threading.Event()  # set when the worker was asked to stop

_LEFT_FOR = timedelta(seconds=15)
_log = structlog.get_logger(__name__)
_TURN = 0.5  # seconds that a turn waits at most for a report
_RENEW_EVERY = 0.5  # seconds between two renewals of the lease, at which the job's state is read
_GATHER = 0.005  # seconds that a busy writer waits for more reports after the first
_TOGETHER = 0.2  # seconds in which decided items are gathered, to be written together
_WRITTEN = [
    "state",
    "object_id",
    "data",
    "batch_key",
    "problems",
    "message",
    "words",
    "attempts",
    "first_sent_at",
    "clock_ahead",
    "due_at",
    "in_flight_until",
    "ended_at",
]


def run(job: Job, seconds: float) -> bool:
    """Works on a leased job for about these seconds, in its owner's language, and releases it.

    Returns whether there is more to do, now or later.
    """
    with speaking_to(job.owner), remembered(), leases.logged(job), span(f"job {job.kind}"):
        try:
            job_type, scope = job_type_of(job), job.scope
            if words := _ended(job, scope):
                return _stop(job, words)
            for operation in job_type.needs(job):
                check(scope, operation)
            if second_approval.is_missing(job):
                words = _(
                    "It needs the approval of another administrator. Resume it to ask for that."
                )
                return _stop(job, words)
            return Run(job, scope, time.monotonic() + seconds).go()
        except LeaseLost:
            return False
        except RoleRefused as refused:
            return _stop(job, not_allowed(refused))
        except TokenUnreadable as problem:
            return _stop(job, str(problem))
        except (InterfaceError, OperationalError):
            # No request is under way: the next worker need not wait for the end of the lease.
            release_soon(job, released=lambda: leases.JOBS.wake(job.pk))
            raise
        except Unsupported as name:
            _log.warning("job left to another release", job=job.key, name=str(name))
            release(job, leased_until=clock.now() + _LEFT_FOR)
            return False


def _ended(job: Job, scope: Scope) -> str:
    """Returns why the owner's access does not allow the job any more; empty if it does."""
    if not job.owner.is_active:
        return _("The account that started this job is deactivated.")
    if scope.is_nothing:
        return ended_for(job)
    is_partial = job_type_of(job).fills_copies and scope.is_narrow
    return filled_by_whole(job) if is_partial else ""


def ended_for(job: Job) -> str:
    return _("%(owner)s, who started this job, no longer has access to the connection.") % {
        "owner": job.owner
    }


def _stop(job: Job, reason: str) -> bool:
    running = Job.objects.filter(pk=job.pk, state=JobState.RUNNING)
    job.remember(reason)
    running.update(
        state=JobState.PAUSED, reason=reason, words=job.words, waits_until=None, rate=None
    )
    release(job)
    return False


class Run:
    """Stretch of work of one worker on one job. Raises `LeaseLost`, `TokenUnreadable`."""

    def __init__(self, job: Job, scope: Scope, until: float) -> None:
        self._job = job
        self._until = until
        self._job_type = job_type_of(job)
        self._results = ResultQueue()
        self._in_flight = InFlight(self._share())
        self._closures = closures_of(job.connection)
        self._held_since = clock.now().timestamp()
        pacing = rate_limiter_of(job.connection)
        weights = {pacing.weight_of(each) for each in self._job_type.needs(job)}
        self._rate_limiters = {pacing.of(weight) for weight in weights}
        self._lease_until = time.monotonic() + settings.JOB_LEASE
        self._renewed_at = 0.0
        self._scope = scope
        self._refusal: CallWithheld | None = None  # why no request may leave any more
        self._caller = caller_for(
            scope,
            job.request_id,
            job.ip,
            ledger=self._results,
            may_leave=self._check_may_leave,
            in_flight=self._in_flight,
            # An item of a job that only reads makes many calls, and would repeat all of them.
            retry_policy=BACKGROUND if self._job_type.reads_only else ONE_OF_MANY,
            approved_by=job.approved_by,
        )
        self._pool = WorkerPool(self._in_flight, self._work, self._results)
        changes = [each for each in self._job_type.needs(job) if each.effect is not Effect.READ]
        self._breaker = Breaker(
            is_of_one_class=len(weights) < 2, is_of_one_operation=len(changes) < 2
        )
        wait = (job.waits_until - clock.now()).total_seconds() if job.waits_until else 0.0
        self._breaker.restored(job.openings, max(wait, 0.0), job.trouble)
        self._speed = Speed(job)
        self._outcomes = Outcomes(self._job_type, self._breaker)
        self._state: str = job.state
        self._queue = ItemQueue(job, self._job_type)
        self._decided: dict[int, JobItem] = {}  # items to be written, together with others
        self._decided_at = 0.0  # the first of them

    def go(self) -> bool:
        try:
            # The worker before may have sent items that are `sending`, or not.
            with transaction.atomic():
                renew(self._job, **self._measurements())
                mark_unknown(self._job, clock.now())
            while True:
                gather = _GATHER if self._pool.is_busy else 0.0
                units = self._turn(self._results.drain(self._patience(), gather))
                for unit in units:
                    self._pool.submit(unit)
                is_idle = not units and not self._pool.under_way
                if is_idle and (self._must_stop() or not self._queue.has_open()):
                    break
        except BaseException:
            self._results.close()
            self._pool.end()
            write_waiting()
            raise
        self._pool.end()
        return self._close()

    def _share(self) -> int:
        """Returns an equal share of the requests that one connection may have in flight."""
        others = Job.objects.filter(
            connection=self._job.connection,
            state=JobState.RUNNING,
            leased_until__gt=clock.now(),
        ).exclude(Q(pk=self._job.pk) | Q(kind__in=following_names()))
        return max(settings.JOB_THREADS // (others.count() + 1), 1)

    def _measurements(self) -> dict[str, object]:
        is_busy = self._pool.under_way > 0
        next_due = None if is_busy else self._queue.next_due
        return self._speed.measurements(self._rate_limiters, self._breaker, next_due)

    def _check_may_leave(self) -> None:
        """Withholds a request that would not be over before another worker may lease the job, or
        that waited for its turn until the job began to wait for the service."""
        if self._breaker.seconds_left > 0:
            raise NotBegun
        if time.monotonic() + settings.API_TIMEOUT > self._lease_until:
            raise LeaseLost
        if self._refusal:
            raise self._refusal
        if not self._scope.is_owner:
            self._results.may_leave()

    def _turn(self, values: Sequence[PendingWrite | Result]) -> list[WorkUnit]:
        """Writes results and claims the next items, in one transaction."""
        written = [each for each in values if isinstance(each, PendingWrite)]
        results = [each for each in values if isinstance(each, Result)]
        self._pool.under_way -= len(results)
        try:
            with transaction.atomic():
                self._renew_lease()
                if self._refusal:
                    written = self._refuse(written)
                entries = [each.entry for each in written if each.entry is not None]
                if entries:
                    judge(*entries)
                    append(*entries)
                self._record(written, results)
                room = self._breaker.room(self._pool.room, self._pool.under_way)
                units = self._queue.claim(0 if self._must_stop() else room)
        except BaseException:
            for each in written:
                each.give_up()
            raise
        for each in written:
            each.committed.set_result(None)
        return units

    def _renew_lease(self) -> None:
        """Renews the lease every `_RENEW_EVERY` seconds; in between, no other worker can have it. A
        colleague of the connection's owner may lose access at any time."""
        now = time.monotonic()
        if not self._scope.is_owner:
            self._check_grant()
        if now < self._renewed_at + _RENEW_EVERY:
            return
        if self._breaker.seconds_left > 0 and self._closures.opened_at() > self._held_since:
            self._held_since = clock.now().timestamp()
            self._breaker.reopen()
        self._check_grant()
        if now > self._lease_until:
            raise LeaseLost
        renew(self._job, **self._measurements())
        self._state = Job.objects.values_list("state", flat=True).get(pk=self._job.pk)
        self._lease_until = now + settings.JOB_LEASE
        self._renewed_at = now
        self._in_flight.resize(self._share())

    def _check_grant(self) -> None:
        """Pauses the job if its scope has ended. If the scope has changed, this stretch of work
        ends, and the next one goes by the new scope."""
        result = renewed(self._scope)
        if result is None and not self._outcomes.stop_reason:
            self._refusal = AccessEnded()
            self._outcomes.stop_reason = ended_for(self._job)
        elif result != self._scope:
            self._refusal = self._refusal or NotBegun(_("Access to the connection has changed."))
            self._until = 0.0

    def _refuse(self, written: Iterable[PendingWrite]) -> list[PendingWrite]:
        """Withholds all requests. Returns the records of ends and of ids, still to be written."""
        others = []
        for each in written:
            if each.leads_to_request:
                each.committed.set_exception(self._refusal)
            else:
                others.append(each)
        return others

    def _record(self, written: Iterable[PendingWrite], results: Sequence[Result]) -> None:
        items = {each.item.pk: each.item for each in written if each.item is not None}
        if results and not self._decided:
            self._decided_at = time.monotonic()
        for result in results:
            self._queue.answered(result.unit)
            self._outcomes.decide(result)
            self._decided |= {item.pk: item for item in result.unit.items}
        if self._must_write(results):
            items |= self._decided
            self._decided = {}
        if not items:
            return
        update_rows(items.values(), _WRITTEN)
        self._queue.written(items.values())
        ended = [item for item in items.values() if item.ended_at is not None]
        self._speed.count(len(ended))
        leases.items_ended(self._job, ended)
        done = [item for item in ended if item.state == ItemState.DONE]
        # Secrets are written at no other time: a change of keys may have encrypted them again in
        # between. Secrets that can still be exported stay.
        spent = [item for item in done if item.sealed and not self._job_type.gave(item)]
        if spent:
            JobItem.objects.filter(pk__in=[item.pk for item in spent]).update(sealed="")
        for item in spent:
            item.sealed = ""
        if done:
            self._tell_ended(done)
        if self._outcomes.stop_reason:
            self._job.remember(self._outcomes.stop_reason)
            running = Job.objects.filter(pk=self._job.pk, state=JobState.RUNNING)
            running.update(
                state=JobState.PAUSED,
                reason=self._outcomes.stop_reason,
                words=self._job.words,
                signed_out=self._outcomes.signed_out,
            )

    def _tell_ended(self, done: list[JobItem]) -> None:
        """Tells the job type what was done. Rows that it cannot take in are done all the same."""
        try:
            with transaction.atomic():
                self._job_type.ended(self._job, done)
        except Exception as error:
            if not concerns_row(error):
                raise
            if len(done) > 1:
                for item in done:
                    self._tell_ended([item])
                return
            reference = reference_of(self._job, done[0].number)
            _log.error("job item not taken in", exc_info=error, reference=reference)

    def _tell_finished(self) -> None:
        try:
            with transaction.atomic():
                self._job_type.finished(self._job)
        except Exception as error:
            if not concerns_row(error):
                raise
            _log.error("job not taken in", exc_info=error, reference=reference_of(self._job))

    def _must_write(self, results: Sequence[Result]) -> bool:
        """Returns whether the results cannot wait for others that are written with them.

        A write costs nearly the same for one item and for many. Until then items are `sending`.
        """
        is_late = time.monotonic() >= self._decided_at + _TOGETHER or not self._pool.under_way
        is_resolved = any(result.unit.resolves for result in results)
        return is_late or is_resolved or bool(self._outcomes.stop_reason)

    def _must_stop(self) -> bool:
        is_over = stopping.is_set() or time.monotonic() > self._until
        return is_over or bool(self._outcomes.stop_reason) or self._state != JobState.RUNNING

    def _patience(self) -> float:
        """Returns the seconds that the next turn may wait for a report."""
        if self._breaker.seconds_left > 0:
            seconds = min(_TURN, self._breaker.seconds_left)
        elif self._queue.next_due is not None:
            seconds = min(_TURN, max(self._queue.next_due - time.monotonic(), 0.0))
        else:
            seconds = _TURN if self._pool.under_way else 0.0
        if not self._decided:
            return seconds
        return min(seconds, max(self._decided_at + _TOGETHER - time.monotonic(), 0.0))

    def _close(self) -> bool:
        """Releases the job, and ends it if nothing is left. Returns whether there is more to do."""
        with transaction.atomic():
            current = Job.objects.select_for_update().get(pk=self._job.pk)
            if current.lease != self._job.lease:
                raise LeaseLost
            data: dict[str, object] = {
                "rate": None,
                "waits_until": None,
                "trouble": "",
                "openings": 0,
            }
            goes_on = current.state in (JobState.RUNNING, JobState.PAUSED)
            is_done = goes_on and not self._queue.has_open()
            if is_done:
                data |= {"state": JobState.DONE, "reason": "", "finished_at": clock.now()}
            elif current.state == JobState.RUNNING:
                # Items that wait for their own time hold back no others of the next worker.
                self._queue.next_due = None
                data = self._measurements()
            release(self._job, **data)
            if is_done or current.state == JobState.CANCELLED:
                self._tell_finished()
            if is_done:
                leases.ENDED.add(self._job.kind)
            return current.state == JobState.RUNNING and not is_done

    def _work(self, unit: WorkUnit) -> object:
        """Carries out a unit in a thread of the pool."""
        if self._breaker.seconds_left > 0:
            raise NotBegun
        try:
            item = bound_contextvars(item=unit.items[0].number)
            with speaking_to(self._job.owner), remembered(), item:
                value = self._carry_out(unit)
        except ApiError as error:
            self._breaker.record(error)
            raise
        self._breaker.record(None)
        return value

    def _carry_out(self, unit: WorkUnit) -> object:
        item = unit.items[0]
        if unit.resolves:
            caller = self._caller.about(item.label)
            resolution = self._job_type.resolve(Api(caller), item)
            if resolution.verdict is ItemVerdict.NOT_SEEN and caller.unread.in_words:
                # One of the objects that could not be read may be it: sent again, it would be two.
                words = joined(" ", *caller.unread.in_words)
                return Resolution(ItemVerdict.UNCERTAIN, message=words)
            return resolution
        if isinstance(self._job_type, BatchJobType) and len(unit.items) > 1:
            label = f"{len(unit.items)} {self._job_type.noun[1]}"
            return self._job_type.carry_out_together(Api(self._caller.about(label)), unit.items)
        item.keeper = self._results.reached
        return self._job_type.carry_out(Api(self._caller.about(item.label)), item)
