"""Executes calls: request, retries, answer, error."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import count
from typing import Literal, Protocol, TypeVar, cast

import structlog

from portal.client import limits, messages
from portal.client.answers import understand
from portal.client.errors import (
    Answered,
    ApiError,
    NotAvailable,
    NotFound,
    OutcomeUnknown,
    Throttled,
    TimedOut,
    Unauthorized,
    Unexpected,
    Unreachable,
)
from portal.client.limits import Quota, Reach, is_of_a_day, quota_of
from portal.client.paging import walk
from portal.client.rate_limiter import Pacing, RateLimiter
from portal.client.retry_policy import REPEATABLE, RetryPolicy
from portal.client.secret import Secret
from portal.client.token_endpoint import NotIssued, Tokens
from portal.client.transport import Answer, ExchangeFailed, Target, send
from portal.contract.operation import AnyOperation, Call, Weight
from portal.contract.words import Message

R = TypeVar("R")
_USUAL = RetryPolicy()
_UNBOUNDED = nullcontext()
CLOSES_CLASS = 60.0  # seconds: a longer wait closes something, a shorter one is about the rate
_WORTH_SAYING = 2.0  # seconds
_log = structlog.get_logger("portal.client")


class CallWithheld(Exception):
    """Raised by `may_leave` to end a call before anything is sent."""


@dataclass
class CallEnd:
    """The end of a call: with an `error`, or without one. Of its `attempts` to send it, the service
    refused `refusals` for their number."""

    operation: str
    error: ApiError | None = None
    seconds: float = 0.0
    attempts: int = 0
    refusals: int = 0
    # Seconds to the answer to the last attempt, without waiting for its turn.
    answered_in: float = 0.0


class Closures(Protocol):
    """Operations that the service accepts none of for a while: whole classes, and single operations
    on what their path names first."""

    def held(self, call: Call[object]) -> tuple[float, str]:
        """Returns for how many seconds more this operation is held, and the service's words."""
        ...

    def hold(self, call: Call[object], seconds: float, words: str) -> None:
        """Holds this operation on its object or person."""
        ...

    def waits(self, seconds: float, words: str) -> None:
        """Says that a call waits so long, since the service has refused it for now."""
        ...

    def closed(self, weight: Weight) -> tuple[float, str]:
        """Returns for how many seconds more, and the service's words; 0 for an open class."""
        ...

    def close(self, weight: Weight, seconds: float, words: str, *, of_day: bool) -> None:
        """Closes a class; what shares its limit `of_day` as well, where it is that."""
        ...

    def count(self, weight: Weight) -> float:
        """Counts a call that is about to leave against the limit of the day. Returns 0, or for how
        many seconds it is used up."""
        ...

    def heard(self, weight: Weight, quota: Quota) -> None:
        """Heeds a limit of a day that an answer describes."""
        ...


