"""The list of sessions and the calendar, over the mirror of a running service."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.audit.models import AuditEntry
from portal.contract.meetings import MeetingDetails
from portal.contract.users import User as Person
from portal.contract.webinars import WebinarDetails
from portal.directory import users
from portal.jobs.models import Job
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from portal.sessions.agenda import Agenda
from portal.sessions.jobs.reading import READING
from portal.sessions.mirror import SessionFilter
from tests.support.fault_server import answer
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(administrator, connection):
    """A user who opens sessions that were read a moment ago."""
    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=timezone.now())
    return admin_client_for(administrator)


def meeting(connection, number, **values):
    usual = {"id": number, "topic": f"Meeting {number}", "type": 2, "host_id": "h", "duration": 30}
    mirror.put(connection, "meetings", MeetingDetails.model_validate({**usual, **values}))


def webinar(connection, number, **values):
    usual = {"id": number, "topic": f"Webinar {number}", "type": 5, "host_id": "h", "duration": 30}
    mirror.put(connection, "webinars", WebinarDetails.model_validate({**usual, **values}))


def coming(hours=5):
    return (timezone.now() + timedelta(hours=hours)).isoformat()


def shown(client, connection, query="", kind="meetings"):
    answer = client.get(f"/c/{connection.key}/{kind}/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_list_shows_what_is_coming_and_tabs_lead_to_the_rest(client, connection):
    meeting(connection, 1, topic="Coming up", start_time=coming())
    meeting(connection, 2, topic="Long over", start_time=coming(-500))
    meeting(connection, 3, topic="Whenever", type=3)
    webinar(connection, 4, topic="For many", start_time=coming())
    assert "Scheduled for now" not in shown(client, connection)
    for query, expected in (
        ("", {"Coming up"}),
        ("?when=past", {"Long over"}),
        ("?when=unscheduled", {"Whenever"}),
        ("?when=all", {"Coming up", "Long over", "Whenever"}),
        ("?when=all&q=over", {"Long over"}),
        ("?when=all&type=3", {"Whenever"}),
        ("?when=nonsense&sort=nonsense", {"Coming up"}),
    ):
        text = shown(client, connection, query)
        topics = ("Coming up", "Long over", "Whenever", "For many")
        assert {each for each in topics if f">{each}</a>" in text} == expected, query
    assert "For many" in shown(client, connection, kind="webinars")
    meeting(connection, 5, topic="Under way", start_time=coming(-0.25))
    assert shown(client, connection).count('title="Scheduled for now"') == 1


def test_the_list_shows_who_gets_in_and_what_is_recorded(client, connection):
    settings = {"approval_type": 0, "auto_recording": "cloud"}
    meeting(connection, 1, start_time=coming(), password="s3cret", settings=settings)
    meeting(connection, 2, start_time=coming(), settings={"auto_recording": "none"})
    text = shown(client, connection)
    for word in ("Password", "No password", "Registration", "Recorded to the cloud"):
        assert text.count(f'title="{word}"') == 1, word


def test_a_series_that_began_long_ago_is_listed_by_its_next_time(client, connection):
    times = [{"occurrence_id": str(at), "start_time": coming(at)} for at in (-500, 9, 200)]
    meeting(connection, 1, topic="Series", type=8, start_time=coming(-500), occurrences=times)
    meeting(connection, 2, topic="Before", start_time=coming(5))
    meeting(connection, 3, topic="After", start_time=coming(30))
    text = shown(client, connection)
    assert text.index(">Before</a>") < text.index(">Series</a>") < text.index(">After</a>")
    assert f'datetime="{times[1]["start_time"]}"' in text
    assert times[0]["start_time"] not in text


def test_live_sessions_are_those_that_the_service_reports_of(client, connection):
    meeting(connection, 1, topic="Not live", start_time=coming())
    assert "Not live" not in shown(client, connection, "?when=live")
    assert "No results" in shown(client, connection, "?when=live&q=zebra")


def test_filters_report_registration_tracking_and_host(client, connection):
    meeting(
        connection,
        1,
        topic="Registered",
        start_time=coming(),
        settings={"approval_type": 0},
        tracking_fields=[{"field": "Cost centre", "value": "R&D"}],
    )
    meeting(connection, 2, topic="Open", start_time=coming(), host_id="other")
    for query, expected in (
        ("?registration=yes", {"Registered"}),
        ("?registration=no", {"Open"}),
        ("?host=other", {"Open"}),
        ("?recorded=yes", set()),
        ('?tracking=["Cost centre", "R%26D"]', {"Registered"}),
    ):
        text = shown(client, connection, query)
        found = {each for each in ("Registered", "Open") if f">{each}</a>" in text}
        assert found == expected, query
        assert ('title="Registration"' in text) == ("Registered" in found)


def test_the_list_is_taken_along_as_a_file_and_that_is_recorded(client, connection):
    meeting(connection, 1, topic="=HYPERLINK(1)", start_time=coming())
    answer = client.get(f"/c/{connection.key}/meetings/export/csv/?when=all")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    [row] = csv.DictReader(io.StringIO(text))
    assert row["Topic"] == "'=HYPERLINK(1)"
    assert row["ID"] == "1"
    assert AuditEntry.objects.filter(operation="list.export").exists()


def test_a_list_that_was_never_read_is_asked_for(administrator, connection):
    text = shown(admin_client_for(administrator), connection)
    assert "Loading scheduled sessions" in text
    assert "Show progress" in text
    assert Job.objects.filter(kind=READING.job_type).count() == 1


@pytest.mark.parametrize("view", ["month", "week", "list"])
def test_calendar_shows_sessions_on_day_in_zone_of_viewer(client, connection, administrator, view):
    meeting(connection, 1, topic="Late in London", start_time="2026-03-28T23:30:00Z")
    webinar(connection, 2, topic="After the change", start_time="2026-03-29T01:30:00Z")
    client.cookies["zone"] = "Europe%2FBerlin"
    url = f"/c/{connection.key}/calendar/?view={view}&day=2026-03-29"
    text = client.get(url).content.decode()
    assert "Times are in Europe/Berlin" in text
    for topic, time in (("Late in London", "00:30"), ("After the change", "03:30")):
        before = text[: text.index(f">{topic}</")]
        assert f'datetime="2026-03-29T{time}:00' in before[-300:], topic


@pytest.mark.parametrize(
    "case",
    [
        ("Europe/Berlin", "2038-03-28T00:30:00Z", "Sun 28 Mar 2038, 01:30"),
        ("Europe/Berlin", "2038-03-28T01:30:00Z", "Sun 28 Mar 2038, 03:30"),
        ("Europe/Berlin", "2038-10-31T00:30:00Z", "Sun 31 Oct 2038, 02:30"),
        ("Europe/Berlin", "2038-10-31T01:30:00Z", "Sun 31 Oct 2038, 02:30"),
        ("Europe/Berlin", "2038-10-31T02:30:00Z", "Sun 31 Oct 2038, 03:30"),
        ("America/New_York", "2038-03-14T07:30:00Z", "Sun 14 Mar 2038, 03:30"),
        ("Pacific/Auckland", "2038-04-03T14:30:00Z", "Sun 4 Apr 2038, 02:30"),
    ],
)
def test_list_and_page_name_zone_and_shift_no_time(client, faulty, fault_server, case):
    zone, start, local = case
    data = {"id": 81234567890, "topic": "At the change", "type": 2, "host_id": "h", "duration": 60}
    meeting(faulty, 81234567890, **data | {"start_time": start})
    fault_server.always(answer(200, {**data, "start_time": start, "timezone": "Asia/Kolkata"}))
    client.cookies["zone"] = quote(zone, safe="")
    listed = text_of(shown(client, faulty, "?when=all"))
    assert f"Times are in {zone}" in listed
    assert local in listed
    page = text_of(client.get(f"/c/{faulty.key}/meetings/81234567890/").text)
    assert "Time zone Asia/Kolkata" in page
    assert re.search(rf"Your time {local} to \d\d:\d\d {zone}", page)


def test_full_day_of_month_counts_the_rest_and_leads_there(client, connection):
    start = datetime(2026, 5, 12, 9, tzinfo=UTC)
    for number in range(9):
        meeting(connection, number, start_time=(start + timedelta(minutes=number)).isoformat())
    text = client.get(f"/c/{connection.key}/calendar/?day=2026-05-01").content.decode()
    assert "5 more" in text
    assert re.search(r'<span class="badge badge-pill bg-primary-lt" aria-hidden="true">9<', text)
    assert re.search(r">09:00</time>.+>09:01</time>", text, re.DOTALL)
    day = client.get(f"/c/{connection.key}/calendar/?view=list&days=1&day=2026-05-12")
    assert all(f"Meeting {number}<" in day.content.decode() for number in range(9))


def test_a_week_of_three_hundred_sessions_is_all_there(client, connection):
    monday = datetime(2026, 6, 1, 7, tzinfo=UTC)
    for number in range(300):
        start = monday + timedelta(days=number % 5, minutes=15 * (number % 40))
        meeting(connection, number, start_time=start.isoformat())
    answer = client.get(f"/c/{connection.key}/calendar/?view=week&day=2026-06-03")
    text = answer.content.decode()
    beside = sum(int(each) for each in re.findall(r"(\d+) more that day", text))
    assert text.count('class="cal-entry') + beside == 300


def test_week_places_entries_by_their_quarters(client, connection):
    for number, (hour, minutes) in enumerate(((9, 90), (9, 30), (12, 10))):
        start = datetime(2026, 6, 1, hour, 15, tzinfo=UTC).isoformat()
        meeting(connection, number, start_time=start, duration=minutes)
    text = client.get(f"/c/{connection.key}/calendar/?view=week&day=2026-06-01").content.decode()
    places = re.findall(r'class="cal-q(\d+) cal-s(\d+) cal-w(\d)"', text)
    assert places == [("1", "6", "3"), ("1", "2", "3"), ("13", "2", "6")]


def test_the_calendar_is_narrowed_to_a_kind_a_search_and_hosts(client, connection):
    meeting(connection, 1, topic="A meeting", start_time="2026-05-12T09:00:00Z")
    webinar(connection, 2, topic="A webinar", start_time="2026-05-12T09:00:00Z")
    url = f"/c/{connection.key}/calendar/?day=2026-05-01"
    for query, expected in (
        ("", {"A meeting", "A webinar"}),
        ("&kind=webinars", {"A webinar"}),
        ("&q=meeting", {"A meeting"}),
        ("&hosts=nobody-at-all", set()),
    ):
        text = client.get(url + query).content.decode()
        assert {each for each in ("A meeting", "A webinar") if f"{each}<" in text} == expected
    assert "No active user matches nobody-at-all" in text


def test_a_department_stands_for_all_of_its_hosts(client, connection, monkeypatch):
    for number in range(12):
        data = {"id": f"h{number}", "email": f"h{number}@example.com", "dept": "Treasury"}
        users.put(connection, Person.model_validate({**data, "first_name": f"H{number}"}))
        meeting(connection, number, host_id=f"h{number}", start_time="2026-05-12T09:00:00Z")
    meeting(connection, 99, host_id="another", start_time="2026-05-12T09:00:00Z")
    url = f"/c/{connection.key}/calendar/?day=2026-05-01&hosts=treasury"
    text = client.get(url).content.decode()
    assert "12 sessions found" in text
    assert "and 4 more." in text
    monkeypatch.setattr("portal.sessions.views.calendar._MOST_HOSTS", 5)
    text = client.get(url).content.decode()
    assert "5 sessions found" in text
    assert "Too many users match treasury" in text


def test_meeting_with_odd_id_is_shown_without_dead_link(client, connection):
    meeting(connection, 7, start_time=coming())
    meeting(connection, 8, id="consectetur dolore", topic="Odd", start_time=coming())
    listed = shown(client, connection)
    planned = client.get(f"/c/{connection.key}/calendar/?view=list&days=7").text
    for page in (listed, planned):
        assert "Odd" in page
        assert f'href="/c/{connection.key}/meetings/7/"' in page
        assert "consectetur" not in re.sub(r"data-key=\S+", "", page)


def test_calendar_marks_live_sessions_and_missing_passwords(client, connection):
    start = timezone.now() - timedelta(minutes=12)
    meeting(connection, 1, topic="Open", start_time=start)
    meeting(connection, 2, topic="Closed", start_time=start - timedelta(hours=9), password="s3cret")
    address = reverse("sessions:calendar", args=[connection.key])
    for view in ("month", "week"):
        text = client.get(address, {"view": view, "day": f"{start:%F}"}).text
        assert text.count('class="cal-entry cal-open"') == 1, view
        assert text.count(": Open, no password") == 1, view
        assert text.count('aria-label="Scheduled for now"') == 1, view


def test_calendar_marks_coming_sessions_of_a_host_at_once(client, connection):
    start = timezone.now() + timedelta(minutes=40)
    for number, (host, minutes) in enumerate((("h", 0), ("h", 20), ("other", 10), ("h", 90))):
        at = start + timedelta(minutes=minutes)
        meeting(connection, number, topic=f"No {number}", start_time=at, host_id=host)
    past = timezone.now() - timedelta(hours=3)
    for number in (8, 9):
        meeting(connection, number, topic=f"Past {number}", start_time=past)
    agenda = Agenda(whole(connection), ZoneInfo("UTC"), SessionFilter())
    days = agenda.listed(agenda.moments(past.date(), (start + timedelta(days=1)).date()))
    marked = [one.topic for day in days for one in day.shown if one.is_conflicting]
    assert marked == ["No 0", "No 1"]
    page = client.get(f"/c/{connection.key}/calendar/", {"view": "week", "day": f"{start:%F}"}).text
    assert 'cal-conflict"' in page
    assert "No 0, conflicts with another session of the host, no password" in page


@pytest.mark.parametrize(("kind", "put"), [("meetings", meeting), ("webinars", webinar)])
def test_past_sessions_begin_with_the_latest(client, connection, kind, put):
    put(connection, 1, topic="Long over", start_time=coming(-500))
    put(connection, 2, topic="Just over", start_time=coming(-5))
    text = shown(client, connection, "?when=past", kind)
    assert text.index(">Just over</a>") < text.index(">Long over</a>")


def test_free_time_of_a_calendar_opens_the_form_with_it(client, connection):
    meeting(connection, 1, start_time="2038-05-12T09:30:00+00:00")
    calendar = f"/c/{connection.key}/calendar/"
    for view, named, start in (
        ("week", "2038-05-13T09:00", "2038-05-13T09:00"),
        ("month", "2038-05-13", "2038-05-13T09:00"),
    ):
        page = client.get(calendar, {"view": view, "day": "2038-05-12"}).text
        address = f"/c/{connection.key}/meetings/create/?start={named}"
        assert f'href="{address}"' in page, view
        form = form_with(client.get(address).text, "topic")
        assert (form.values["start_time"], form.values["timezone"]) == (start, "UTC"), view
    form = form_with(client.get(f"/c/{connection.key}/meetings/create/?start=soon").text, "topic")
    assert form.values["start_time"]
