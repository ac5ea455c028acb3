"""Conference rooms: those that need attention first, and one with what is held in it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from tests.support.dashboard_pages import (
    Json,
    address,
    days,
    rows_in,
    seen_in,
    sent,
    table_of,
    words_of,
)
from tests.support.fault_server import answer, depending

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()


def rooms(sandbox):
    found: list[Json] = sandbox.client.get("/metrics/confrooms?page_size=300").json()["conf_rooms"]
    return found


def room(name, status, **given):
    return {"id": name.lower(), "room_name": name, "status": status, **given}


def listed(*found):
    return {"page_number": 1, "page_size": 300, "total_records": len(found), "conf_rooms": found}


def test_are_all_listed(client, connection, sandbox):
    rows = table_of(client, address(connection, "rooms-export", "csv", columns="all"))
    assert {row["Room ID"] for row in rows} == {each["id"] for each in rooms(sandbox)} != set()
    html = sent(client, address(connection, "rooms"))
    assert rows_in(html) == len(rows)


def test_that_are_offline_come_first(client, faulty, fault_server):
    found = listed(
        room("Alpha", "Available"),
        room("Beta", "In Meeting"),
        room("Gamma", "Under construction"),
        room("Delta", "Offline", last_start_time="1890-01-01T00:00:00Z"),
    )
    fault_server.always(answer(200, found))
    page = client.get(address(faulty, "rooms"))
    text = words_of(page.content)
    places = [text.index(name) for name in ("Delta", "Gamma", "Beta", "Alpha")]
    assert places == sorted(places)
    assert "4 rooms, 1 offline" in text
    assert "Under construction" in text
    assert "1890" not in text


def test_are_searched_and_filtered(client, faulty, fault_server):
    fault_server.always(answer(200, listed(room("Alpha", "Offline"), room("Beta", "Available"))))
    html = sent(client, address(faulty, "rooms", q="ALP"))
    assert rows_in(html) == 1
    html = sent(client, address(faulty, "rooms", status="available"))
    assert "Beta" in html
    assert "Alpha" not in html


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland"])
def test_one_shows_its_meetings_of_the_viewers_days(client, connection, sandbox, zone):
    first, last = TODAY - timedelta(days=80), TODAY - timedelta(days=1)
    for each in rooms(sandbox)[:3]:
        asked = {"from": first - timedelta(days=1), "to": TODAY, "page_size": 300}
        document = sandbox.client.get(f"/metrics/confrooms/{each['id']}", params=asked).json()
        expected = [
            one
            for one in document["past_meetings"]["meetings"]
            if first
            <= datetime.fromisoformat(one["start_time"]).astimezone(ZoneInfo(zone)).date()
            <= last
        ]
        url = address(connection, "room", each["id"], per_page=300, **days(first, last))
        html = sent(seen_in(zone, client), url)
        assert rows_in(html) == len(expected)


def test_one_shows_its_equipment_and_the_meeting_that_runs(client, faulty, fault_server):
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    document = room(
        "Alpha",
        "In Meeting",
        camera="Wide-angle camera",
        live_meeting={"uuid": "a/b==", "topic": "Stand-up", "host": "Ada", "start_time": now},
        past_meetings={"total_records": 0, "meetings": []},
    )
    fault_server.always(answer(200, document))
    text = words_of(client.get(address(faulty, "room", "alpha")).content)
    assert "Wide-angle camera" in text
    assert "Stand-up is running in this room" in text
    assert "Nothing was held here" in text
    assert "Not reported" in text


def test_meetings_of_one_come_page_after_page(client, faulty, fault_server):
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def choose(seen):
        number = int(seen.query.get("page_number", "1"))
        meetings = [{"uuid": f"u{number}-{at}", "start_time": now} for at in range(300)]
        past = {"total_records": 450, "meetings": meetings[: 300 if number == 1 else 150]}
        return answer(200, room("Alpha", "Available", past_meetings=past))

    fault_server.always(depending(choose))
    url = address(faulty, "room", "alpha", **days(timezone.now().date(), timezone.now().date()))
    text = words_of(seen_in("UTC", client).get(url).content)
    assert "of 450" in text


def test_all_meetings_of_one_are_taken_along_as_a_file(client, faulty, fault_server):
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def choose(seen):
        number = int(seen.query.get("page_number", "1"))
        meetings = [{"uuid": f"u{number}-{at}", "start_time": now} for at in range(300)]
        past = {"total_records": 450, "meetings": meetings[: 300 if number == 1 else 150]}
        return answer(200, room("Alpha", "Available", past_meetings=past))

    fault_server.always(depending(choose))
    today = timezone.now().date()
    page = address(faulty, "room", "alpha", **days(today, today))
    assert "/rooms/alpha/export/csv/" in seen_in("UTC", client).get(page).text
    url = address(faulty, "room-export", "alpha", "csv", columns="all", **days(today, today))
    assert len(table_of(client, url)) == 450


def test_that_is_not_there_is_not_found(client, connection):
    assert client.get(address(connection, "room", "nowhere")).status_code == 404


def test_whose_service_is_down_are_a_page_that_says_so(client, faulty, fault_server):
    fault_server.always(answer(500, {"message": "down"}))
    page = client.get(address(faulty, "rooms"))
    assert "0 rooms" not in words_of(page.content)
    assert "service failed" in words_of(page.content)
