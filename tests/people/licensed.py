"""Use of licences for their tests, stored as a reading of it is."""

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.access.grants import scope_of
from portal.access.models import Connection
from portal.directory import users as mirror
from portal.directory.users import UserFilter
from portal.mirror.models import MirrorState
from portal.people.licences.use import Facts, UseFilter, facts_of
from portal.reports.models import StoredRow, StoredWindow
from portal.reports.services import storing
from portal.reports.services.sources import HOSTS
from portal.sessions.mirror import NAME, state_of
from tests.support.people import Made

DAY = timedelta(days=1)


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def report_read(
    connection: Connection,
    first: date,
    last: date,
    hosts: Collection[str] = (),
    *,
    read_at: datetime | None = None,
    **values: Any,
) -> StoredWindow:
    """Has the report on hosts be read for these days, in which these people hosted."""
    report = storing.report_of(connection, HOSTS)
    window = StoredWindow.objects.create(
        report=report,
        first=first,
        last=last,
        read_at=read_at or timezone.now(),
        reader="test",
        **{"is_whole": True, "reported": len(hosts), "listed": len(hosts), **values},
    )
    for host in hosts:
        StoredRow.objects.create(window=window, key=host[:32], day=first, data={"id": host})
    return window


def sessions_read(connection: Connection) -> None:
    """Has the meetings and webinars of everybody be read just now."""
    state_of(connection)
    MirrorState.objects.filter(connection=connection, kind=NAME).update(
        refreshed_at=timezone.now(), requested_at=None
    )


def all_read(connection: Connection, days: int = 90, hosts: Collection[str] = ()) -> None:
    """Has everything be known of so many days."""
    report_read(connection, today() - (days + 1) * DAY, today(), hosts)
    sessions_read(connection)


def aged(connection: Connection, person: Made, **moments: datetime | None) -> None:
    """Creates a person a year ago who never signed in, unless `moments` has a sign-in."""
    given = {"created_at": timezone.now() - 400 * DAY, "last_login_time": None, **moments}
    mirror.record_written(connection, {person.id: given})


def uses(connection: Connection, people: Collection[Made], **wanted: Any) -> dict[str, str]:
    """By the id of each, what is known of the use of their licence."""
    found = facts(connection, people, **wanted).find()
    return {row.user_id: row.use for row in found}


def facts(connection: Connection, people: Collection[Made], **wanted: Any) -> Facts:
    ids = UserFilter(ids=[person.id for person in people])
    own = UseFilter(people=ids, **{"use": "", **wanted})
    return facts_of(scope_of(connection.owner, connection), own)
