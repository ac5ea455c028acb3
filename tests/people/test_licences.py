"""Use of licences: by hosting, signing in and planned sessions; and missing data."""

import re
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.connections.api import api_for
from portal.contract.meetings import MeetingDetails
from portal.jobs.models import Job
from portal.mirror import hosting
from portal.mirror.models import MirrorState
from portal.people.licences import plans
from portal.people.licences.use import UsageCutoffs, UseFilter, protect_licences
from portal.people.licences.words import day_in_words, unknown_in_words, use_in_words
from portal.people.models import PlanReading, ProtectedKind, SeatCount
from portal.people.services import seats
from portal.reports.models import StoredWindow
from portal.sessions.mirror import put
from tests.people.licensed import (
    DAY,
    aged,
    all_read,
    facts,
    report_read,
    sessions_read,
    today,
    uses,
)
from tests.support.html import text_of
from tests.support.loaded import all_loaded
from tests.support.portal import admin_client_for
from tests.support.queues import work_off
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(make_person, connection):
    """Three who have been there for long, and never signed in."""
    made = [make_person(first_name=name) for name in ("Ada", "Grace", "Joan")]
    for person in made:
        aged(connection, person)
    return made


def _plan_meeting(connection, host, start, number=7):
    values = {"id": number, "topic": "Soon", "type": 2, "host_id": host.id, "duration": 30}
    values["start_time"] = f"{start.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    put(connection, "meetings", MeetingDetails.model_validate(values))


def _url(connection, name="licences", *args, **query):
    return reverse(f"people:{name}", args=[connection.key, *args], query=query or None)


def test_hosting_signing_in_or_planning_uses_a_licence(connection, people, make_person):
    hosted, signed_in, planned = people
    idle, new = make_person(), make_person()
    aged(connection, idle)
    aged(connection, signed_in, last_login_time=timezone.now() - 2 * DAY)
    _plan_meeting(connection, planned, timezone.now() + 2 * DAY)
    all_read(connection, hosts=[hosted.id])
    assert uses(connection, [*people, idle, new]) == {
        hosted.id: "used",
        signed_in.id: "used",
        planned.id: "used",
        idle.id: "unused",
        new.id: "new",
    }


def test_what_is_over_is_not_planned_and_what_runs_is(connection, people):
    _plan_meeting(connection, people[0], timezone.now() - timedelta(minutes=31), 1)
    _plan_meeting(connection, people[1], timezone.now() - timedelta(minutes=29), 2)
    all_read(connection)
    found = uses(connection, people)
    assert (found[people[0].id], found[people[1].id]) == ("unused", "used")


def test_who_has_no_licence_is_not_listed(connection, make_person):
    basic, pro = make_person(type=1), make_person(type=2)
    assert set(uses(connection, [basic, pro])) == {pro.id}


@pytest.mark.parametrize(
    "zone", ["UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Auckland"]
)
def test_first_day_counts_from_midnight_in_zone_of_viewer(connection, people, zone):
    midnight = UsageCutoffs.of(UseFilter(days=30, zone=zone)).used
    assert midnight.astimezone(ZoneInfo(zone)).strftime("%H:%M") == "00:00"
    aged(connection, people[0], last_login_time=midnight)
    aged(connection, people[1], last_login_time=midnight - timedelta(seconds=1))
    all_read(connection)
    found = uses(connection, people, days=30, zone=zone)
    assert (found[people[0].id], found[people[1].id]) == ("used", "unused")


def test_person_is_new_up_to_midnight_after_chosen_days(connection, people):
    midnight = UsageCutoffs.of(UseFilter(newer=14)).added
    aged(connection, people[0], created_at=midnight)
    aged(connection, people[1], created_at=midnight - timedelta(seconds=1))
    all_read(connection)
    found = uses(connection, people, newer=14)
    assert (found[people[0].id], found[people[1].id]) == ("new", "unused")
    assert set(uses(connection, people, newer=0).values()) == {"unused"}


def test_deactivated_person_holds_licence_unless_protected(
    client, connection, administrator, people
):
    all_loaded(connection)
    for person in people[:2]:
        aged(connection, person, created_at=timezone.now(), status="inactive")
    assert set(uses(connection, people[:2]).values()) == {"deactivated"}
    [line] = [words for words in _home_of(client) if "deactivated" in words]
    assert line == "2 licences are held by deactivated people"
    named = [(people[0].id, people[0].name)]
    protect_licences(Origin(administrator), connection, ProtectedKind.PERSON, named, "Comes back")
    assert uses(connection, people[:2])[people[0].id] != "deactivated"
    [line] = [words for words in _home_of(client) if "deactivated" in words]
    assert line == "1 licence is held by a deactivated person"


