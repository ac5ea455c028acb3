"""Promise 8: start links and passwords are hidden until asked for, and calendars."""

from datetime import UTC, datetime

import pytest
from icalendar import Calendar

from portal.meetings.spec import MEETINGS
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db

START = {"start_time": "2038-03-22T09:00:00", "timezone": "Europe/Berlin", "duration": 45}


def test_start_links_and_passwords_are_shown_only_on_request(
    client, connection, spec, make_session
):
    made = make_session(spec, password="hush-1")
    start_url = made.now()["start_url"]
    zak = start_url.partition("zak=")[2]
    for name in ("session", "edit", "delete", "end", "calendar", "template-new"):
        page = client.get(url(connection, made, name), follow=True)
        assert page.status_code == 200
        assert zak not in page.text
        assert "hush-1" not in page.text
    shown = client.get(url(connection, made, "shown"))
    assert "no-store" in shown.headers["Cache-Control"]
    assert start_url in shown.text
    assert ("hush-1" in shown.text) == spec.reports_password


def test_who_may_not_change_a_session_never_gets_its_start_link(
    connect, viewer, spec, make_session
):
    made = make_session(spec)
    connection, client = connect(viewer), admin_client_for(viewer)
    assert client.get(url(connection, made, "shown")).status_code == 403
    page = client.get(url(connection, made)).text
    assert "Start link" not in text_of(page)
    assert url(connection, made, "edit") not in page


def test_a_series_is_an_event_for_each_of_its_times(client, connection, spec, make_session):
    weekly = {"type": 2, "end_times": 2}
    topic = "Ümlaut, comma; and\nline"
    made = make_session(spec, type=int(spec.series), topic=topic, recurrence=weekly, **START)
    answer = client.get(url(connection, made, "calendar"))
    assert answer.headers["Content-Type"].startswith("text/calendar")
    assert "attachment" in answer.headers["Content-Disposition"]
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    assert [(event.start, event.end) for event in events] == [
        (datetime(2038, 3, 22, 8, tzinfo=UTC), datetime(2038, 3, 22, 8, 45, tzinfo=UTC)),
        (datetime(2038, 3, 29, 7, tzinfo=UTC), datetime(2038, 3, 29, 7, 45, tzinfo=UTC)),
    ]
    assert len({str(event["uid"]) for event in events}) == 2
    assert {str(event["summary"]) for event in events} == {topic}
    assert made.now()["join_url"] in str(events[0]["description"])


def test_what_has_no_fixed_time_is_an_empty_calendar(client, connection, make_session):
    made = make_session(MEETINGS, type=3)
    answer = client.get(url(connection, made, "calendar"))
    assert list(Calendar.from_ical(answer.content).walk("VEVENT")) == []


def test_the_overview_says_when_and_how(planner, spec, make_session):
    weekly = {"type": 2, "end_times": 3}
    made = make_session(
        spec,
        type=int(spec.series),
        recurrence=weekly,
        agenda="First\nThen",
        settings={"approval_type": 1, "enforce_login": True},
        **{**START, "timezone": "America/New_York"},
    )
    page = text_of(planner.get(url(planner.connection, made)))
    for words in (
        "Mon 22 Mar 2038, 09:00 to 09:45",
        "Ada Lovelace's time Mon 22 Mar 2038, 14:00 to 14:45",
        "Every week on Monday, 3 occurrences",
        "Occurrences 3",
        "Manual approval",
        "Sign-in required On",
        "First Then",
    ):
        assert words in page
