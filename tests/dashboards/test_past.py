"""Past sessions: those of the viewer's days and no others, whatever the service makes of it."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.utils import timezone

from portal.audit.models import AuditEntry
from portal.ui import range_reading
from tests.support.dashboard_pages import (
    address,
    days,
    listing,
    reported,
    rows_in,
    seen_in,
    sent,
    table_of,
    words_of,
)
from tests.support.fault_server import answer, depending, no_answer

pytestmark = pytest.mark.django_db

ZONES = ("UTC", "Pacific/Auckland", "America/New_York", "Asia/Kathmandu")
TODAY = datetime.now(UTC).date()
FAMILIES = pytest.mark.parametrize("family", ["meetings", "webinars"])


def held(sandbox, family="meetings", **query):
    """Whatever the service knows of."""
    asked = {"type": "past", "from": TODAY - timedelta(days=190), "to": TODAY, **query}
    return list(reported(sandbox, f"/metrics/{family}", family, **asked))


def on_days(sessions, first, last, zone):
    return {
        one["uuid"]
        for one in sessions
        if first
        <= datetime.fromisoformat(one["start_time"]).astimezone(ZoneInfo(zone)).date()
        <= last
    }


def session(number, start, **given):
    data = {"uuid": f"u{number}", "id": number, "topic": f"Topic {number}", "start_time": start}
    return {**data, "duration": "01:00:00", "participants": 2, **given}


@FAMILIES
@pytest.mark.parametrize("zone", ZONES)
def test_are_exactly_those_of_the_viewers_days(client, connection, sandbox, zone, family):
    """Over months, so that what is asked for has seams."""
    first, last = TODAY - timedelta(days=75), TODAY - timedelta(days=3)
    url = address(
        connection,
        "past-export",
        "csv",
        columns="all",
        type="" if family == "meetings" else family,
        **days(first, last),
    )
    found = [row["UUID"] for row in table_of(seen_in(zone, client), url)]
    assert len(found) == len(set(found))
    assert set(found) == on_days(held(sandbox, family), first, last, zone) != set()


def test_of_a_single_day_are_on_the_page(client, connection, sandbox):
    day = max(held(sandbox), key=lambda one: one["participants"])["start_time"][:10]
    expected = on_days(held(sandbox), *[date.fromisoformat(day)] * 2, "UTC")
    html = sent(seen_in("UTC", client), address(connection, "past", per_page=300, **days(day, day)))
    assert rows_in(html) == len(expected)


def test_are_searched_and_sorted_without_asking_service_again(client, faulty, fault_server):
    today = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    people = [7, None, 12, 1]
    rows = [
        session(number, today, participants=count, topic=f"Topic {number} é")
        for number, count in enumerate(people)
    ]
    fault_server.always(listing("meetings", rows))
    client = seen_in("UTC", client)
    query = {"period": "30-days"}
    html = sent(client, address(faulty, "past", sort="-participants", **query))
    places = [html.index(f"Topic {number}") for number in (2, 0, 3, 1)]
    assert places == sorted(places), "what is unknown comes last"
    asked = len(fault_server.requests)
    html = sent(client, address(faulty, "past", q="TOPIC 3", **query))
    assert "Topic 3" in html
    assert rows_in(html) == 1
    assert len(fault_server.requests) == asked


def test_are_summed_up_by_what_is_known(client, faulty, fault_server):
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = [
        session(1, now, participants=5, duration="00:10:00", has_recording=True),
        session(2, now, participants=-4711, duration="-3"),
        session(3, now, participants=6, duration="02:00:00"),
    ]
    fault_server.always(listing("meetings", rows))
    text = words_of(client.get(address(faulty, "past", period="7-days")).content)
    assert "participants 11" in text
    assert "total duration 2 h 10 min" in text
    assert "4711" not in text.replace(",", "")
    assert "Unknown" in text


def test_the_totals_of_nothing_known_are_unknown(client, faulty, fault_server):
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    fault_server.always(listing("meetings", [session(1, now, participants=-1, duration="soon")]))
    text = words_of(client.get(address(faulty, "past", period="7-days")).content)
    assert "participants Unknown" in text
    assert "total duration Unknown" in text


def test_of_other_centuries_are_left_out_and_that_is_said(client, faulty, fault_server):
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = [session(1, now), session(2, "1890-05-01T09:00:00Z"), session(3, "2999-01-01T00:00:00Z")]
    fault_server.always(listing("meetings", rows))
    text = words_of(client.get(address(faulty, "past", period="7-days")).content)
    assert "Topic 1" in text
    assert "Topic 2" not in text
    assert "2 meetings with a start outside these days" in text


def test_without_a_start_are_shown_as_such(client, faulty, fault_server):
    fault_server.always(listing("meetings", [session(1, "never")]))
    text = words_of(client.get(address(faulty, "past", period="7-days")).content)
    assert "Topic 1" in text
    assert "Unknown" in text


def paged(seen, size=2, count=9):
    """A list of so many, whose tokens are the numbers of what comes next."""
    at = int(seen.query.get("next_page_token") or 0)
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = [session(number, now) for number in range(at, min(at + size, count))]
    token = str(at + size) if at + size < count else ""
    return {"next_page_token": token, "total_records": count, "meetings": rows}


def test_that_are_many_are_read_as_far_as_somebody_waits(client, faulty, fault_server, monkeypatch):
    monkeypatch.setattr(range_reading, "AT_ONCE", 4)
    fault_server.always(depending(lambda seen: answer(200, paged(seen))))
    client = seen_in("UTC", client)
    today = timezone.now().date()
    url = address(faulty, "past", **days(today, today))
    assert "The latest 4 meetings of these days are loaded" in words_of(client.get(url).content)

    more = client.post(address(faulty, "past-more", **days(today, today)), follow=True)
    assert "The latest 8 meetings" in words_of(more.content)
    client.post(address(faulty, "past-more", **days(today, today)))
    html = sent(client, url)
    assert "not complete" not in html
    assert rows_in(html) == 9


def test_a_file_has_all_of_them(client, faulty, fault_server, monkeypatch):
    monkeypatch.setattr(range_reading, "AT_ONCE", 4)
    fault_server.always(depending(lambda seen: answer(200, paged(seen))))
    today = timezone.now().date()
    client = seen_in("UTC", client)
    client.get(address(faulty, "past", **days(today, today)))
    url = address(faulty, "past-export", "csv", columns="all", **days(today, today))
    found = sorted(row["UUID"] for row in table_of(client, url))
    assert found == [f"u{number}" for number in range(9)]
    entry = AuditEntry.objects.latest("sequence")
    assert entry.sent["rows"] == 9


def test_a_file_of_too_many_is_refused_in_words(client, faulty, fault_server, monkeypatch):
    monkeypatch.setattr(range_reading, "MOST", 4)
    fault_server.always(depending(lambda seen: answer(200, paged(seen))))
    found = client.get(address(faulty, "past-export", "csv", period="7-days"), follow=True)
    assert "Choose fewer days" in words_of(found.content)


def test_a_token_that_expires_loses_and_repeats_nothing(client, faulty, fault_server):
    expired = [True]

    def choose(seen):
        if seen.query.get("next_page_token") == "4" and expired:
            expired.clear()
            return answer(400, {"code": 300, "message": "The token has expired."})
        return answer(200, paged(seen))

    fault_server.always(depending(choose))
    today = timezone.now().date()
    client = seen_in("UTC", client)
    assert rows_in(sent(client, address(faulty, "past", **days(today, today)))) == 9


def test_a_service_that_repeats_its_pages_comes_to_an_end(client, faulty, fault_server):
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    page = {"next_page_token": "again", "meetings": [session(1, now)]}
    fault_server.always(answer(200, page))
    assert rows_in(sent(client, address(faulty, "past", period="today"))) == 1
    assert len(fault_server.requests) < 6


def test_a_service_that_does_not_answer_is_said_on_the_page(client, faulty, fault_server):
    fault_server.always(no_answer())
    response = client.get(address(faulty, "past", period="today"))
    assert response.status_code == 200
    text = words_of(response.content)
    assert "Nothing of these days could be loaded" in text
    assert "participants 0" not in text


def test_what_was_read_before_stays_while_the_service_is_down(
    client, faulty, fault_server, monkeypatch
):
    today = timezone.now().date()
    client = seen_in("UTC", client)
    fault_server.always(depending(lambda seen: answer(200, paged(seen))))
    client.get(address(faulty, "past", **days(today, today)))
    fault_server.always(answer(500, {"message": "down"}))
    refreshed = client.post(address(faulty, "past-refresh", **days(today, today)), follow=True)
    assert 'data-toast="warning"' in refreshed.text, "what was read a moment ago says nothing of it"
    monkeypatch.setattr(range_reading, "_FRESH", -1.0)
    page = client.get(address(faulty, "past", **days(today, today)))
    text = words_of(page.content)
    assert "alert-warning" not in page.text, "it would push the rows down"
    assert "This list is as of" in text
    assert "Topic 3" in text


def test_a_slow_service_is_not_waited_for_page_after_page(
    client, faulty, fault_server, monkeypatch
):
    monkeypatch.setattr(range_reading, "_PATIENCE", 0.0)
    fault_server.always(depending(lambda seen: answer(200, paged(seen))))
    text = words_of(client.get(address(faulty, "past", period="today")).content)
    assert "are loaded, and there are more" in text
    assert len(fault_server.requests) == 1


def test_what_another_connection_read_is_not_shown(client, connection, faulty, fault_server):
    cache.clear()
    client.get(address(connection, "past", period="7-days"))
    fault_server.always(listing("meetings", []))
    assert "Nothing was held" in words_of(
        client.get(address(faulty, "past", period="7-days")).content
    )


@pytest.mark.parametrize("type_", ["", "webinars"])
def test_of_one_participant_are_those_that_service_lists_as_such(
    client, connection, sandbox, type_
):
    family = type_ or "meetings"
    first = TODAY - timedelta(days=20)
    url = address(
        connection,
        "past-export",
        "csv",
        columns="all",
        people="one",
        type=type_,
        **days(first, TODAY),
    )
    found = {row["UUID"] for row in table_of(seen_in("UTC", client), url)}
    assert found == on_days(held(sandbox, family, type="pastOne"), first, TODAY, "UTC")


@pytest.mark.whole_pages
@pytest.mark.parametrize(
    ("name", "entry"),
    [("past", "Past sessions"), ("messages", "Reports"), ("now", "Live")],
)
def test_the_navigation_marks_the_one_page_that_is_open(client, connection, name, entry):
    html = client.get(address(connection, name)).content.decode()
    link = r'<a class="nav-link active"[^>]*>.*?<span>(.*?)</span>'
    navigation = html.partition('id="navigation"')[2].partition("</nav>")[0]
    assert re.findall(link, navigation, re.DOTALL) == [entry]
