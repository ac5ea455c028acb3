"""What becomes of items, by how their requests ended."""

import time
from collections.abc import Sequence

import structlog
from django.conf import settings
from django.utils import timezone

from portal.access.roles import Refused
from portal.client import ApiError, Throttled
from portal.contract.model import MASK
from portal.jobs.breaker import Breaker
from portal.jobs.crew import NotWritten, Result
from portal.jobs.failures import Meaning, is_final, meaning_of, passes, problems_of
from portal.jobs.kinds import Done, Kind, Refusal, Settled, Verdict
from portal.jobs.leases import LeaseLost
from portal.jobs.models import ItemState, JobItem

_ATTEMPTS = 5
_ASK_AFTER = 0.3
_ASK_AGAIN = 1.0
_log = structlog.get_logger(__name__)


class Outcomes:
    """Decides on results and changes their items accordingly; the caller stores them.

    `stop_reason` is set where no item can be carried out until a person has mended something.
    """

    def __init__(self, kind: Kind, breaker: Breaker) -> None:
        self._kind = kind
        self._breaker = breaker
        self.stop_reason = ""
        self._ask_from: dict[int, float] = {}
        self._firm_from: dict[int, float] = {}  # before, "not there" may mean "not there yet"

    def not_yet(self) -> set[int]:
        """Unknown items of which it is too early to ask."""
        now = time.monotonic()
        return {key for key, at in self._ask_from.items() if at > now}

    def decide(self, result: Result) -> None:
        """Raises what is no outcome, such as a lost lease."""
        items, error = result.piece.items, result.error
        if isinstance(error, LeaseLost):
            raise error
        if result.piece.settles:
            self._settled(items[0], result)
        elif error is None:
            self._breaker.success()
            self._done(items, result.value)
        elif isinstance(error, ApiError):
            self._failed_call(items, error)
        elif isinstance(error, Refused):
            self.stop_reason = f"“{error.operation.summary}” is not allowed any more."
            _back(items)
        elif isinstance(error, NotWritten):
            _back(items)
        elif isinstance(error, Refusal):
            for item in items:
                _fail(item, error.message, [list(each) for each in error.problems])
        else:
            self._stumbled(items, error)

    def _stumbled(self, items: Sequence[JobItem], error: BaseException) -> None:
        _log.error("job item failed", exc_info=error, kind=self._kind.name)
        for item in items:
            _fail(item, "The portal failed at this. The log of the worker says why.")

    def _done(self, items: Sequence[JobItem], value: Done | None) -> None:
        for item in items:
            if value is not None:
                item.object_id = value.object_id or item.object_id
            _end(item, ItemState.DONE, value.message if value else "")

    def _failed_call(self, items: Sequence[JobItem], error: ApiError) -> None:
        meaning = meaning_of(error)
        self._heed(error)
        if meaning is Meaning.STOP:
            self.stop_reason = error.message
            _back(items)
        elif meaning is Meaning.WAIT:
            _back(items, counted=_counts(error))
            _give_up(items, error)
        elif meaning is Meaning.UNKNOWN:
            for item in items:
                self._unknown(item, error)
        elif len(items) > 1:
            for item in items:  # one of them is refused: each is tried alone
                item.batch_key = ""
            _back(items)
        elif meaning is Meaning.TAKEN and items[0].attempts > 1:
            self._unknown(items[0], error)
        else:
            _fail(items[0], error.message, problems_of(error))

    def _heed(self, error: ApiError) -> None:
        if passes(error):
            self._breaker.trouble(error.message, getattr(error, "retry_after", None) or 0.0)
        else:
            self._breaker.success()

    def _unknown(self, item: JobItem, error: ApiError) -> None:
        now = time.monotonic()
        item.state = ItemState.UNKNOWN
        item.message = _without_secrets(item, error.message)
        item.problems = problems_of(error)
        self._ask_from[item.pk] = now + _ASK_AFTER
        self._firm_from[item.pk] = now if is_final(error) else now + settings.API_TIMEOUT

    def _settled(self, item: JobItem, result: Result) -> None:
        error = result.error
        if isinstance(error, ApiError):
            self._heed(error)
            self._unanswered(item, error)
        elif isinstance(error, Refused):
            self.stop_reason = f"“{error.operation.summary}” is not allowed any more."
        elif error is not None:
            _log.error("job item not settled", exc_info=error, kind=self._kind.name)
            _end(item, ItemState.UNKNOWN, "The portal failed at asking what became of this.")
        else:
            self._breaker.success()
            self._judged(item, result.value)

    def _unanswered(self, item: JobItem, error: ApiError) -> None:
        self._ask_from[item.pk] = time.monotonic() + _ASK_AGAIN
        if meaning_of(error) is Meaning.STOP:
            self.stop_reason = error.message
        elif not passes(error):
            _end(item, ItemState.UNKNOWN, error.message)

    def _judged(self, item: JobItem, settled: Settled) -> None:
        item.object_id = settled.object_id or item.object_id
        if settled.verdict is Verdict.DONE:
            _end(item, ItemState.DONE, settled.message)
        elif settled.verdict is Verdict.FAILED:
            _fail(item, settled.message)
        elif settled.verdict is Verdict.CANNOT_TELL:
            _end(item, ItemState.UNKNOWN, settled.message or item.message)
        elif time.monotonic() < self._firm_from.get(item.pk, 0.0) and not settled.object_id:
            self._ask_from[item.pk] = time.monotonic() + _ASK_AGAIN
        elif item.attempts >= _ATTEMPTS:
            _fail(item, item.message, item.problems)
        else:
            item.state, item.message, item.problems = ItemState.PENDING, "", []


def _counts(error: ApiError) -> bool:
    """Whether the service has tried, so that there is an end to attempts."""
    return not isinstance(error, Throttled) and getattr(error, "status", None) is not None


def _give_up(items: Sequence[JobItem], error: ApiError) -> None:
    for item in items:
        if item.attempts >= _ATTEMPTS:
            _fail(item, error.message, problems_of(error))


def _back(items: Sequence[JobItem], *, counted: bool = False) -> None:
    """Nothing happened: they wait for another attempt."""
    for item in items:
        item.state = ItemState.PENDING
        if not counted:
            item.attempts = max(item.attempts - 1, 0)


def _fail(item: JobItem, message: str, problems: Sequence[Sequence[str]] = ()) -> None:
    item.problems = [list(problem) for problem in problems]
    _end(item, ItemState.FAILED, message)


def _end(item: JobItem, state: ItemState, message: str) -> None:
    item.message = _without_secrets(item, message)
    item.state = state
    item.ended_at = timezone.now()
    if state == ItemState.DONE:
        item.sealed, item.problems = "", []


def _without_secrets(item: JobItem, text: str) -> str:
    for secret in item.secret.values():
        if isinstance(secret, str) and secret:
            text = text.replace(secret, MASK)
    return text
