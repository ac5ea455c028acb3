"""Coming sessions of hosts, as far as the copy of meetings and webinars shows."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from portal.access.models import Connection
from portal.client import Api
from portal.config import clock
from portal.jobs.models import ItemState, JobItem
from portal.mirror.models import MirrorState
from portal.sessions.jobs.reading import READING, sessions_of
from portal.sessions.mirror import times_of
from portal.sessions.models import Occurrence


@dataclass(frozen=True)
class Coming:
    """`hosts` are the ids of those with a time to come, or one that runs; `unread` of those whose
    list could not be read. Both are subqueries."""

    hosts: QuerySet[Any, Any]
    unread: QuerySet[Any, Any]
    state: MirrorState

    @property
    def is_known(self) -> bool:
        return self.state.refreshed_at is not None


def coming(connection: Connection) -> Coming:
    planned = _planned(connection, clock.now())
    failed = JobItem.objects.filter(
        job__connection=connection, job__kind=READING.job_type, state=ItemState.FAILED
    )
    return Coming(
        planned.order_by().values("session__host_id"),
        failed.order_by().values("object_id"),
        READING.state_of(connection),
    )


def next_time(connection: Connection) -> Subquery:
    """Returns a subquery for the next time at which a person, the row of an outer query, hosts."""
    own = _planned(connection, clock.now()).filter(session__host_id=OuterRef("user_id"))
    return Subquery(own.order_by("start_time").values("start_time")[:1])


def next_time_of(api: Api, host_id: str) -> datetime | None:
    """Returns the next time at which a person hosts, or the start of a session that runs just now,
    asked of the service. Raises `ApiError`."""
    now = clock.now()
    begins = (
        datetime.fromisoformat(begin)
        for _, session in sessions_of(api, host_id)
        for _, begin, minutes in times_of(session)
        if datetime.fromisoformat(begin) + timedelta(minutes=minutes) > now
    )
    return min(begins, default=None)


def _planned(connection: Connection, now: datetime) -> QuerySet[Occurrence]:
    return Occurrence.objects.filter(
        connection=connection, session__connection=connection, end_time__gt=now
    )