class HttpCaller:
    """Carries calls out over HTTP. `on_end` gets every call's outcome, and what it took.

    Every attempt goes to the `target` of that moment and passes the rate limiter of its class,
    those for a person who waits (`urgent`) before others.
    Just before each leaves, `may_leave` is called, and what it raises ends the call. From its
    first attempt to its last a call is within `in_flight`. With `tokens` the target's own is not
    sent, but theirs, and where one is refused or lacks a scope the call is made once more with
    another. A refusal that names a wait of more than a minute goes to the `closures`, and holds
    back what it is about.
    """

    def __init__(
        self,
        target: Callable[[], Target],
        retry_policy: RetryPolicy = _USUAL,
        rate_limiter: Pacing | None = None,
        *,
        urgent: bool = True,
        may_leave: Callable[[], None] | None = None,
        in_flight: AbstractContextManager[object] = _UNBOUNDED,
        on_end: Callable[[CallEnd], None] | None = None,
        tokens: Tokens | None = None,
        closures: Closures | None = None,
    ) -> None:
        self._target = target
        self._tokens = tokens
        self._closures = closures
        self._retry_policy = retry_policy
        self._rate_limiter = rate_limiter
        self._urgent = urgent
        self._may_leave = may_leave or (lambda: None)
        self._in_flight = in_flight
        self._on_end = on_end or (lambda _end: None)

    def __call__(self, call: Call[R]) -> R:
        end = CallEnd(call.operation.name)
        with self._in_flight:
            started = self._retry_policy.clock()
            outcome = self._try(call, started, end)
        # The error is raised outside the handler, so that it drags no lower exception along.
        end.error = error = outcome if isinstance(outcome, ApiError) else None
        end.seconds = self._retry_policy.clock() - started
        _log.info(
            "call",
            operation=call.operation.name,
            status=error.status if error else call.operation.status,
            failure=type(error).__name__ if error else None,
            tracking_id=error.tracking_id if isinstance(error, Answered) else None,
            ms=round(end.seconds * 1000),
        )
        self._on_end(end)
        if error:
            raise error
        return cast(R, outcome)

    def pages(self, call: Call[R]) -> Iterator[R]:
        """Each page of a list, to its end; see `portal.client.paging`."""
        return walk(self, call)

    def _try(self, call: Call[R], started: float, end: CallEnd) -> R | ApiError:
        is_open = False
        for attempt in count(1):
            outcome = self._signed_in(call, started, end)
            if not isinstance(outcome, ApiError):
                break
            if is_open and isinstance(outcome, NotFound) and call.operation.method == "DELETE":
                return cast(R, None)  # the attempt before, which broke off, removed it
            outcome.may_have_happened |= is_open
            is_open = outcome.may_have_happened
            if outcome.reason == "own_limit" or not self._retry_policy.wait(
                attempt, started, outcome
            ):
                break
        return outcome

    def _signed_in(self, call: Call[R], started: float, end: CallEnd) -> R | ApiError:
        """Sends it, and once more with another token where the service refuses the one."""
        if self._tokens is None:
            return self._paced(call, self._target, started, end)
        used: list[Secret] = []

        def target() -> Target:
            used.append(other or tokens.current())
            return replace(self._target(), token=used[-1])

        tokens, other = self._tokens, None
        try:
            outcome = self._paced(call, target, started, end)
            other = _other_token(tokens, used[-1], outcome) if used else None
            if other is not None:
                outcome = self._paced(call, target, started, end)
        except NotIssued as failure:
            outcome = _not_signed_in(call.operation, failure)
        if isinstance(outcome, ApiError):
            outcome.renews = True
        return outcome

    def _paced(
        self, call: Call[R], target: Callable[[], Target], started: float, end: CallEnd
    ) -> R | ApiError:
        """Sends it in its turn, to the target as it is then."""
        if self._rate_limiter is None:
            return self._timed(call, target(), end)
        weight = self._rate_limiter.weight_of(call.operation)
        limiter = self._rate_limiter.of(weight)
        refusal = self._held_back(call, weight, limiter, started)
        if refusal:
            return refusal
        outcome = self._timed(call, target(), end)
        if isinstance(outcome, Throttled):
            end.refusals += 1
            wait = outcome.retry_after or 0.0
            if self._closures and wait > CLOSES_CLASS:
                self._close(call, outcome, wait)
                return outcome
            if not (outcome.is_narrow and wait):
                limiter.refused(end.answered_in, outcome.retry_after)
                if self._closures and limiter.closed_for > _WORTH_SAYING:
                    self._closures.waits(limiter.closed_for, outcome.message)
                return outcome
        if not isinstance(outcome, ApiError) or (outcome.status or 500) < 500:
            limiter.accepted(end.answered_in)
        return outcome

    def _timed(self, call: Call[R], target: Target, end: CallEnd) -> R | ApiError:
        end.attempts += 1
        left_at = self._retry_policy.clock()
        outcome = self._once(call, target)
        end.answered_in = self._retry_policy.clock() - left_at
        return outcome

    def _held_back(
        self, call: Call[object], weight: Weight, limiter: RateLimiter, started: float
    ) -> Throttled | None:
        """Returns why a call may not leave; None once it is its turn."""
        if self._closures:
            seconds, words = self._closures.held(call)
            if seconds > 0:
                return _throttled(call, words, seconds, "operation")
            seconds, words = self._closures.closed(weight)
            if seconds > 0:
                return _throttled(call, words or Message(messages.DAY_USED_UP), seconds)
            if limiter.closed_for > _WORTH_SAYING:
                self._closures.waits(limiter.closed_for, "")
        wait = limiter.acquire(self._retry_policy.left(started), urgent=self._urgent)
        if wait > 0:
            return _throttled(call, Message(messages.LIMIT_USED_UP), wait)
        if self._closures and (over := self._closures.count(weight)):
            return _throttled(call, Message(messages.DAY_USED_UP), over)
        return None

    def _close(self, call: Call[object], refusal: Throttled, seconds: float) -> None:
        """Has nothing sent that the refusal holds back."""
        if self._closures is None or self._rate_limiter is None:
            return
        if refusal.reach == "operation":
            self._closures.hold(call, seconds, refusal.message)
        elif refusal.reach == "class":
            # Other classes have other limits. The service may just have named another class.
            weight = self._rate_limiter.weight_of(call.operation)
            of_day = is_of_a_day(refusal.message, refusal.quota)
            self._closures.close(weight, seconds, refusal.message, of_day=of_day)

    def _once(self, call: Call[R], target: Target) -> R | ApiError:
        operation = call.operation
        self._may_leave()
        try:
            answer = self._send(call, target)
        except ExchangeFailed as failure:
            return _unanswered(operation, failure)
        quota = quota_of(answer.headers, target.token)
        if quota and self._rate_limiter:  # whatever else the answer is
            self._rate_limiter.heard(operation, quota)
            if self._closures and quota.unit == "day":
                self._closures.heard(self._rate_limiter.weight_of(operation), quota)
        return understand(call, answer, target.token)

    def _send(self, call: Call[object], target: Target) -> Answer:
        body = call.body
        files = json = None
        if body is not None and body.content_type == "multipart/form-data":
            files = {
                name: ("picture.jpg", content, "image/jpeg")
                for name, content in body.model_dump().items()
            }
        elif body is not None:
            json = target.dialect.sent(call.operation, body.sent())
        sent = time.time()
        answer = send(
            target,
            call.operation.method,
            target.dialect.path_of(call),
            parameters=target.dialect.parameters(call),
            json=json,
            files=files,
        )
        date = answer.headers.get("Date", "")  # untranslated: a header
        limits.learn(target.base_url, sent, time.time(), date)
        return replace(answer, content=target.dialect.received(call.operation, answer.content))


