"""Hosts of sessions by day, declared by the domain that reads reports, for other domains."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

from django.db.models import QuerySet

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api
from portal.contract.operation import AnyOperation


@dataclass(frozen=True)
class UnknownDays:
    """Days without known hosts, and the reason."""

    first: date
    last: date
    reason: str


@dataclass(frozen=True)
class Hosted:
    """The hosts of some days, GMT: `hosts` are the ids of people, as a subquery.

    Where days before the first had to be read with it, who hosted on those is among them too.
    `read_at` is when the oldest of it was read.
    """

    hosts: QuerySet[Any, Any]
    unknown: Sequence[UnknownDays] = ()
    read_at: datetime | None = None

    @property
    def is_complete(self) -> bool:
        return not self.unknown


class HostingReport(Protocol):
    """A domain's declaration of hosting: the role has to allow `operation`."""

    operation: AnyOperation

    def stored(self, scope: Scope, first: date) -> Hosted:
        """Returns the stored hosts of the days from the first one until now, without a call."""
        ...

    def read(self, scope: Scope, api: Api, first: date) -> None:
        """Reads what is missing of these days, or may have changed. Raises `ApiError`."""
        ...

    def request(self, connection: Connection, origin: Origin, first: date) -> None:
        """Has a job read the same, unless one does already, or was stopped just now."""
        ...

    def is_requested(self, connection: Connection) -> bool:
        """Returns whether a job reads it."""
        ...


_REPORTS: list[HostingReport] = []


def register(*reports: HostingReport) -> None:
    _REPORTS.extend(reports)


def report() -> HostingReport | None:
    """Returns the declared report, if there is one."""
    return _REPORTS[-1] if _REPORTS else None
