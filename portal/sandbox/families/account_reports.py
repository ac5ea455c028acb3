"""Reports on the account: its days, storage, calls and hosts (spec 4.8)."""

import calendar
from datetime import UTC, date, datetime, time
from typing import Any

import orjson
from django.db import connection
from django.db.models import Count, Sum
from django.db.models.functions import TruncDate

from portal.contract.problems import FieldProblem
from portal.contract.reports import Reports
from portal.contract.usage import HostActivity, HostsQuery, MonthQuery, StorageQuery, TelephoneQuery
from portal.contract.users import LicenceType, UserStatus
from portal.sandbox.clock import now
from portal.sandbox.errors import InvalidInput, OutOfReach
from portal.sandbox.history.hosts import name_of
from portal.sandbox.listing import began, days_between, sql_days
from portal.sandbox.models import Instance, RecordingFile, TelephoneCall, User
from portal.sandbox.paging import numbered
from portal.sandbox.serving import serves

_GIGABYTE = 10**9
_PLAN = 500 * _GIGABYTE
_CALLS = f"FROM {TelephoneCall._meta.db_table} WHERE start_time BETWEEN %s AND %s"
_HOSTED = f"""
    SELECT i.host_id, COUNT(*), SUM(i.participants), SUM(i.total_minutes)
    FROM {Instance._meta.db_table} i
    WHERE i.end_time IS NOT NULL AND i.start_time BETWEEN %s AND %s
    AND EXISTS (SELECT 1 FROM {User._meta.db_table} u WHERE u.id = i.host_id)
    GROUP BY i.host_id ORDER BY i.host_id
"""  # noqa: S608 - the names of tables


@serves(Reports.cloud_recording)
def cloud_recording(query: StorageQuery) -> bytes:
    """Returns the storage used at the end of each day so far; files in the trash count too."""
    today = now().date()
    if not _half_a_year_before(today) <= query.from_ <= today:
        raise OutOfReach("Reports are provided for the most recent 6 months only.")
    files = RecordingFile.objects.filter(
        recording_end__lte=datetime.combine(query.to, time.max, UTC)
    )
    by_day = files.annotate(day=TruncDate("recording_end")).values_list("day")
    sizes = dict(by_day.annotate(size=Sum("file_size")))
    hosts = User.objects.filter(type__gt=LicenceType.BASIC, status=UserStatus.ACTIVE).count()
    stored = sum(size for day, size in sizes.items() if day < query.from_)
    values = []
    for day in days_between(query.from_, min(query.to, today)):
        stored += sizes.get(day, 0)
        values.append(
            {
                "date": f"{day}T00:00:00Z",
                "usage": _size(stored),
                "free_usage": _size(hosts * _GIGABYTE),
                "plan_usage": _size(_PLAN),
            }
        )
    return orjson.dumps({"from": query.from_, "to": query.to, "cloud_recording_storage": values})


@serves(Reports.daily)
def daily(query: MonthQuery) -> bytes:
    """Returns the days of one month up to today; a session counts for the day on which it began."""
    today = now().date()
    first = _month(query, today)
    last = min(today, first.replace(day=calendar.monthrange(first.year, first.month)[1]))
    days = began(first, last)
    sessions = Instance.objects.filter(end_time__isnull=False, start_time__range=days)
    held = {
        row["day"]: row
        for row in sessions.annotate(day=TruncDate("start_time"))
        .values("day")
        .annotate(
            meetings=Count("start_time"), people=Sum("participants"), time=Sum("total_minutes")
        )
    }
    created = User.objects.filter(created_at__range=days).annotate(day=TruncDate("created_at"))
    new = dict(created.values_list("day").annotate(number=Count("id")))
    none: dict[str, int] = {"meetings": 0, "people": 0, "time": 0}
    return orjson.dumps(
        {
            "year": first.year,
            "month": first.month,
            "dates": [
                {
                    "date": day,
                    "new_users": new.get(day, 0),
                    "meetings": held.get(day, none)["meetings"],
                    "participants": held.get(day, none)["people"],
                    "meeting_minutes": held.get(day, none)["time"],
                }
                for day in days_between(first, last)
            ],
        }
    )


@serves(Reports.telephone)
def telephone(query: TelephoneQuery) -> bytes:
    """Returns the calls, the latest first."""
    days = sql_days(query)
    start = (query.page_number - 1) * query.page_size
    fragments: list[str] = []
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) {_CALLS}", days)
        [total] = cursor.fetchone()
        if start < total:
            page = f"SELECT fragment {_CALLS} ORDER BY start_time DESC, id LIMIT %s OFFSET %s"
            cursor.execute(page, (*days, query.page_size, start))
            fragments = [fragment for [fragment] in cursor.fetchall()]
    return orjson.dumps(
        {
            "from": query.from_,
            "to": query.to,
            **numbered(query, len(fragments), total),
            "telephony_usage": [orjson.Fragment(each) for each in fragments],
        }
    )


@serves(Reports.users)
def users(query: HostsQuery) -> bytes:
    """Returns the hosts by id. Inactive are active people of the account who hosted nothing on
    these days."""
    start = (query.page_number - 1) * query.page_size
    with connection.cursor() as cursor:
        cursor.execute(_HOSTED, sql_days(query))
        hosted = {row[0]: tuple(int(number) for number in row[1:]) for row in cursor.fetchall()}
    if query.type == HostActivity.INACTIVE:
        everybody = User.objects.filter(status=UserStatus.ACTIVE.value).order_by("id")
        ids = [each for each in everybody.values_list("id", flat=True) if each not in hosted]
        hosted = {}
    else:
        ids = list(hosted)
    page = ids[start : start + query.page_size]
    people = User.objects.in_bulk(page)
    totals = [sum(numbers) for numbers in zip(*hosted.values(), strict=True)] or [0, 0, 0]
    return orjson.dumps(
        {
            "from": query.from_,
            "to": query.to,
            **numbered(query, len(page), len(ids)),
            "total_meetings": totals[0],
            "total_participants": totals[1],
            "total_meeting_minutes": totals[2],
            "users": [
                _host(people[each], hosted.get(each, (0, 0, 0))) for each in page if each in people
            ],
        }
    )


def _host(user: User, numbers: tuple[int, ...]) -> dict[str, Any]:
    meetings, participants, minutes = numbers
    return {
        "id": user.id,
        "user_name": name_of(user),
        "email": user.email,
        "dept": user.dept,
        "type": user.type,
        "meetings": meetings,
        "participants": participants,
        "meeting_minutes": minutes,
    }


def _month(query: MonthQuery, today: date) -> date:
    """Returns the first day of the month; raises `InvalidInput` outside of the recent 6 months."""
    first = date(query.year or today.year, query.month or today.month, 1)
    earliest = _half_a_year_before(today).replace(day=1)
    if earliest <= first <= today:
        return first
    names = [name for name in ("year", "month") if getattr(query, name) is not None]
    months = f"{calendar.month_name[earliest.month]} {earliest.year}"
    message = f"Choose a month from {months} to the present one."
    raise InvalidInput(*(FieldProblem(name, message) for name in names))


def _half_a_year_before(day: date) -> date:
    """Returns this day six months ago, or the last one of that month."""
    year, month = divmod(day.year * 12 + day.month - 7, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _size(octets: int) -> str:
    return f"{octets / _GIGABYTE:.2f} GB"
