"""Meetings and webinars that have ended."""

import pytest

from portal.contract.past_sessions import PastMeeting, PastParticipantPage
from tests.sandbox.conftest import everybody, refused
from tests.support.sandbox_state import in_path, pages, read, sessions


@pytest.fixture(scope="module")
def meeting(sandbox):
    """One with several participants."""
    return max(sessions(sandbox.client, "meetings", "past"), key=lambda each: each["participants"])


def test_a_past_meeting_is_reported_by_its_uuid(api, meeting):
    answer = api.get(f"/past_meetings/{in_path(meeting['uuid'])}")

    found = PastMeeting.model_validate_json(answer.content)
    assert (found.uuid, found.id, found.topic) == (
        meeting["uuid"],
        meeting["id"],
        meeting["topic"],
    )
    assert found.user_email == meeting["email"]
    assert found.participants_count == meeting["participants"]
    assert found.start_time
    assert found.end_time
    assert found.duration == -(-(found.end_time - found.start_time).total_seconds() // 60)
    assert found.duration < found.total_minutes <= found.duration * found.participants_count


def test_any_uuid_can_be_addressed_though_it_holds_slashes(api):
    uuids = [each["uuid"] for each in sessions(api, "meetings", "past")]
    with_slash = next(uuid for uuid in uuids if "/" in uuid)

    assert read(api, f"/past_meetings/{in_path(with_slash)}")["uuid"] == with_slash


@pytest.mark.parametrize("what", ["", "/participants"])
def test_a_meeting_that_runs_or_does_not_exist_is_no_past_one(api, what):
    live = sessions(api, "meetings", "live")[0]
    for name in (in_path(live["uuid"]), "nothing", "123"):
        assert "past meeting" in refused(api.get(f"/past_meetings/{name}{what}"), 404)


def test_participants_are_listed_page_by_page(api, meeting):
    path = f"/past_meetings/{in_path(meeting['uuid'])}/participants"
    whole = read(api, path, page_size=300)
    PastParticipantPage.model_validate(whole)

    parts = list(pages(api, path, page_size=2))

    assert [each for part in parts for each in part["participants"]] == whole["participants"]
    assert whole["total_records"] == meeting["participants"] > 4
    assert len({each["id"] for each in whole["participants"]}) == whole["total_records"]


def test_a_token_of_one_meeting_does_not_lead_through_another(api, meeting):
    path = f"/past_meetings/{in_path(meeting['uuid'])}/participants"
    token = read(api, path, page_size=2)["next_page_token"]
    other = next(
        each for each in sessions(api, "meetings", "past") if each["uuid"] != meeting["uuid"]
    )

    answer = api.get(
        f"/past_meetings/{in_path(other['uuid'])}/participants",
        params={"page_size": 2, "next_page_token": token},
    )

    refused(answer, 400, "next_page_token")


@pytest.mark.parametrize("kind", ["meetings", "webinars"])
def test_times_that_one_was_held_are_reported_earliest_first(api, kind):
    held: dict[int, set[str]] = {}
    for each in sessions(api, kind, "past"):
        held.setdefault(each["id"], set()).add(each["uuid"])
    number = max(held, key=lambda each: len(held[each]))
    assert len(held[number]) > 1

    times = read(api, f"/past_{kind}/{number}/instances")[kind]

    assert held[number] <= {each["uuid"] for each in times}
    assert [each["start_time"] for each in times] == sorted(each["start_time"] for each in times)


def test_one_that_was_not_held_yet_has_no_times(api):
    for person in everybody(api):
        asked = {"type": "upcoming", "page_size": 300}
        for meeting in read(api, f"/users/{person['id']}/meetings", **asked)["meetings"]:
            if meeting["type"] == 2:
                path = f"/past_meetings/{meeting['id']}/instances"
                assert read(api, path) == {"meetings": []}
                return
    raise AssertionError


@pytest.mark.parametrize("name", ["1", "nothing", "9" * 30])
@pytest.mark.parametrize("kind", ["meetings", "webinars"])
def test_of_one_that_does_not_exist_no_times_are_known(api, kind, name):
    refused(api.get(f"/past_{kind}/{name}/instances"), 404)


def test_a_webinar_is_not_found_among_meetings(api):
    webinar = sessions(api, "webinars", "past")[0]

    refused(api.get(f"/past_meetings/{webinar['id']}/instances"), 404)
    refused(api.get(f"/past_meetings/{in_path(webinar['uuid'])}"), 404)
