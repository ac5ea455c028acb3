"""Single calls: carried out by a worker once they are approved, exactly as they were shown."""

import time
from collections.abc import Collection, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from portal.access import tokens
from portal.access.grants import Watch, scope_of
from portal.access.http import Origin
from portal.access.roles import RoleRefused
from portal.approvals import answers
from portal.approvals.models import ApprovalRequest, RequestKind, RequestState
from portal.approvals.services import losses, submitting
from portal.approvals.services.deciding import end
from portal.approvals.services.losses import Changed, compare
from portal.approvals.services.submitting import NoSuchCall, lease_length
from portal.approvals.subjects import ApprovalSubject
from portal.client import Api, ApiError, CallWithheld, ServerFault, Throttled, Unreachable
from portal.config import clock
from portal.config.celery import enqueue
from portal.connections.api import announce, caller_for
from portal.connections.calls import AuditedCaller, reason_of
from portal.connections.rate_limits import ONE_OF_MANY
from portal.contract import OPERATIONS
from portal.contract.operation import AnyOperation
from portal.translation.stored import in_english
from portal.work.leases import LeaseLost, release, release_soon, renew

_TRY_AGAIN = timedelta(seconds=30)


class CallSubject(ApprovalSubject):
    kind = RequestKind.CALL

    def supported(self) -> Q:
        return Q(operation__in=OPERATIONS)

    def supported_among(self, some: Sequence[ApprovalRequest]) -> Collection[int]:
        return {asked.pk for asked in some if asked.operation in OPERATIONS}

    def needs(self, asked: ApprovalRequest) -> Collection[AnyOperation]:
        operation = OPERATIONS.get(asked.operation)
        return [operation] if operation else []

    def approved(self, asked: ApprovalRequest, origin: Origin) -> bool:  # noqa: ARG002
        return False


def carry_out(asked: ApprovalRequest) -> None:
    """Carries an approved call out, in a worker that has leased the request.

    It is marked as being sent before anything leaves. If the worker dies then, the next worker
    makes that an unknown outcome: it is never sent again.
    """
    if asked.state == RequestState.SENDING:
        words = answers.UNKNOWN % {"words": answers.INTERRUPTED}
        _end(asked, RequestState.UNKNOWN, words)
        return
    if obstacle := _obstacle(asked):
        _end(asked, RequestState.FAILED, answers.NOT_SENT % {"words": obstacle})
        return
    try:
        _send(asked)
    except LeaseLost:
        return
    except CallWithheld:
        _try_again(asked)
    except Changed as changed:
        _end(asked, RequestState.FAILED, answers.REQUEST_AGAIN % {"words": changed})
    except NoSuchCall:  # fields of another release, which carries it out
        _try_again(asked)
    except tokens.TokenUnreadable as problem:
        _end(asked, RequestState.FAILED, answers.NOT_SENT % {"words": problem})
    except RoleRefused as refused:
        with in_english():
            what = refused.operation.summary
        words = answers.NOT_ALLOWED % {"what": what, "person": asked.requester}
        _end(asked, RequestState.FAILED, words)
    except ApiError as error:
        _failed(asked, error)


def _send(asked: ApprovalRequest) -> None:
    call = submitting.unseal(asked.sealed)
    caller = _caller(asked)
    api = Api(caller)
    compare(asked, call, api)
    scope = scope_of(asked.requester, asked.connection)
    stored_loss = losses.store_loss(asked, api, scope, call)
    if asked.undoes:
        caller = caller.undoing(asked.undoes)
    try:
        renew(asked, lease_length(), state=RequestState.SENDING)
        answer = caller(call)
    except Exception as error:
        if not (isinstance(error, ApiError) and error.may_have_happened):
            losses.drop_loss(asked, stored_loss)
        raise
    if stored_loss:
        ApprovalRequest.objects.filter(pk=asked.pk).update(loss={**asked.loss, "kept": stored_loss})
    _end(asked, RequestState.DONE)
    losses.bring_back(asked, stored_loss)
    announce(scope, api, call, answer)


def _failed(asked: ApprovalRequest, error: ApiError) -> None:
    words = reason_of(error, submitting.unseal(asked.sealed))
    if error.may_have_happened:
        _end(asked, RequestState.UNKNOWN, answers.UNKNOWN % {"words": words})
    elif isinstance(error, Throttled | ServerFault) or (
        isinstance(error, Unreachable) and error.reason not in ("address", "certificate")
    ):
        _try_again(asked, error.retry_after)
    else:
        _end(asked, RequestState.FAILED, words)


def _obstacle(asked: ApprovalRequest) -> str:
    """Returns why it must not be carried out any more, or an empty text."""
    if asked.holds_until is None or asked.holds_until <= clock.now():
        return answers.LATE
    if not asked.requester.is_active:
        return answers.DEACTIVATED % {"person": asked.requester}
    scope = scope_of(asked.requester, asked.connection)
    operation = OPERATIONS.get(asked.operation)
    if scope.is_nothing or (operation and not scope.may(operation)):
        return answers.MAY_NOT % {"person": asked.requester}
    return ""


def _caller(asked: ApprovalRequest) -> AuditedCaller:
    until = time.monotonic() + lease_length().total_seconds() / 2
    scope = scope_of(asked.requester, asked.connection)
    still_may = Watch(scope)

    def may_leave() -> None:
        if time.monotonic() > until:
            raise CallWithheld
        still_may()

    return caller_for(
        scope,
        asked.request_id,
        asked.ip,
        label=asked.object_label,
        may_leave=may_leave,
        retry_policy=ONE_OF_MANY,
        approved_by=asked.approver.email if asked.approver else "",
    )


def _end(asked: ApprovalRequest, state: RequestState, answer: str = "") -> None:
    """Ends a request under its lease; does nothing if another worker has it by now."""
    with transaction.atomic():
        locked = ApprovalRequest.objects.select_for_update().filter(pk=asked.pk, lease=asked.lease)
        if locked.exists():
            end(asked, state, answer)
            release(asked)
    enqueue("approvals.work_on", asked.pk)


def _try_again(asked: ApprovalRequest, seconds: float | None = None) -> None:
    """Leaves the call, which was not carried out, to a later try: not before the seconds that the
    service has named."""
    now = clock.now()
    later = now + _TRY_AGAIN
    if asked.holds_until:  # not long after it, that it is too late has to be said
        later = max(later, min(now + timedelta(seconds=seconds or 0.0), asked.holds_until))
    release_soon(asked, leased_until=later, state=RequestState.APPROVED)
