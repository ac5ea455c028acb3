"""Live sessions, asked of the service whatever the age of the lists, and ended ones."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.meetings.spec import MEETINGS
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from portal.ui.templatetags.ui import moment
from tests.support.fault_server import answer, depending
from tests.support.html import text_of
from tests.support.session_pages import spec_url, url

pytestmark = pytest.mark.django_db

ENDED = datetime(2020, 3, 2, 10, 5, tzinfo=UTC)


def read_long_ago(connection):
    state = mirror.state_of(connection)
    long_ago = timezone.now() - timedelta(minutes=22)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=long_ago)


def test_that_nothing_runs_is_what_the_service_says_just_now(client, spec, faulty, fault_server):
    read_long_ago(faulty)
    mirror.put(faulty, spec.family, details(spec))
    days = {"from": "2026-11-21", "to": "2026-11-22", "page_size": 300, "next_page_token": ""}
    fault_server.always(answer(200, {**days, spec.family: []}))
    shown = text_of(client.get(spec_url(faulty, spec, "list"), {"when": "live"}).text)
    assert f"No live {spec.plural}" in shown
    assert f"0 {spec.plural} running, as the service said just now" in shown


def test_how_many_take_part_is_said_while_it_runs(client, spec, faulty, fault_server):
    running: dict[str, Any] = {"id": 81234567890, "start_time": ENDED.isoformat()}

    def service(seen):
        if "/metrics/" in seen.path:
            return answer(200, running)
        return answer(200, details(spec).model_dump(mode="json", exclude_unset=True))

    fault_server.always(depending(service))
    for each, words in (
        ({}, ""),
        ({"participants": 1}, ", 1 participant"),
        ({"participants": 1200}, ", 1,200 participants"),
    ):
        running |= each
        page = client.get(spec_url(faulty, spec, "session", "81234567890")).text
        assert f"Live since {moment(ENDED)}{words} Once" in text_of(head_of(page))


def test_one_that_does_not_run_is_not_offered_to_be_ended(client, connection, spec, make_session):
    start = timezone.now() + timedelta(days=3)
    made = make_session(spec, start_time=f"{start:%Y-%m-%dT%H:%M:%SZ}", timezone="UTC")
    page = client.get(url(connection, made))
    assert url(connection, made, "end") not in page.text
    assert url(connection, made, "delete") in page.text
    assert f"Upcoming {moment(start.replace(microsecond=0))}" in text_of(page.text)
    assert "Ended" not in page.text
    assert "Live since" not in page.text
    asked = client.get(url(connection, made, "end"), follow=True)
    assert "is not in progress" in text_of(asked.text)


def test_due_session_that_does_not_run_has_not_started(client, connection, spec, make_session):
    start = timezone.now().replace(microsecond=0) - timedelta(minutes=10)
    begins = {"start_time": f"{start:%Y-%m-%dT%H:%M:%SZ}", "timezone": "UTC", "duration": 240}
    page = text_of(client.get(url(connection, make_session(spec, **begins))).text)
    assert f"Not started Scheduled for {moment(start)}" in page


def test_a_series_is_upcoming_until_its_last_occurrence(client, spec, faulty, fault_server):
    def service(seen):
        if "/metrics/" in seen.path:
            return answer(404, {"code": 3001, "message": "Not live."})
        times = ["2020-03-02T09:00:00Z", "2038-03-08T09:00:00Z", "2038-03-01T09:00:00Z"]
        each = [{"occurrence_id": n, "start_time": one} for n, one in enumerate(times)]
        series = {"type": int(spec.series), "start_time": times[0], "occurrences": each}
        known = details(spec).model_dump(mode="json", exclude_unset=True)
        return answer(200, known | series)

    fault_server.always(depending(service))
    page = text_of(client.get(spec_url(faulty, spec, "session", "81234567890")).text)
    assert f"Upcoming {moment(datetime(2038, 3, 1, 9, tzinfo=UTC))}" in page


def test_one_without_a_fixed_time_says_so(client, connection, spec, make_session):
    loose = next(iter(spec.recurring - spec.fixed))
    facts = head_of(client.get(url(connection, make_session(spec, type=int(loose)))).text)
    assert "No fixed time" in text_of(facts)


def head_of(page):
    """The line of facts below the heading."""
    return page.partition('class="page-subtitle sb-facts"')[2].partition("</header>")[0]


def test_one_whose_time_is_over_and_that_was_never_held_says_so(
    client, connection, spec, faulty, fault_server
):
    fault_server.always(depending(lambda seen: respond(seen, spec, held=[])))
    page = text_of(client.get(spec_url(faulty, spec, "session", "81234567890")).text)
    assert "Not started The scheduled time has passed" in page


def respond(seen, spec, held):
    """A service with one session that does not run and whose time is over."""
    if seen.path.endswith("/instances"):
        return answer(200, {spec.family: held})
    if seen.path.startswith(("/v2/past_", "/v2/report")):
        assert "latest" in seen.path
        return answer(200, {"uuid": "latest", "end_time": ENDED.isoformat()})
    if "/metrics/" in seen.path:
        return answer(404, {"code": 3001, "message": "Not live."})
    session = {
        "id": 81234567890,
        "topic": "Long ago",
        "type": int(spec.once),
        "start_time": "2020-03-02T09:00:00Z",
        "duration": 60,
        "host_id": "h",
    }
    return answer(200, session)


def test_ended_session_says_when_and_leads_to_past_ones(client, spec, faulty, fault_server):
    held = [
        {"uuid": "earlier", "start_time": "2020-03-01T09:00:00Z"},
        {"uuid": "latest", "start_time": "2020-03-02T09:00:00Z"},
    ]
    fault_server.always(depending(lambda seen: respond(seen, spec, held)))
    page = client.get(spec_url(faulty, spec, "session", "81234567890"))
    assert f"Ended on {moment(ENDED)} View past instances" in text_of(page.text)
    assert spec_url(faulty, spec, "held", "81234567890") in head_of(page.text)
    assert spec_url(faulty, spec, "end", "81234567890") not in page.text


def test_past_sessions_of_the_account_report_that_they_ended(client, connection, sandbox):
    today = timezone.now().date()
    asked = {"from": str(today - timedelta(days=28)), "to": str(today), "type": "past"}
    past = sandbox.client.get("/metrics/meetings", params={**asked, "page_size": 300}).json()
    numbers = dict.fromkeys(str(one["id"]) for one in past["meetings"])
    known = (sandbox.client.get(f"/meetings/{number}") for number in numbers)
    number = next(
        str(one.json()["id"])
        for one in known
        if one.status_code == 200
        and one.json()["type"] == 2
        and one.json()["start_time"] < f"{timezone.now() - timedelta(days=1):%Y-%m-%d}"
    )
    assert "Ended" in text_of(client.get(spec_url(connection, MEETINGS, "session", number)).text)


def test_that_the_service_does_not_report_what_runs_is_said(client, spec, faulty, fault_server):
    read_long_ago(faulty)
    mirror.put(faulty, spec.family, details(spec))
    fault_server.always(answer(400, {"code": 200, "message": "No permission for dashboards."}))
    page = client.get(spec_url(faulty, spec, "list"), {"when": "live"})
    assert page.status_code == 200
    shown = text_of(page.text)
    assert f"Live {spec.plural} are unknown" in shown
    assert "No permission for dashboards" in shown
    assert "is live" not in shown


def test_what_may_run_can_be_ended_where_service_does_not_report(
    client, spec, faulty, fault_server
):
    def service(seen):
        if "/metrics/" in seen.path:
            return answer(400, {"code": 200, "message": "No permission for dashboards."})
        return answer(200, details(spec).model_dump(mode="json", exclude_unset=True))

    fault_server.always(depending(service))
    page = client.get(spec_url(faulty, spec, "session", "81234567890"))
    assert spec_url(faulty, spec, "end", "81234567890") in page.text
    facts = text_of(head_of(page.text))
    assert "Live status unknown This connection lacks a permission" in facts
    assert "Upcoming" in facts


def test_a_service_that_fails_leaves_unknown_when_it_ended(client, spec, faulty, fault_server):
    def service(seen):
        if seen.path.endswith("/instances"):
            return answer(500, {"message": "Out of order."})
        return respond(seen, spec, held=[])

    fault_server.always(depending(service))
    facts = text_of(head_of(client.get(spec_url(faulty, spec, "session", "81234567890")).text))
    assert "End time unknown The conferencing service failed" in facts


def details(spec):
    assert spec.get.returns is not None
    data = {"id": 81234567890, "topic": "Sometime", "type": int(spec.once), "host_id": "h"}
    return spec.get.returns.model_validate({**data, "start_time": "2030-03-02T09:00:00Z"})
