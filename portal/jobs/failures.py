"""Consequences of a failed call for an item, and for the job."""

from enum import Enum

from portal.client import (
    GATEWAY_FAULTS,
    ApiError,
    Conflict,
    NotAvailable,
    OutcomeUnknown,
    ServerFault,
    Throttled,
    TimedOut,
    Unauthorized,
    Unexpected,
    Unreachable,
)


class FailureMeaning(Enum):
    """`WAIT`: it did not happen, and may later. `UNKNOWN`: it may have happened. `REFUSED`: this
    item cannot be done. `STOP`: no item can, until a person has fixed something. `TAKEN`: the name
    is taken, perhaps by an earlier attempt of the same item."""

    WAIT = "wait"
    UNKNOWN = "unknown"
    REFUSED = "refused"
    STOP = "stop"
    TAKEN = "taken"


def meaning_of(error: ApiError) -> FailureMeaning:
    if isinstance(error, Unauthorized) and error.status == 401:
        return FailureMeaning.STOP
    if isinstance(error, Unreachable) and error.reason in ("address", "certificate"):
        return FailureMeaning.STOP
    if isinstance(error, NotAvailable) and error.lack == "scope":
        return FailureMeaning.STOP
    if error.may_have_happened:
        return FailureMeaning.UNKNOWN
    if passes(error):
        return FailureMeaning.WAIT
    return FailureMeaning.TAKEN if isinstance(error, Conflict) else FailureMeaning.REFUSED


def is_signed_out(error: ApiError) -> bool:
    """Returns whether other credentials would mend it."""
    is_refused = isinstance(error, Unauthorized) and error.status == 401
    return is_refused or error.is_sign_in or isinstance(error, NotAvailable)


def passes(error: ApiError) -> bool:
    """Returns whether the same call may work later by itself."""
    if isinstance(error, Unreachable):
        return error.reason not in ("address", "certificate")
    return isinstance(error, Throttled | TimedOut | OutcomeUnknown | ServerFault) or (
        isinstance(error, Unexpected) and error.status < 400
    )


def is_final(error: ApiError) -> bool:
    """Returns whether the service has answered, so that nothing of the request is under way."""
    return isinstance(error, ServerFault | Unexpected) and error.status not in GATEWAY_FAULTS


def problems_of(error: ApiError) -> list[list[str]]:
    """Returns the service's problems with single fields, as an item stores them."""
    return [[problem.field, problem.message] for problem in error.fields]
