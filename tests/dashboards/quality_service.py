"""A service with past sessions that a test names, and the reading of their quality."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection
from portal.dashboards.jobs import request_reading
from portal.jobs.models import Job
from portal.ui.ranges import Range
from tests.dashboards.session_service import measured, participant
from tests.support.fault_server import Behaviour, Seen, answer, depending

Json = dict[str, Any]


def noon(days_ago: int) -> datetime:
    """Noon in GMT of a day some days ago, which is over at any hour."""
    day = timezone.now().astimezone(UTC) - timedelta(days=days_ago)
    return day.replace(hour=12, minute=0, second=0, microsecond=0)


def text_of(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def someone(name: str, latency: str = "20 ms", **given: Any) -> tuple[Json, Json]:
    """A participant of a past session, and what was measured of them."""
    one = participant(name, **given)
    return one, measured(one, latency)


def past(number: int, *people: tuple[Json, Json], days_ago: int = 3, **given: Any) -> Json:
    """A past meeting of an hour with these participants."""
    start = noon(days_ago)
    return {
        "uuid": f"past-{number}",
        "id": number,
        "topic": f"Meeting {number}",
        "start_time": text_of(start),
        "end_time": text_of(start + timedelta(hours=1)),
        "duration": "01:00:00",
        "participants": len(people),
        **given,
        "people": people,
    }


def service(*meetings: Json, webinars: tuple[Json, ...] = ()) -> Behaviour:
    """Lists these sessions on the days they began, and answers about each."""
    own = {"meetings": list(meetings), "webinars": list(webinars)}

    def choose(seen: Seen) -> Behaviour:
        family, *parts = seen.path.removeprefix("/v2/metrics/").split("/")
        if not parts:
            days = {"from": seen.query["from"], "to": seen.query["to"]}
            rows = [
                {name: value for name, value in one.items() if name != "people"}
                for one in own[family]
                if days["from"] <= one["start_time"][:10] <= days["to"]
            ]
            return answer(200, {**days, "page_size": 300, "next_page_token": "", family: rows})
        found = [one for one in own[family] if one["uuid"] == parts[0]]
        if not found:
            return answer(404, {"code": 3001, "message": "This meeting does not exist."})
        at = int(parts[-1] == "qos")
        people = [pair[at] for pair in found[0]["people"]]
        start, size = int(seen.query.get("next_page_token") or 0), int(seen.query["page_size"])
        token = str(start + size) if start + size < len(people) else ""
        page = {"participants": people[start : start + size], "next_page_token": token}
        return answer(200, {**page, "page_size": size, "total_records": len(people)})

    return depending(choose)


def reading(connection: Connection, days: int = 7) -> Job:
    """A job that is about to read the last days."""
    today = timezone.now().astimezone(UTC).date()
    chosen = Range(today - timedelta(days=days), today, UTC)
    job, _ = request_reading(Origin(connection.owner), connection, chosen)
    return job