def _other_token(tokens: Tokens, used: Secret, outcome: object) -> Secret | None:
    """Returns a token that may be accepted for what this one was refused for."""
    if isinstance(outcome, Unauthorized) and outcome.is_of_token:
        return tokens.instead_of(used)
    if isinstance(outcome, NotAvailable) and outcome.lack == "scope":
        return tokens.newer_than(used)
    return None


def _unanswered(operation: AnyOperation, failure: ExchangeFailed) -> ApiError:
    message, reason = failure.args[0], failure.reason
    if reason == "unreadable":
        return Unexpected(operation, message, status=failure.status)
    # What may be sent twice leaves no doubt: it is tried again, by the caller or by a person.
    if reason in ("timeout", "broken") and operation.method not in REPEATABLE:
        return OutcomeUnknown(operation, message, reason=reason)
    kind = TimedOut if reason == "timeout" else Unreachable
    return kind(operation, message, reason=reason)


def _throttled(
    call: Call[object], words: str | Message, seconds: float, reach: Reach = "class"
) -> Throttled:
    """The refusal of a call that was not sent."""
    status = HTTPStatus.TOO_MANY_REQUESTS
    error = Throttled(call.operation, words, status=status, retry_after=seconds, reason="own_limit")
    error.reach, error.names_object = reach, bool(call.ids)
    return error


def _not_signed_in(operation: AnyOperation, failure: NotIssued) -> ApiError:
    words = Message(messages.TOKEN_REFUSED, words=failure.args[0])
    error: ApiError
    if failure.reason == "refused":
        error = Unauthorized(operation, words, status=HTTPStatus.UNAUTHORIZED)
    else:
        reason: Literal["address", "certificate", "connect"] = (
            "connect" if failure.reason == "timeout" else failure.reason
        )
        error = Unreachable(operation, words, reason=reason)
    error.is_sign_in = True
    return error
