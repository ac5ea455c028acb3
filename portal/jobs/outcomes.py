"""Decides the state of items by the ends of their requests."""

import random
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError

from portal.access.roles import RoleRefused
from portal.access.tokens import TokenUnreadable
from portal.client import ApiError, CallWithheld, NotFound, Throttled, backoff
from portal.config import clock
from portal.contract.model import MASK
from portal.jobs.breaker import (
    Breaker,
    FailureMeaning,
    is_final,
    is_signed_out,
    meaning_of,
    passes,
    problems_of,
)
from portal.jobs.job_types import (
    Done,
    ItemRefusal,
    ItemVerdict,
    JobType,
    NotEndedYet,
    Resolution,
    Uncertain,
)
from portal.jobs.leases import LeaseLost
from portal.jobs.models import ItemState, JobItem
from portal.jobs.row_errors import fault_of_outcome, fault_of_row
from portal.jobs.workers import NotWritten, Result
from portal.translation import gettext as _, gettext_lazy

UNREADABLE = gettext_lazy(
    "A secret of this row was encrypted with a key that TOKEN_KEYS no longer lists. "
    "Restore the key and retry the row, or upload the file again."
)
# A lone failure passes soon, and a job ends no earlier than its last row. If more than single
# calls fail, the growing waits and the job's circuit breaker spare the service.
_ATTEMPTS = 7
_FIRST_WAIT = 0.1
_LONGEST_WAIT = 30.0
_RETRY_RESOLVE = 0.3  # until the outcome is asked for again that the service did not report
_RECHECK = 1.0  # the same while the request may still be under way
# Wait for a limit of one user, if the service does not say how long it lasts.
_NO_TIME_NAMED = 300.0
# Attempts while the service fails everywhere do not count for the item, for so long.
_FORGIVEN_FOR = timedelta(hours=1)
_log = structlog.get_logger(__name__)


class Outcomes:
    """Decisions on results: items are changed here, and the caller stores them.

    `stop_reason` is set if no item can be carried out until a person has fixed something, and
    `signed_out` if that is the credentials of the connection.
    """

    def __init__(self, job_type: JobType, breaker: Breaker) -> None:
        self._job_type = job_type
        self._breaker = breaker
        self.stop_reason = ""
        self.signed_out = False

    def decide(self, result: Result) -> None:
        """Raises an error that is no outcome: a lost lease."""
        try:
            self._decide(result)
        except (LeaseLost, DatabaseError, InterfaceError):
            raise
        except Exception as error:  # in the words of the job type: its row fails, its job goes on
            self._faulty(result.unit.items, error)

    def _decide(self, result: Result) -> None:
        items, error = result.unit.items, result.error
        if isinstance(error, LeaseLost):
            raise error
        if isinstance(error, CallWithheld | NotWritten):
            _back(item for item in items if item.state == ItemState.SENDING)
        elif result.unit.resolves:
            self._resolved(items[0], result)
        elif error is None:
            self._done(items, result.value)
        elif isinstance(error, ApiError):
            self._failed_call(items, error)
        elif isinstance(error, RoleRefused):
            self.stop_reason = not_allowed(error)
            _back(items)
        elif isinstance(error, TokenUnreadable):  # of a secret to be sent: nothing was sent
            if len(items) > 1:
                _each_alone(items)
            else:
                _fail(items[0], UNREADABLE)
        else:
            self._raised(items, error)

    def _stop(self, error: ApiError) -> None:
        self.stop_reason = error.message
        self.signed_out = is_signed_out(error)

    def _raised(self, items: Sequence[JobItem], error: BaseException) -> None:
        """Ends items by an exception of their job type: a verdict, or a fault of the program."""
        if isinstance(error, NotEndedYet):
            _back(items)
            for item in items:
                item.message, item.due_at = error.message, _in(error.seconds)
                item.remember(item.message)
        elif isinstance(error, Uncertain):
            for item in items:
                _end(item, ItemState.UNKNOWN, str(error))
        elif isinstance(error, ItemRefusal):
            for item in items:
                _fail(item, error.message, [list(each) for each in error.problems])
        else:
            self._faulty(items, error)

    def _faulty(self, items: Sequence[JobItem], error: BaseException) -> None:
        """Ends items by a fault of the program."""
        for item in items:
            _log.error("job item failed", exc_info=error, **self._named(item))
            _fail(item, fault_of_row(item.job, item.number))

    def _named(self, item: JobItem) -> dict[str, object]:
        return {"job": item.job.key, "kind": self._job_type.name, "row": item.number}

    def _done(self, items: Sequence[JobItem], value: Done | None) -> None:
        for item in items:
            if value is not None:
                item.object_id, item.value = value.object_id or item.object_id, value.value
            message = value.message if value else ""
            _end(item, ItemState.DONE, message or item.data.get("left", ""))

    def _failed_call(self, items: Sequence[JobItem], error: ApiError) -> None:
        meaning = meaning_of(error)
        if meaning is FailureMeaning.STOP:
            self._stop(error)
            _back(items)
        elif meaning is FailureMeaning.WAIT:
            for item in items:
                self._later(item, error)
        elif meaning is FailureMeaning.UNKNOWN:
            for item in items:
                self._unknown(item, error)
        elif len(items) > 1:
            _each_alone(items)
        elif _was_removed(items[0], error):
            self._done(items, None)
        elif meaning is FailureMeaning.EXISTS and items[0].attempts > 1:
            self._unknown(items[0], error)
        else:
            refused = [self._job_type.refused(items[0], *each) for each in problems_of(error)]
            _fail(items[0], error.message, refused)

    def _later(self, item: JobItem, error: ApiError) -> None:
        """Lets an item that was not carried out wait for another attempt, while others go on."""
        _back([item], counted=self._counts(item, error))
        item.due_at = _in(backoff(item.attempts, _FIRST_WAIT, _LONGEST_WAIT))
        if self._breaker.concerns_rows(error):
            item.message = _without_secrets(item, error.message)
            item.remember(item.message)
            item.due_at = _in(error.retry_after or _NO_TIME_NAMED)
        if item.attempts >= _ATTEMPTS:
            _fail(item, error.message, problems_of(error))

    def _counts(self, item: JobItem, error: ApiError) -> bool:
        """Returns whether the attempt counts for the item, as the service has worked on it."""
        if isinstance(error, Throttled) or error.status is None:
            return False
        since = item.first_sent_at
        return not self._breaker.is_open or bool(since and since < _in(0) - _FORGIVEN_FOR)

    def _unknown(self, item: JobItem, error: ApiError) -> None:
        item.state = ItemState.UNKNOWN
        item.message = _without_secrets(item, error.message)
        item.problems = problems_of(error)
        item.remember(item.message)
        item.due_at = _in(backoff(item.attempts, _FIRST_WAIT, _LONGEST_WAIT))
        item.in_flight_until = _in(0.0 if is_final(error) else settings.API_TIMEOUT)

    def _resolved(self, item: JobItem, result: Result) -> None:
        error = result.error
        if isinstance(error, ApiError):
            self._unanswered(item, error)
        elif isinstance(error, RoleRefused):
            self.stop_reason = not_allowed(error)
        elif error is not None:
            _log.error("job item not resolved", exc_info=error, **self._named(item))
            _end(item, ItemState.UNKNOWN, fault_of_outcome(item.job, item.number))
        else:
            self._judged(item, result.value)

    def _unanswered(self, item: JobItem, error: ApiError) -> None:
        item.due_at = _in(_RETRY_RESOLVE * random.uniform(0.7, 1.3))  # noqa: S311
        if meaning_of(error) is FailureMeaning.STOP:
            self._stop(error)
        elif not passes(error):
            _end(item, ItemState.UNKNOWN, error.message)

    def _judged(self, item: JobItem, resolution: Resolution) -> None:
        item.object_id, item.value = resolution.object_id or item.object_id, resolution.value
        if resolution.verdict is ItemVerdict.DONE:
            _end(item, ItemState.DONE, resolution.message)
        elif resolution.verdict is ItemVerdict.FAILED:
            _fail(item, resolution.message)
        elif resolution.verdict is ItemVerdict.UNCERTAIN:
            _end(item, ItemState.UNKNOWN, resolution.message or item.message)
        elif resolution.verdict is ItemVerdict.NOT_SEEN and (
            item.in_flight_until is not None and clock.now() < item.in_flight_until
        ):
            item.due_at = _in(_RECHECK)
        elif item.attempts >= _ATTEMPTS:
            _fail(item, item.message, item.problems)
        else:
            item.state, item.message, item.problems = ItemState.PENDING, "", []
            item.due_at = None