def _home_of(client):
    return re.findall(r'<a class="row-link"[^>]*>([^<]*)</a>', client.get("/").text)


def test_unknown_day_of_arrival_is_not_taken_for_idle(connection, people):
    aged(connection, people[0], created_at=None)
    aged(connection, people[1], created_at=None, last_login_time=timezone.now() - 200 * DAY)
    all_read(connection)
    found = uses(connection, people)
    assert (found[people[0].id], found[people[1].id]) == ("unknown", "unused")


def test_without_report_nobody_is_unused_and_days_are_named(connection, people):
    sessions_read(connection)
    assert set(uses(connection, people).values()) == {"unknown"}
    [said] = unknown_in_words(facts(connection, people))
    assert "is not known. Not loaded." in said


def test_a_gap_of_one_day_makes_use_unknown(connection, people):
    sessions_read(connection)
    middle = today() - 40 * DAY
    report_read(connection, today() - 91 * DAY, middle - DAY)
    report_read(connection, middle + DAY, today())
    assert set(uses(connection, people).values()) == {"unknown"}
    [said] = unknown_in_words(facts(connection, people))
    assert day_in_words(middle) in said
    report_read(connection, middle, middle)
    assert set(uses(connection, people).values()) == {"unused"}


def test_short_report_leaves_its_days_unknown(connection, people):
    sessions_read(connection)
    window = report_read(connection, today() - 91 * DAY, today(), reported=5)
    assert set(uses(connection, people).values()) == {"unknown"}
    [said] = unknown_in_words(facts(connection, people))
    assert "The service reports 5 hosts, and listed 0." in said
    StoredWindow.objects.filter(pk=window.pk).update(reported=0, failure="No such plan.")
    [said] = unknown_in_words(facts(connection, people))
    assert "No such plan." in said


def test_report_of_days_that_were_not_over_is_believed_for_day(connection, people):
    sessions_read(connection)
    read_at = timezone.now() - timedelta(hours=23)
    window = report_read(connection, today() - 91 * DAY, read_at.date(), read_at=read_at)
    assert set(uses(connection, people).values()) == {"unused"}
    StoredWindow.objects.filter(pk=window.pk).update(read_at=timezone.now() - 3 * DAY)
    assert set(uses(connection, people).values()) == {"unknown"}


def test_earlier_days_count_only_if_no_others_are_there(connection, people):
    sessions_read(connection)
    before = today() - 95 * DAY
    report_read(connection, before, today() - 50 * DAY, [people[0].id])
    report_read(connection, today() - 49 * DAY, today(), [people[1].id])
    found = uses(connection, people)
    assert [found[one.id] for one in people] == ["used", "used", "unused"]
    report_read(connection, today() - 90 * DAY, today() - 50 * DAY)
    found = uses(connection, people)
    assert [found[one.id] for one in people] == ["unused", "used", "unused"]


def test_without_a_reading_of_sessions_nobody_is_unused(connection, people):
    report_read(connection, today() - 91 * DAY, today())
    assert set(uses(connection, people).values()) == {"unknown"}
    [said] = unknown_in_words(facts(connection, people))
    assert said.startswith("Which meetings and webinars are planned is not known.")


def test_the_reasons_are_said_in_words(connection, people):
    aged(connection, people[1], last_login_time=timezone.now() - 200 * DAY)
    all_read(connection)
    known = facts(connection, people)
    rows = {row.user_id: row for row in known.find()}
    first = day_in_words(known.since.used.date())
    assert use_in_words(known, rows[people[0].id]) == (
        f"Never signed in. Nothing hosted since {first}, nothing scheduled."
    )
    day = day_in_words((timezone.now() - 200 * DAY).date())
    assert use_in_words(known, rows[people[1].id]) == (
        f"Last signed in on {day}. Nothing hosted since {first}, nothing scheduled."
    )


@pytest.mark.django_db(transaction=True)
def test_the_report_is_read_for_exactly_these_days_by_a_job(
    connection, administrator, sandbox, work
):
    report = hosting.report()
    assert report
    first = today() - 60 * DAY
    report.request(connection, Origin(administrator), first)
    report.request(connection, Origin(administrator), first)
    work(Job.objects.get())
    found = report.stored(whole(connection), first)
    assert found.is_complete
    asked = {"from": f"{first}", "to": f"{today()}", "page_size": 300, "type": "active"}
    hosted: set[str] = set()
    for window in StoredWindow.objects.all():
        query = {**asked, "from": f"{window.first}", "to": f"{window.last}"}
        users = sandbox.client.get("/report/users", params=query).json()["users"]
        hosted |= {user["id"] for user in users}
    assert hosted
    assert set(found.hosts.values_list("host", flat=True)) == hosted


