"""Conference rooms, their meetings, and the call-routing ports (spec 4.7)."""

from datetime import date, datetime, timedelta
from typing import Any

import orjson

from portal.contract.metrics import Metrics
from portal.contract.paging import Days, NumberedDaysQuery, NumberedQuery
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound
from portal.sandbox.identifiers import timestamp
from portal.sandbox.listing import began, days_between
from portal.sandbox.models import ConferenceRoom, Instance
from portal.sandbox.paging import numbered
from portal.sandbox.serving import serves

KEPT = timedelta(days=184)


@serves(Metrics.rooms)
def rooms(query: NumberedQuery) -> bytes:
    start = (query.page_number - 1) * query.page_size
    total = ConferenceRoom.objects.count()
    found = []
    if start < total:
        found = list(ConferenceRoom.objects.order_by("name")[start : start + query.page_size])
    busy = set(
        Instance.objects.filter(end_time=None, room__isnull=False).values_list("room_id", flat=True)
    )
    return orjson.dumps(
        {
            **numbered(query, len(found), total),
            "conf_rooms": [_document(room, room.id in busy) for room in found],
        }
    )


@serves(Metrics.room)
def room(room_id: str, query: NumberedDaysQuery) -> bytes:
    """Returns a room with its past meetings by page number, so there is no token."""
    found = ConferenceRoom.objects.filter(id=room_id).first()
    if found is None:
        raise NotFound("conference room")
    held = Instance.objects.filter(room=found)
    live = held.filter(end_time=None).order_by("-start_time").first()
    past = held.filter(end_time__isnull=False, start_time__range=began(query.from_, query.to))
    start, total = (query.page_number - 1) * query.page_size, past.count()
    page: list[str] = []
    if start < total:
        rows = past.order_by("-start_time", "uuid").values_list("fragment", flat=True)
        page = list(rows[start : start + query.page_size])
    data: dict[str, Any] = _document(found, live is not None)
    if live:
        data["live_meeting"] = orjson.Fragment(live.fragment)
    data["past_meetings"] = {
        "from": query.from_,
        "to": query.to,
        "next_page_token": "",
        "page_count": len(page),
        "page_size": query.page_size,
        "total_records": total,
        "meetings": [orjson.Fragment(fragment) for fragment in page],
    }
    return orjson.dumps(data)


@serves(Metrics.ports)
def ports(query: Days) -> bytes:
    """Returns past hours of the days that the service keeps; a session takes its ports while it
    runs."""
    moment = now()
    first = max(query.from_, (moment - KEPT).date())
    last = min(query.to, moment.date())
    days = days_between(first, last)
    taken = _taken(first, last, moment) if days else {}
    return orjson.dumps(
        {
            "from": query.from_,
            "to": query.to,
            "crc_ports_usage": [
                {
                    "date_time": str(day),
                    "crc_ports_hour_usage": [
                        _hour(hour, taken.get(datetime(day.year, day.month, day.day, hour), []))
                        for hour in range(24 if day < moment.date() else moment.hour + 1)
                    ],
                }
                for day in days
            ],
        }
    )


_Use = tuple[datetime, datetime, int]


def _taken(first: date, last: date, moment: datetime) -> dict[datetime, list[_Use]]:
    """Returns the uses of ports in each hour."""
    begin, end = began(first, last)
    rows = Instance.objects.filter(
        ports__gt=0, start_time__range=(begin - timedelta(days=1), end)
    ).values_list("start_time", "end_time", "ports")
    by_hour: dict[datetime, list[_Use]] = {}
    for started, ended, number in rows:
        until = ended or moment
        hour = started.replace(minute=0, second=0, microsecond=0)
        while hour <= until:
            by_hour.setdefault(hour.replace(tzinfo=None), []).append((started, until, number))
            hour += timedelta(hours=1)
    return by_hour


def _hour(hour: int, uses: list[_Use]) -> dict[str, Any]:
    """Returns the usage of one hour. The most ports are in use when some use begins."""
    peaks = (sum(n for begin, end, n in uses if begin <= at <= end) for at, _, _ in uses)
    return {
        "hour": f"{hour:02}",
        "max_usage": max(peaks, default=0),
        "total_usage": sum(number for _, _, number in uses),
    }


def _document(room: ConferenceRoom, busy: bool) -> dict[str, Any]:
    status = "In Meeting" if busy else "Available"
    return {
        "id": room.id,
        "room_name": room.name,
        "status": status if room.is_online or busy else "Offline",
        "last_start_time": timestamp(room.last_start_time) or "",
        **room.document,
    }
