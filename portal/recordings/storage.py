"""Storage of recordings: by day against the plan, as the service reports it, and by host and
department, as far as the list of recordings goes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from statistics import linear_regression
from typing import Any

from django.db.models import Count, Max, Sum

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api, ApiError, NotAvailable
from portal.config import cache, clock, page_memory
from portal.config.database import where_it_can
from portal.contract.usage import LONGEST_STORAGE_REPORT, StorageOnDay, StorageQuery
from portal.mirror.mirrored_list import ListReading, MirroredList
from portal.mirror.values import NOT_AVAILABLE
from portal.recordings import mirror
from portal.recordings.models import StorageReading
from portal.translation import gettext_lazy
from portal.ui.error_messages import Fault, explain
from portal.ui.numbers import gigabytes, included

_DAY = timedelta(days=1)
_BACK = timedelta(days=180)  # the service reports the recent six months
_GROWTH_OF = 60  # days that the forecast goes by
_AHEAD = 3 * 365  # days; what is further away is no forecast
_CACHED_FOR = 1800  # seconds


@dataclass(frozen=True)
class StorageDay:
    """Storage at the end of a day, in GB; `None` if the service does not report it."""

    day: date
    used: float | None
    allowed: float | None


@dataclass(frozen=True)
class History:
    """The days that could be read, in their order, and why others could not."""

    days: list[StorageDay] = field(default_factory=list)
    fault: Fault | None = None

    @property
    def last(self) -> StorageDay | None:
        return next((day for day in reversed(self.days) if day.used is not None), None)


@dataclass(frozen=True)
class Forecast:
    """Growth of storage in GB a day so far, and the day on which the plan is used up."""

    per_day: float
    full_on: date | None
    is_full: bool = False


@dataclass(frozen=True)
class StorageShare:
    name: str
    key: str
    count: int
    size: int
    trashed: int
    percent: float


def history(api: Api, connection: Connection) -> History:
    """Returns the last half year, by windows of 30 days; it is cached for half an hour."""
    today = clock.now().astimezone(UTC).date()
    key = f"recordings:storage:{connection.pk}:{today}"
    cached: list[list[Any]] | None = cache.get(key)
    if cached is not None:
        return History(
            [StorageDay(date.fromisoformat(day), used, allowed) for day, used, allowed in cached]
        )
    days, error = _fetch(api, today)
    if error:
        return History(days, explain(error))
    cache.set(key, [[one.day.isoformat(), one.used, one.allowed] for one in days], _CACHED_FOR)
    with where_it_can():
        _store(connection, History(days))
    return History(days)


def _fetch(api: Api, today: date) -> tuple[list[StorageDay], ApiError | None]:
    """Returns the days that the service reports, in their order, and why earlier ones are missing.

    The latest window is read first, so that a service with a shorter memory gives what it has.
    """
    days: dict[date, StorageDay] = {}
    error, last = None, today
    try:
        while last >= today - _BACK:
            first = max(last - LONGEST_STORAGE_REPORT, today - _BACK)
            report = api.reports.cloud_recording(StorageQuery(**{"from": first, "to": last}))
            days |= {day.day: day for one in report.cloud_recording_storage if (day := _day(one))}
            last = first - _DAY
    except ApiError as raised:
        error = raised
    return [days[day] for day in sorted(days)], error


def _load(reading: ListReading) -> None:
    """Loads the storage before a user has opened its page."""
    days, error = _fetch(reading.api, clock.now().astimezone(UTC).date())
    if isinstance(error, NotAvailable):
        reading.notes.append(NOT_AVAILABLE)
    elif error:
        raise error
    else:
        _store(reading.connection, History(days))


def forecast(days: Sequence[StorageDay]) -> Forecast | None:
    """Fits a straight line to the last days; None if too few are reported."""
    recent = [one for one in days[-_GROWTH_OF:] if one.used is not None]
    if len(recent) < 2:
        return None
    origin = recent[0].day
    since = [(one.day - origin).days for one in recent]
    slope = linear_regression(since, [one.used or 0.0 for one in recent]).slope
    last = recent[-1]
    used, allowed = last.used or 0.0, last.allowed
    if allowed is None:
        return Forecast(slope, None)
    if used >= allowed:
        return Forecast(slope, None, is_full=True)
    if slope <= 0 or (allowed - used) / slope > _AHEAD:
        return Forecast(slope, None)
    return Forecast(slope, last.day + timedelta(days=int((allowed - used) / slope)))


def readings(connections: Collection[int]) -> dict[int, StorageReading]:
    """Returns the stored readings of connections, by their primary keys; a page reads each once."""
    return page_memory.read_once(
        "storage",
        connections,
        lambda keys: StorageReading.objects.in_bulk(keys, field_name="connection_id"),
    )


def _store(connection: Connection, history: History) -> None:
    """Keeps the last day and the forecast, for pages that do not ask the service."""
    last, outlook = history.last, forecast(history.days)
    if last is None or last.used is None:
        StorageReading.objects.filter(connection=connection).delete()
        return
    values = {
        "day": last.day,
        "used": last.used,
        "allowed": last.allowed,
        "full_on": outlook.full_on if outlook else None,
        "read_at": clock.now(),
    }
    StorageReading.objects.update_or_create(connection=connection, defaults=values)


def _day(one: StorageOnDay) -> StorageDay | None:
    if not isinstance(one.date, datetime):
        return None
    allowed = included(map(gigabytes, (one.plan_usage, one.free_usage)))
    return StorageDay(one.date.date(), gigabytes(one.usage), allowed)


STORED = MirroredList("storage", gettext_lazy("storage"), _load)


def by_host(scope: Scope, most: int) -> list[StorageShare]:
    """Returns the hosts with the most storage."""
    return _shares(scope, "host_id", "host_name", most)


def by_department(scope: Scope, most: int) -> list[StorageShare]:
    """Returns the departments with the most storage; the name is empty for hosts without one."""
    return _shares(scope, "dept", "dept", most)


def totals(scope: Scope) -> dict[str, int]:
    """Returns the number of recordings, their size, and the size of the trash."""
    recordings = mirror.listed(scope).order_by()
    sums = recordings.aggregate(count=Count("id"), size=Sum("size"), trashed=Sum("trashed_size"))
    return {name: value or 0 for name, value in sums.items()}


def _shares(scope: Scope, by: str, named: str, most: int) -> list[StorageShare]:
    recordings = mirror.listed(scope).order_by()
    whole = recordings.aggregate(size=Sum("size"))["size"] or 0
    grouped = recordings.values(by).annotate(
        name=Max(named), count=Count("id"), taken=Sum("size"), trash=Sum("trashed_size")
    )
    return [
        StorageShare(
            row["name"] or "",
            row[by],
            row["count"],
            row["taken"] or 0,
            row["trash"] or 0,
            100 * (row["taken"] or 0) / whole if whole else 0.0,
        )
        for row in grouped.order_by("-taken", by)[:most]
    ]