def _in(seconds: float) -> datetime:
    return clock.now() + timedelta(seconds=seconds)


def not_allowed(refused: RoleRefused) -> str:
    return _("“%(summary)s” is no longer allowed.") % {"summary": refused.operation.summary}


def _was_removed(item: JobItem, error: ApiError) -> bool:
    """Returns whether an earlier attempt without an answer has removed the object."""
    is_gone = isinstance(error, NotFound) and error.operation.method == "DELETE"
    return is_gone and item.in_flight_until is not None


def _each_alone(items: Sequence[JobItem]) -> None:
    """Separates the items of a refused batch: none of them was carried out."""
    for item in items:
        item.batch_key = ""
    _back(items)


def _back(items: Iterable[JobItem], *, counted: bool = False) -> None:
    """Returns items that were not carried out to the queue, for another attempt."""
    for item in items:
        item.state = ItemState.PENDING
        if not counted:
            item.attempts = max(item.attempts - 1, 0)
        if not item.attempts and item.in_flight_until is None:
            item.first_sent_at = item.clock_ahead = None


def _fail(item: JobItem, message: str, problems: Sequence[Sequence[str]] = ()) -> None:
    item.problems = [[str(value) for value in problem] for problem in problems]
    item.remember(*chain(*item.problems))
    _end(item, ItemState.FAILED, message)


def _end(item: JobItem, state: ItemState, message: str) -> None:
    item.message = _without_secrets(item, item.phrase(str(message)))
    item.remember(item.message)
    item.state = state
    item.ended_at = clock.now()
    if state == ItemState.DONE:
        item.problems = []


def _without_secrets(item: JobItem, text: str) -> str:
    try:
        secrets = item.secret.values()
    except TokenUnreadable:
        return UNREADABLE if text else ""  # it may contain the secret that cannot be read
    for secret in secrets:
        if isinstance(secret, str) and secret and secret in text:
            text = text.replace(secret, MASK)
    return text
