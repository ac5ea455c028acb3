"""Data of the sandbox itself, asked for without the portal."""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from portal.reports.windows import Span
from tests.support.sandbox import Sandbox

Json = dict[str, Any]


def listed(
    sandbox: Sandbox, path: str, records: str, first: date, last: date, **more: Any
) -> tuple[list[Json], Json]:
    """All records of these days, by one query of its own for each page, and the last page."""
    found: list[Json] = []
    page: Json = {}
    number, token = 1, ""
    while True:
        asked = {"from": str(first), "to": str(last), "page_size": 300, **more}
        asked |= {"next_page_token": token} if token else {"page_number": number}
        if "user" in path and "meetings" in path:
            asked.pop("page_number", None)
        answer = sandbox.client.get(path, params=asked)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += page[records]
        token, number = page.get("next_page_token", ""), number + 1
        if not token and (("page_number" not in page) or len(found) >= page["total_records"]):
            return found, page


def calls(sandbox: Sandbox, span: Span) -> list[Json]:
    found, _ = listed(sandbox, "/report/telephone", "telephony_usage", span.first, span.last)
    return found


def meetings_of(sandbox: Sandbox, person: str, span: Span) -> list[Json]:
    path = f"/report/users/{person}/meetings"
    found, _ = listed(sandbox, path, "meetings", span.first, span.last)
    return found


def hosts(sandbox: Sandbox, span: Span, which: str = "active") -> tuple[list[Json], Json]:
    return listed(sandbox, "/report/users", "users", span.first, span.last, type=which)


def daily(sandbox: Sandbox, span: Span) -> list[Json]:
    found: list[Json] = []
    for month in span.months():
        asked = {"year": month.first.year, "month": month.first.month}
        found += sandbox.client.get("/report/daily", params=asked).json()["dates"]
    return [one for one in found if span.has(date.fromisoformat(one["date"]))]


def busiest_host(sandbox: Sandbox, span: Span) -> str:
    found, _ = hosts(sandbox, span)
    return str(max(found, key=lambda one: one["meetings"])["id"])


def on_days(records: list[Json], first: date, last: date, zone: str) -> list[Json]:
    """Those that began on these days of a viewer in this zone."""
    place = ZoneInfo(zone)
    return [
        one
        for one in records
        if first <= datetime.fromisoformat(one["start_time"]).astimezone(place).date() <= last
    ]
