"""Failures in words: what happened, why if it is known, and what to do."""

from dataclasses import dataclass, replace
from typing import overload

from portal.access.audit.guards import Protected
from portal.access.roles import Refused
from portal.client import (
    AddressRefused,
    Answered,
    ApiError,
    Conflict,
    Invalid,
    NotFound,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unauthorized,
    Unreachable,
)
from portal.config.request_log import request_id
from portal.contract.path import NotAnId

_MAY_HAVE_HAPPENED = "The change may have been made. Check before you try again."
_NOTHING_CHANGED = "Nothing was changed."


@dataclass(frozen=True)
class Fault:
    """A failure as a person reads it.

    `status` is what the portal answers with; `retry` says that the same may work later, `renew`
    that the connection's address or token is what to look at. `wait` is in seconds.
    """

    title: str
    text: str
    status: int = 502
    retry: bool = False
    renew: bool = False
    wait: int | None = None
    request_id: str = ""


@overload
def explain(error: ApiError) -> Fault: ...
@overload
def explain(error: Exception) -> Fault | None: ...
def explain(error: Exception) -> Fault | None:
    """The failure in words, or `None` for one that is not of the service or of its access."""
    if isinstance(error, ApiError):
        fault = _of_the_service(error)
    elif isinstance(error, Refused):
        fault = _refused(error)
    elif isinstance(error, NotAnId):
        fault = Fault("Page not found", str(error), 404)
    elif isinstance(error, AddressRefused):
        fault = Fault("This connection's address is not allowed", str(error), 403, renew=True)
    else:
        return None
    return replace(fault, request_id=request_id())


def cause_of(error: ApiError) -> str:
    """Why a call failed, in one sentence, for a page that says itself what to do."""
    if isinstance(error, ServerFault):
        return f"The service failed with status {error.status}."
    return error.message


def _refused(error: Refused) -> Fault:
    what = error.operation.summary
    if error.reason == "read_only":
        return Fault(
            "This connection is read-only",
            f"“{what}” would change the account. You can allow changes on the connection's page.",
            403,
        )
    return Fault(
        "You do not have permission to do this",
        f"“{what}” requires a different role. Ask an administrator of the portal to change yours.",
        403,
    )


def _of_the_service(error: ApiError) -> Fault:
    if isinstance(error, Answered):
        return _answered(error)
    if isinstance(error, Protected):
        return Fault("This is protected", f"{error.message} {_NOTHING_CHANGED}", 409)
    wrote = error.operation.method != "GET"
    perhaps = error.may_have_happened
    if isinstance(error, OutcomeUnknown):
        return Fault(
            "The result is unknown",
            f"{error.message} The request was sent and may have been completed. Check before you "
            "try again.",
        )
    if isinstance(error, TimedOut):
        after = _MAY_HAVE_HAPPENED if perhaps else "Try again in a moment."
        return Fault(
            "The conferencing service did not answer",
            f"{error.message} {after}",
            504,
            retry=not wrote,
        )
    if perhaps:
        return Fault(
            "The connection to the conferencing service was lost",
            f"{error.message} {_MAY_HAVE_HAPPENED}",
        )
    nothing = f" {_NOTHING_CHANGED}" if wrote else ""
    return Fault(
        "The conferencing service cannot be reached",
        f"{error.message}{nothing} Try again in a moment. If the problem persists, check the "
        "base URL of the connection.",
        retry=not wrote,
        renew=isinstance(error, Unreachable),
    )


def _answered(error: Answered) -> Fault:
    said = f"The service says: “{error.message.removesuffix('.')}”"
    if isinstance(error, Unauthorized):
        return Fault(
            "The service rejected this connection's token",
            f"It has expired or lacks the required scope. {said}. Enter a new token on "
            "the connection's page.",
            renew=True,
        )
    if isinstance(error, NotFound):
        return Fault(
            "Not found on the service",
            f"It may have been deleted, or belong to another account. {said}.",
            404,
        )
    if isinstance(error, Conflict):
        return Fault("Already in use", f"{said}. Choose another.", 409)
    if isinstance(error, Invalid):
        return Fault(error.message.removesuffix("."), "The service rejected the request.", 422)
    if isinstance(error, Throttled):
        return _throttled(error)
    if isinstance(error, ServerFault):
        after = _MAY_HAVE_HAPPENED if error.may_have_happened else "Try again in a moment."
        return Fault(
            "The conferencing service failed",
            f"It answered with status {error.status}. {after}",
            retry=not error.may_have_happened,
        )
    return Fault(
        "Unexpected response from the service",
        f"{error.message} The base URL of the connection may not belong to a conferencing service.",
        renew=True,
    )


def _throttled(error: Throttled) -> Fault:
    wait = max(1, round(error.retry_after)) if error.retry_after is not None else None
    when = f"in {wait} second{'' if wait == 1 else 's'}" if wait else "in a minute"
    return Fault(
        "Rate limit reached",
        f"This connection has made too many requests. {_NOTHING_CHANGED} Try again {when}.",
        503,
        retry=error.operation.method == "GET",
        wait=wait,
    )
