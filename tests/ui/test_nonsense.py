"""What a service reports and cannot be is unknown, and leads nowhere."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from portal.connections.api import api_for
from portal.contract.recordings import RecordedMeeting
from portal.contract.user_settings import UserSettings
from portal.people.services.account import AccountSnapshot
from portal.recordings import mirror as recordings
from portal.recordings.rows import ListedRecording
from portal.sessions.jobs.remediation import _Hosts
from portal.sessions.models import MirroredSession
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.mirror_services import ACTIVE, person
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def test_sizes_below_zero_are_not_reported():
    settings = UserSettings.read(
        b'{"feature": {"meeting_capacity": -4711, "large_meeting_capacity": -1, "webinar": true}}'
    )
    assert settings.feature
    assert settings.feature.model_fields_set == {"webinar"}


def test_recording_longer_than_a_session_takes_has_no_length(client, faulty, fault_server):
    report = {
        "uuid": "a",
        "topic": "Long",
        "duration": 90_000_000,
        "start_time": "2026-01-01T09:00Z",
    }
    listed = ListedRecording(RecordedMeeting.model_validate(report))
    recordings.replace_recordings(
        faulty, {"h": [listed]}, datetime(2026, 1, 1, tzinfo=UTC), datetime.now(UTC)
    )
    assert recordings.listed(whole(faulty)).get().duration is None
    fault_server.always(answer(200, {**report, "recording_files": []}))
    page = text_of(client.get(f"/c/{faulty.key}/recordings/of/a/").text)
    assert "1,500,000" not in page


def test_meeting_of_a_room_since_1922_has_no_start(client, faulty, fault_server):
    live = {"uuid": "a", "topic": "Old", "start_time": "1922-01-01T09:00:00Z"}
    past = {"total_records": 0, "meetings": []}
    fault_server.always(answer(200, {"id": "r", "live_meeting": live, "past_meetings": past}))
    text = text_of(client.get(f"/c/{faulty.key}/dashboards/rooms/r/").text)
    assert "Old is running in this room" in text
    assert "1922" not in text


def test_row_links_go_through_the_converter(client, faulty, fault_server):
    people = [{"id": "a/../b", "email": "ada@example.com"}]
    fault_server.always(answer(200, {"id": 86123456789, "registrants": people, "total_records": 1}))
    page = client.get(f"/c/{faulty.key}/meetings/86123456789/registrants/").text
    assert "/registrants/of/~YS8uLi9i/" in page
    assert "a/../b/" not in page


def test_meeting_whose_id_is_no_number_leads_nowhere(client, faulty):
    row = MirroredSession(
        connection=faulty, kind="meetings", session_id="a-b", topic="Odd", host_id="h"
    )
    row.stamp()
    row.save()
    page = client.get(f"/c/{faulty.key}/meetings/?when=unscheduled").text
    assert "Odd" in page
    assert "/meetings/a-b/" not in page


def _everybody():
    people = [person(number) for number in range(3)]
    return {"users": people, "total_records": 3, "page_number": 1}


def test_people_of_a_service_that_ignores_the_status_are_active(faulty, fault_server):
    fault_server.always(answer(200, _everybody()))
    api, account = api_for(whole(faulty)), AccountSnapshot()
    account.read_people(SimpleNamespace(api=api, progress=lambda *_: None))
    assert {one.status for one in account.people.values()} == {ACTIVE}
    assert _Hosts(api)._answers == {}
