"""The preview of a plan, before it is saved: dates, time zones, and conflicts."""

import pytest

from portal.meetings.spec import MEETINGS
from portal.webinars.spec import WEBINARS
from tests.support.fault_server import answer, depending
from tests.support.html import form_with, text_of
from tests.support.session_pages import spec_url, typed, url

pytestmark = pytest.mark.django_db

WEEKLY = {
    "type": "8",
    "recurrence.type": "2",
    "recurrence.weekly_days": ["2", "4"],
    "ends": "until",
    "recurrence.end_date_time": "2038-04-01",
}


def looked(planner, host, **more):
    """Returns the text of the preview of the usual form with these values."""
    form = planner.filled_in(MEETINGS, host, **more)
    answer = planner.client.post(
        planner.url(MEETINGS, "create-preview"), form.values, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200
    return text_of(answer.text)


def test_dates_are_shown_on_each_clock_across_changes(planner, host):
    planner.client.cookies["zone"] = "America%2FNew_York"
    said = looked(planner, host, **WEEKLY)
    assert "Every week on Monday and Wednesday, until 1 April 2038" in said
    assert "Mon 1 Mar 2038, 09:00 to 10:00" in said
    assert "Your time America/New_York, GMT-5 Mon 1 Mar 2038, 03:00 to 04:00" in said
    assert "10 dates" in said
    assert "Mon 15 Mar 2038 09:00 04:00 for you, as clocks change" in said
    assert "Mon 29 Mar 2038 09:00 03:00 for you" in said


def test_no_clock_is_of_viewer_before_browser_reports_zone(planner, host):
    said = looked(planner, host, **WEEKLY)
    assert "Mon 1 Mar 2038, 09:00 to 10:00" in said
    assert "Your time" not in said
    assert "for you" not in said


GAP = {"start_time": "2038-03-28T02:30", "type": "8", "recurrence.type": "2"}


def test_a_start_that_clocks_leave_out_moves_that_day_alone(planner, host):
    form = planner.filled_in(MEETINGS, host, recurrence__end_times="2", **GAP)
    said = text_of(planner.send(form, look="yes").text)
    assert "Sun 28 Mar 2038 03:30 on this day alone, as clocks go forward" in said
    assert "Sun 4 Apr 2038 02:30" in said
    made = planner.made_by(planner.send(form), MEETINGS)
    starts = [one["start_time"] for one in made["occurrences"]]
    assert starts == ["2038-03-28T01:30:00Z", "2038-04-04T00:30:00Z"]


def test_each_date_is_given_on_the_clock_of_the_host(planner, make_host):
    host = make_host(first_name="Grace", timezone="America/New_York")
    said = looked(planner, host, **WEEKLY)
    assert "Mon 1 Mar 2038 09:00 03:00 for Grace Lovelace" in said
    assert "Mon 15 Mar 2038 09:00 04:00 for Grace Lovelace, as clocks change" in said


def test_the_time_zone_of_the_host_is_proposed(planner, make_host):
    host = make_host(first_name="Grace", timezone="Asia/Tokyo")
    form = planner.filled_in(MEETINGS, host, topic="Kept")
    assert "The time zone of Grace Lovelace is Asia/Tokyo." in looked(planner, host)
    again = form_with(planner.send(form, use_zone="Asia/Tokyo").text, "topic")
    assert (again.values["timezone"], again.values["topic"]) == ("Asia/Tokyo", "Kept")
    assert again.values["start_time"] == form.values["start_time"]


def test_next_free_time_of_a_host_who_has_none_then_is_offered(planner, make_host):
    host = make_host()
    for start in ("2038-03-01T09:00", "2038-03-01T10:10"):
        planner.plan(MEETINGS, host, start_time=start, duration="60")
    form = planner.filled_in(MEETINGS, host, start_time="2038-03-01T09:30", duration="60")
    page = planner.client.post(planner.url(MEETINGS, "create-preview"), form.values).text
    assert 'value="2038-03-01T11:15" data-takes="start_time"' in page
    form.values["start_time"] = "2038-03-01T12:00"
    page = planner.client.post(planner.url(MEETINGS, "create-preview"), form.values).text
    assert "Next free" not in page


def test_it_works_by_a_button_without_scripts(planner, host):
    form = planner.filled_in(MEETINGS, host, start_time="2038-03-28T02:30", topic="Kept")
    page = planner.send(form, look="yes")
    assert page.status_code == 200
    assert "02:30 does not exist on 28 March 2038 in Europe/Berlin" in text_of(page.text)
    assert form_with(page.text, "topic").values["topic"] == "Kept"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"start_time": "2038-10-31T02:30"}, "comes twice on 31 October 2038"),
        ({"start_time": "2020-01-01T09:00"}, "The start is in the past."),
        ({"expected": "2000"}, "can join what Ada Lovelace hosts; 2,000 are expected."),
        ({"start_time": "soon"}, "Choose a start and a time zone"),
    ],
)
def test_what_is_odd_is_said(planner, host, given, words):
    assert words in looked(planner, host, **given)


def test_clash_with_any_of_dates_is_reported_but_not_with_itself(planner, host, make_session):
    start = {"start_time": "2038-03-10T08:30:00Z", "duration": 30}
    made = make_session(WEBINARS, topic="Town hall", **start)
    assert "Ada Lovelace has “Town hall” at that time" in looked(planner, host, **WEEKLY)
    address = url(planner.connection, made, "edit")
    form = typed(form_with(planner.get(address), "topic"))
    own = planner.client.post(f"{address}preview/", form.values).text
    assert "Town hall" not in text_of(own)


def test_a_host_who_cannot_be_looked_up_is_no_obstacle(client, faulty, fault_server):
    def service(seen):
        is_asked = seen.path.endswith("/tracking_fields")
        return answer(200, {"tracking_fields": []}) if is_asked else answer(400, {})

    fault_server.always(depending(service))
    values = {"host": "u1", "start_time": "2038-03-01T09:00", "timezone": "UTC", "type": "2"}
    said = text_of(client.post(spec_url(faulty, MEETINGS, "create-preview"), values).text)
    assert "could not be loaded, so they are not checked" in said
    assert "Mon 1 Mar 2038, 09:00" in said