def test_what_was_read_by_a_job_is_not_read_again(connection, administrator):
    report = hosting.report()
    assert report
    report.read(whole(connection), api_for(scope_of(administrator, connection)), today() - 60 * DAY)
    windows = set(StoredWindow.objects.values_list("pk", flat=True))
    report.read(whole(connection), api_for(scope_of(administrator, connection)), today() - 60 * DAY)
    assert set(StoredWindow.objects.values_list("pk", flat=True)) == windows


def test_the_page_shows_seats_people_and_suggestions(client, connection, people, administrator):
    all_read(connection)
    seats.state(Origin(administrator), connection, {2: 100, 3: None})
    answer = client.get(_url(connection))
    said = text_of(answer.text)
    assert "3 of 100 used" in said
    assert "97 free" in said
    assert "Move 3 people from Pro to Basic" in said
    assert "Frees 3 Pro licences of 3 used; the plan has 100." in said
    assert all(f'data-key="{person.id}"' in answer.text for person in people)
    assert "Never signed in. Nothing hosted since" in said


def test_nothing_is_suggested_while_something_is_unknown(client, connection, people):
    said = text_of(client.get(_url(connection)).text)
    assert "Move 3 people" not in said
    assert "Nothing is suggested while this is missing" in said
    assert Job.objects.filter(kind="reports.read").count() == 1
    assert Job.objects.filter(kind="sessions.read").count() == 1
    client.get(_url(connection))
    assert Job.objects.filter(kind="reports.read").count() == 1


def test_tabs_and_filters_narrow_the_list(client, connection, people):
    aged(connection, people[0], last_login_time=timezone.now())
    aged(connection, people[1], last_login_time=timezone.now() - 45 * DAY)
    all_read(connection)

    def listed(**query):
        html = client.get(_url(connection, **query)).text
        return {place for place, one in enumerate(people) if f'data-key="{one.id}"' in html}

    assert listed() == {2}
    assert listed(days="30") == {1, 2}
    assert listed(days="30", reason="never") == {2}
    assert listed(use="used") == {0, 1}
    assert listed(use="all") == {0, 1, 2}
    assert listed(use="protected") == set()
    assert listed(q="grace", days="30") == {1}


def test_a_file_holds_the_facts_and_the_reason(client, connection, people):
    all_read(connection)
    answer = client.get(_url(connection, "licences-export", "csv", columns="all"))
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert len(lines) == 4
    assert {"Use", "Reason", "Hosted", "Next session", "Last sign-in"} <= set(
        lines[0].removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").split(",")
    )
    assert all("Never signed in. Nothing hosted" in line for line in lines[1:])


def test_the_plan_of_the_account_is_read_stored_and_counted(client, connection, people):
    answer = client.post(_url(connection, "licences-read"))
    assert answer.status_code == 303
    reading = PlanReading.objects.get(connection=connection)
    assert bool(reading.failure) != bool(reading.base_hosts or reading.plans)
    PlanReading.objects.filter(pk=reading.pk).update(
        base_hosts=9, failure="", plans=[["Webinars", "webinar 500", 4]]
    )
    all_read(connection)
    said = text_of(client.get(_url(connection)).text)
    assert "3 of 9 used" in said
    assert "As the service reports the plan" in said
    assert "webinar 500, for 4 hosts" in said


def test_the_trend_has_a_value_for_each_day_that_was_counted(connection, people):
    sessions_read(connection)
    MirrorState.objects.filter(connection=connection, kind="users").update(
        refreshed_at=timezone.now()
    )
    work_off(plans.COUNTINGS)
    assert plans.trend(connection) is None
    SeatCount.objects.create(connection=connection, licence=2, day=today() - DAY, used=2)
    chart = plans.trend(connection)
    assert chart
    assert list(chart.series[0].values) == [2, 3]


def test_a_viewer_sees_licences_and_changes_nothing(connect, viewer, make_person):
    connection = connect(viewer)
    browser = admin_client_for(viewer)
    html = browser.get(_url(connection)).text
    assert "Set licence count" not in html
    assert browser.post(_url(connection, "licences-reclaim"), {"all": "1"}).status_code == 403
