"""Errors of single rows: what the data of one row causes ends that row, and never its job."""

from dataclasses import dataclass
from typing import Generic, TypeVar, cast

import structlog
from django.db import DatabaseError, InterfaceError

from portal.access.grants import AccessEnded
from portal.access.roles import RoleRefused
from portal.access.tokens import TokenUnreadable
from portal.client import ApiError, CallWithheld, Unexpected
from portal.contract.path import NotAnId
from portal.jobs.breaker import FailureMeaning, meaning_of
from portal.jobs.leases import LeaseLost
from portal.jobs.models import Job
from portal.translation import gettext as _

R = TypeVar("R")
_log = structlog.get_logger(__name__)


class Unplannable(Exception):
    """Raised if no plan can be made; the text says why and what to do."""


class Unsupported(KeyError):
    """Raised for a stored name that this release does not have: the work on it is left to one that
    has it."""


_OF_JOB = (
    AccessEnded,
    CallWithheld,
    DatabaseError,
    InterfaceError,
    LeaseLost,
    MemoryError,
    RoleRefused,
    TokenUnreadable,
    Unplannable,
    Unsupported,
)


@dataclass(frozen=True)
class RowReading(Generic[R]):
    """Result of reading one object for a row. An error of that row alone is raised where the row
    uses the `value`."""

    result: R | None = None
    error: Exception | None = None

    @property
    def value(self) -> R:
        if self.error is not None:
            raise self.error
        return cast("R", self.result)


def concerns_row(error: Exception) -> bool:
    """Returns whether an error is one row's: neither the access, the lease and the database, nor
    the state of the service, are the cause."""
    if isinstance(error, _OF_JOB):
        return False
    if isinstance(error, ApiError):
        is_unlike = isinstance(error, Unexpected) and bool(error.field)
        return is_unlike or meaning_of(error) in (FailureMeaning.REFUSED, FailureMeaning.EXISTS)
    return True


def reference_of(job: Job, number: int | None = None) -> str:
    """Returns the words by which the log of a worker names a job, or a row of it."""
    return job.key if number is None else f"{job.key}/{number}"


def problem_of_plan(job: Job, number: int, error: Exception) -> str:
    """Returns why a row could not be planned, and what to do; a fault of the program is logged."""
    if isinstance(error, ApiError):
        words = _("The service refused data that this row needs: %(message)s")
        return words % {"message": error.message}
    if isinstance(error, NotAnId):
        return str(error)
    _log.error("row not planned", exc_info=error, job=job.key, kind=job.kind, row=number)
    return _(
        "This row could not be planned, by a fault of Switchboard. The other rows are not "
        "affected. Make this change on the page of its object, and report the fault to the people "
        "who run Switchboard, with the reference %(reference)s."
    ) % {"reference": reference_of(job, number)}


def fault_of_plan(job: Job) -> str:
    """Returns what to do about a plan that a fault of the program has ended."""
    return _(
        "The preview could not be made, by a fault of Switchboard. Nothing was changed. Refresh "
        "the preview to try again. If that fails as well, report it to the people who run "
        "Switchboard, with the reference %(reference)s."
    ) % {"reference": reference_of(job)}


def fault_of_row(job: Job, number: int) -> str:
    """Returns what to do about a row that a fault of the program has ended while it was sent."""
    return _(
        "A fault of Switchboard ended this row. Look at the object before you retry the row: a "
        "part of it may have been done. If it fails again, report it to the people who run "
        "Switchboard, with the reference %(reference)s."
    ) % {"reference": reference_of(job, number)}


def fault_of_outcome(job: Job, number: int) -> str:
    """Returns what to do about a row whose outcome could not be asked for by a fault."""
    return _(
        "The outcome could not be looked up, by a fault of Switchboard. Look at the object, then "
        "decide here whether the row was done or is sent again. The reference of the fault is "
        "%(reference)s."
    ) % {"reference": reference_of(job, number)}
