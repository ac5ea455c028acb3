"""Call-routing ports: the service's hours, on the viewer's days, each with its number."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.support.dashboard_pages import Json, address, days, seen_in, sent, table_of, words_of
from tests.support.fault_server import answer, depending

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()
NONE = "\N{EN DASH}"


def use(numbers):
    """Hours as "2026-03-08T14" with what was in use."""
    by_day: dict[str, list[Json]] = {}
    for at, number in numbers.items():
        day, _, hour = at.partition("T")
        by_day.setdefault(day, []).append(
            {"hour": hour, "max_usage": number, "total_usage": number}
        )
    return {
        "crc_ports_usage": [
            {"date_time": day, "crc_ports_hour_usage": hours} for day, hours in by_day.items()
        ]
    }


def cells(html):
    """By the head of each row, what its cells show: 24 hours and the maximum."""
    found = {}
    for row in re.findall(r"<tr>(.*?)</tr>", html.partition("<tbody>")[2], re.DOTALL):
        head = re.search(r'<th scope="row">(.*?)</th>', row)
        assert head
        values = re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
        found[head[1]] = [
            re.sub("<.*", "", value.replace('<span aria-hidden="true">', "")) for value in values
        ]
    return found


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/New_York", "Asia/Kathmandu"])
def test_are_shown_hour_by_hour_on_the_viewers_days(client, connection, sandbox, zone):
    """Over a month's end, so that what is asked for has a seam."""
    last = TODAY.replace(day=1) + timedelta(days=2)
    last = last if last < TODAY else (TODAY.replace(day=1) - timedelta(days=25)).replace(day=3)
    first = last - timedelta(days=5)
    asked = {"from": first - timedelta(days=1), "to": last + timedelta(days=1)}
    expected: dict[tuple[date, int], int] = {}
    for day in sandbox.client.get("/metrics/crc", params=asked).json()["crc_ports_usage"]:
        for hour in day["crc_ports_hour_usage"]:
            begin = datetime.fromisoformat(f"{day['date_time']}T{hour['hour']}:00:00+00:00")
            local = begin.astimezone(ZoneInfo(zone))
            key = (local.date(), local.hour)
            expected[key] = max(expected.get(key, 0), hour["max_usage"])

    html = sent(seen_in(zone, client), address(connection, "ports", **days(first, last)))
    found = cells(html)
    assert len(found) == 6
    for head, values in found.items():
        [day] = [
            first + timedelta(days=ago)
            for ago in range(6)
            if head == f"{first + timedelta(days=ago):%a} {(first + timedelta(days=ago)).day}"
            f" {first + timedelta(days=ago):%b}"
        ]
        wanted = [expected.get((day, hour)) for hour in range(24)]
        shown = [NONE if number is None else str(number) for number in wanted]
        assert values[:24] == shown
        assert values[24] == str(max(number for number in wanted if number is not None))


@dataclass(frozen=True)
class Change:
    """A day on which the clocks change: its hours, those left out and those that come twice."""

    zone: str
    day: date
    hours: int
    empty: tuple[int, ...] = ()
    shared: tuple[int, ...] = ()


@pytest.mark.parametrize(
    "change",
    [
        Change("America/New_York", date(2026, 3, 8), 23, empty=(2,)),
        Change("America/New_York", date(2026, 11, 1), 25, shared=(1,)),
        Change("Pacific/Auckland", date(2026, 9, 27), 23, empty=(2,)),
        Change("Pacific/Auckland", date(2026, 4, 5), 25, shared=(2,)),
    ],
    ids=lambda change: f"{change.zone} {change.day}",
)
def test_a_day_on_which_the_clocks_change_loses_no_hour(client, faulty, fault_server, change):
    day = change.day
    begin = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(change.zone)).astimezone(UTC)
    numbers: dict[str, int | None] = {
        f"{begin + timedelta(hours=at):%Y-%m-%dT%H}": 100 + at
        for at in range(-30, change.hours + 30)
    }
    fault_server.always(answer(200, use(numbers)))
    html = sent(seen_in(change.zone, client), address(faulty, "ports", **days(day, day)))
    [values] = cells(html).values()
    assert tuple(at for at in range(24) if values[at] == NONE) == change.empty
    assert values[24] == str(100 + change.hours - 1)
    for at in change.shared:
        assert values[at] == str(100 + at + 1)


def test_the_busiest_hour_is_said_in_a_sentence(client, faulty, fault_server):
    numbers = {"2026-03-03T09": 4, "2026-03-03T10": 12, "2026-03-04T10": 0}
    fault_server.always(answer(200, use(numbers)))
    page = seen_in("Europe/Berlin", client).get(
        address(faulty, "ports", **days("2026-03-03", "2026-03-04"))
    )
    text = words_of(page.content)
    assert (
        "At most 12 ports were in use at once, on 3 March 2026 between 11:00 and 12:00"
        " (Europe/Berlin). On 1 of 2 days no port was in use." in text
    )


def test_what_makes_no_sense_is_said_and_is_no_zero(client, faulty, fault_server):
    numbers: dict[str, int | None] = {
        "2026-03-03T09": -4711,
        "2026-03-03T99": 3,
        "soonT10": 3,
        "1890-03-03T10": 3,
        "2026-03-03T11": 2,
    }
    fault_server.always(answer(200, use(numbers)))
    page = seen_in("UTC", client).get(address(faulty, "ports", **days("2026-03-03", "2026-03-03")))
    html = page.content.decode()
    assert "2 hours could not be read" in words_of(page.content)
    [values] = cells(html).values()
    assert values[9] == NONE
    assert values[11] == "2"
    assert values[24] == "2"
    assert "4711" not in html


def test_what_was_read_before_the_service_failed_is_shown(client, faulty, fault_server):
    def choose(seen):
        if seen.query["from"] == "2026-03-01":
            return answer(200, use({"2026-03-01T09": 7}))
        return answer(400, {"message": "No."})

    fault_server.always(depending(choose))
    page = seen_in("UTC", client).get(address(faulty, "ports", **days("2026-02-27", "2026-03-01")))
    text = words_of(page.content)
    assert page.status_code == 200
    assert "What was loaded until then is below" in text
    assert "At most 7 ports" in text


def test_the_hours_are_taken_along_as_a_file(client, faulty, fault_server):
    fault_server.always(answer(200, use({"2026-03-02T10": 7, "2026-03-02T11": 0})))
    first, last = date(2026, 3, 2), date(2026, 3, 2)
    client = seen_in("UTC", client)
    assert "/ports/export/csv/" in client.get(address(faulty, "ports", **days(first, last))).text
    rows = table_of(client, address(faulty, "ports-export", "csv", **days(first, last)))
    assert [(row["Hour"], row["At most at once"]) for row in rows] == [
        ("2026-03-02T10:00:00+00:00", "7"),
        ("2026-03-02T11:00:00+00:00", "0"),
    ]
    fault_server.always(answer(500, {"message": "down"}))
    gone = client.get(address(faulty, "ports-export", "csv", **days(first, last)))
    assert gone.status_code in (302, 303), "a file with gaps would look whole"


def test_days_that_the_service_does_not_keep_are_no_zeros(client, connection):
    page = client.get(address(connection, "ports", **days("2001-01-01", "2001-01-03")))
    assert "No data for these days" in words_of(page.content)
