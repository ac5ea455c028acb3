"""Meetings: planned, read, changed, ended and deleted."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from portal.contract.meetings import MeetingDetails
from tests.sandbox.conftest import Json, MakePerson, done, refused


def plan(api, person, **given):
    body = given
    answer = api.post(f"/users/{person['id']}/meetings", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def read(api, meeting):
    answer = api.get(f"/meetings/{meeting['id']}")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def meeting(api, person):
    return plan(api, person, topic="Review", start_time="2038-05-03T10:00:00Z", duration=45)


class TestCreating:
    def test_answers_with_the_meeting_and_where_it_is(self, api: httpx.Client, person: Json):
        body = {
            "topic": "Budget",
            "agenda": "Numbers",
            "start_time": "2038-07-01T09:00:00",
            "timezone": "America/New_York",
            "duration": 30,
            "password": "a_b-9@*",
            "tracking_fields": [{"field": "Cost centre", "value": "12"}],
            "settings": {"waiting_room": True, "approval_type": 0},
        }
        answer = api.post(f"/users/{person['email']}/meetings", json=body)

        assert answer.status_code == 201
        data = answer.json()
        MeetingDetails.model_validate(data)
        assert answer.headers["Content-Location"] == f"/v2/meetings/{data['id']}"
        assert data["host_id"] == person["id"]
        assert data["start_time"] == "2038-07-01T13:00:00Z"
        assert data["type"] == 2
        for name in ("topic", "agenda", "timezone", "duration", "password", "tracking_fields"):
            assert data[name] == body[name]
        assert data["h323_password"].isdigit()
        assert data["join_url"].endswith(data["id"])
        assert data["settings"]["waiting_room"] is True
        assert data["settings"]["approval_type"] == 0
        assert data["settings"]["audio"] == "both"
        assert data["settings"]["mute_upon_entry"] is False
        assert read(api, data) == data

    def test_needs_nothing_but_a_host(self, api: httpx.Client, person: Json):
        data = plan(api, person)
        assert data["topic"]
        assert (data["type"], data["duration"]) == (2, 60)
        assert datetime.fromisoformat(data["start_time"]) <= datetime.now(UTC)

    def test_for_somebody_else_makes_them_the_host(
        self, api: httpx.Client, person: Json, make_person: MakePerson
    ):
        other = make_person()
        for name in (other["id"], other["email"].upper()):
            assert plan(api, person, schedule_for=name)["host_id"] == other["id"]
        listed = {"type": "scheduled"}
        own = api.get(f"/users/{person['id']}/meetings", params=listed).json()
        theirs = api.get(f"/users/{other['id']}/meetings", params=listed).json()
        assert (own["total_records"], theirs["total_records"]) == (0, 2)

    def test_for_nobody_is_refused(self, api: httpx.Client, person: Json):
        body = {"schedule_for": "nobody@brightwater.example"}
        refused(api.post(f"/users/{person['id']}/meetings", json=body), 400, "schedule_for")

    def test_is_not_for_people_who_are_deactivated(self, api: httpx.Client, person: Json):
        path = f"/users/{person['id']}"
        done(api.put(f"{path}/status", json={"action": "deactivate"}))
        refused(api.post(f"{path}/meetings", json={}), 400, "userId")

    def test_without_a_fixed_time_keeps_neither_start_nor_duration(
        self, api: httpx.Client, person: Json
    ):
        data = plan(api, person, type=3, start_time="2038-05-03T10:00:00Z", duration=30)
        assert "start_time" not in data
        assert "duration" not in data
        assert data["occurrences"] == []

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"type": 4}, "type"),
            ({"start_time": "2038-05-03T10:00:00+02:00"}, "start_time"),
            ({"start_time": "tomorrow"}, "start_time"),
            ({"timezone": "Mars/Olympus"}, "timezone"),
            ({"duration": 0}, "duration"),
            ({"duration": 43201}, "duration"),
            ({"password": "with space"}, "password"),
            ({"password": "a" * 11}, "password"),
            ({"settings": {"approval_type": 3}}, "settings.approval_type"),
            ({"settings": {"audio": "loud"}}, "settings.audio"),
        ],
    )
    def test_with_what_cannot_be_is_refused(
        self, api: httpx.Client, person: Json, given: Json, field: str
    ):
        refused(api.post(f"/users/{person['id']}/meetings", json=given), 400, field)


class TestReading:
    @pytest.mark.parametrize("number", ["1", "nobody", "١٢٣", "9" * 18, "9" * 30, "12%2F34"])
    def test_an_unknown_one_is_not_found(self, api: httpx.Client, number: str):
        path = f"/meetings/{number}"
        refused(api.get(path), 404)
        refused(api.get(f"{path}/invitation"), 404)
        refused(api.patch(path, json={}), 404)
        refused(api.delete(path), 404)
        refused(api.put(f"{path}/status", json={"action": "end"}), 404)

    def test_it_goes_by_its_number_only(self, api: httpx.Client, meeting: Json):
        uuid = meeting["uuid"].replace("/", "%252F").replace("+", "%2B")
        refused(api.get(f"/meetings/{uuid}"), 404)

    def test_a_webinar_is_no_meeting(self, api: httpx.Client, person: Json):
        webinar = api.post(f"/users/{person['id']}/webinars", json={}).json()
        refused(api.get(f"/meetings/{webinar['id']}"), 404)


class TestChanging:
    def test_changes_only_what_was_sent(self, api: httpx.Client, meeting: Json):
        change = {"topic": "Renamed", "settings": {"audio": "voip"}}
        done(api.patch(f"/meetings/{meeting['id']}", json=change))

        settings = {**meeting["settings"], "audio": "voip"}
        assert read(api, meeting) == {**meeting, "topic": "Renamed", "settings": settings}

    def test_without_anything_changes_nothing(self, api: httpx.Client, meeting: Json):
        nothing = {"topic": None, "settings": {}, "unknown": 1}
        done(api.patch(f"/meetings/{meeting['id']}", json=nothing))
        assert read(api, meeting) == meeting

    def test_a_local_start_is_in_the_zone_of_the_meeting(self, api: httpx.Client, meeting: Json):
        path = f"/meetings/{meeting['id']}"
        done(api.patch(path, json={"timezone": "Asia/Tokyo"}))
        assert read(api, meeting)["start_time"] == meeting["start_time"]
        done(api.patch(path, json={"start_time": "2038-05-03T10:00:00"}))
        assert read(api, meeting)["start_time"] == "2038-05-03T01:00:00Z"

    def test_gives_it_to_another_host(
        self, api: httpx.Client, meeting: Json, make_person: MakePerson
    ):
        other = make_person()
        done(api.patch(f"/meetings/{meeting['id']}", json={"schedule_for": other["email"]}))
        assert read(api, meeting)["host_id"] == other["id"]

    def test_takes_the_password_away(self, api: httpx.Client, person: Json):
        meeting = plan(api, person, password="secret")
        done(api.patch(f"/meetings/{meeting['id']}", json={"password": ""}))
        data = read(api, meeting)
        assert (data["password"], data["h323_password"]) == ("", "")

    def test_by_many_at_once_keeps_what_each_of_them_changed(
        self, api: httpx.Client, meeting: Json
    ):
        switches = (
            "waiting_room",
            "watermark",
            "mute_upon_entry",
            "join_before_host",
            "cn_meeting",
        )

        def switch_on(name: str) -> None:
            done(api.patch(f"/meetings/{meeting['id']}", json={"settings": {name: True}}))

        with ThreadPoolExecutor(len(switches)) as pool:
            list(pool.map(switch_on, switches))

        data = read(api, meeting)["settings"]
        assert all(data[name] for name in switches)

    def test_never_makes_it_an_instant_meeting(self, api: httpx.Client, meeting: Json):
        refused(api.patch(f"/meetings/{meeting['id']}", json={"type": 1}), 400, "type")

    def test_shows_in_the_list(self, api: httpx.Client, person: Json, meeting: Json):
        done(api.patch(f"/meetings/{meeting['id']}", json={"topic": "Renamed"}))
        asked = {"type": "upcoming"}
        [listed] = api.get(f"/users/{person['id']}/meetings", params=asked).json()["meetings"]
        assert listed["topic"] == "Renamed"


class TestEnding:
    def test_an_instant_meeting_runs_until_it_is_ended(self, api: httpx.Client, person: Json):
        path = f"/users/{person['id']}/meetings"
        meeting = plan(api, person, type=1, topic="Now")
        assert [each["id"] for each in api.get(path).json()["meetings"]] == [meeting["id"]]

        done(api.put(f"/meetings/{meeting['id']}/status", json={"action": "end"}))

        assert api.get(path).json()["meetings"] == []
        assert read(api, meeting)["uuid"] != meeting["uuid"]

    def test_one_that_does_not_run_changes_nothing(self, api: httpx.Client, meeting: Json):
        done(api.put(f"/meetings/{meeting['id']}/status", json={"action": "end"}))
        assert read(api, meeting) == meeting

    def test_knows_no_other_action(self, api: httpx.Client, meeting: Json):
        answer = api.put(f"/meetings/{meeting['id']}/status", json={"action": "start"})
        refused(answer, 400, "action")


def test_a_deleted_meeting_is_gone(api, person, meeting):
    done(api.delete(f"/meetings/{meeting['id']}"))
    refused(api.get(f"/meetings/{meeting['id']}"), 404)
    refused(api.delete(f"/meetings/{meeting['id']}"), 404)
    asked = {"type": "scheduled"}
    assert api.get(f"/users/{person['id']}/meetings", params=asked).json()["meetings"] == []


def test_a_meeting_leaves_with_its_host(api, person, meeting):
    done(api.delete(f"/users/{person['id']}"))
    refused(api.get(f"/meetings/{meeting['id']}"), 404)


class TestInvitation:
    def test_reports_who_invites_to_what_when_and_how(
        self, api: httpx.Client, make_person: MakePerson
    ):
        host = make_person(first_name="Ann", last_name="Lee")
        meeting = plan(
            api,
            host,
            topic="Budget",
            start_time="2038-07-01T09:05:00",
            timezone="Europe/Berlin",
            password="s3cret",
        )
        text = api.get(f"/meetings/{meeting['id']}/invitation").json()["invitation"]
        for part in ("Ann Lee", "Budget", "Jul 1, 2038 09:05 Europe/Berlin", "s3cret"):
            assert part in text
        assert meeting["join_url"] in text


class TestLiveStream:
    ADDRESS = {
        "stream_url": "rtmp://video.example/live",
        "stream_key": "key",
        "page_url": "https://video.example/watch",
    }

    def invitation(self, api: httpx.Client, meeting: Json) -> str:
        text: str = api.get(f"/meetings/{meeting['id']}/invitation").json()["invitation"]
        return text

    def test_is_started_and_stopped(self, api: httpx.Client, person: Json):
        meeting = plan(api, person, type=1)
        path = f"/meetings/{meeting['id']}/livestream"
        done(api.patch(path, json=self.ADDRESS))
        shown = {"active_speaker_name": True, "display_name": "All hands"}
        done(api.patch(f"{path}/status", json={"action": "start", "settings": shown}))
        assert self.ADDRESS["page_url"] in self.invitation(api, meeting)
        done(api.patch(f"{path}/status", json={"action": "stop"}))
        assert self.ADDRESS["page_url"] not in self.invitation(api, meeting)

    def test_ends_with_the_meeting(self, api: httpx.Client, person: Json):
        meeting = plan(api, person, type=1)
        path = f"/meetings/{meeting['id']}"
        done(api.patch(f"{path}/livestream", json=self.ADDRESS))
        done(api.patch(f"{path}/livestream/status", json={"action": "start"}))
        done(api.put(f"{path}/status", json={"action": "end"}))
        assert self.ADDRESS["page_url"] not in self.invitation(api, meeting)

    def test_does_not_start_without_an_address(self, api: httpx.Client, meeting: Json):
        path = f"/meetings/{meeting['id']}/livestream/status"
        refused(api.patch(path, json={"action": "start"}), 400, "action")

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"stream_url": None}, "stream_url"),
            ({"stream_url": "x" * 1025}, "stream_url"),
            ({"stream_key": "x" * 513}, "stream_key"),
            ({"page_url": "x" * 1025}, "page_url"),
        ],
    )
    def test_keeps_to_its_limits(self, api: httpx.Client, meeting: Json, given: Json, field: str):
        path = f"/meetings/{meeting['id']}/livestream"
        refused(api.patch(path, json={**self.ADDRESS, **given}), 400, field)

    def test_of_an_unknown_meeting_is_not_found(self, api: httpx.Client):
        refused(api.patch("/meetings/1/livestream", json=self.ADDRESS), 404)
        refused(api.patch("/meetings/1/livestream/status", json={"action": "stop"}), 404)


def test_the_next_meetings_of_many_are_listed_earliest_first(api, person):
    begin = datetime(2038, 8, 1, 9, tzinfo=UTC)
    for day in (3, 1, 2):
        plan(api, person, start_time=f"{begin + timedelta(days=day):%Y-%m-%dT%H:%M:%SZ}")
    asked = {"type": "upcoming"}
    listed = api.get(f"/users/{person['id']}/meetings", params=asked).json()["meetings"]
    starts = [each["start_time"] for each in listed]
    assert starts == sorted(starts)
    assert len(starts) == 3


def test_a_local_start_without_a_zone_is_in_the_zone_of_the_host(api, person):
    done(api.patch(f"/users/{person['id']}", json={"timezone": "Asia/Tokyo"}))
    made = plan(api, person, topic="x", type=2, start_time="2038-12-01T10:00:00")
    assert (made["start_time"], made["timezone"]) == ("2038-12-01T01:00:00Z", "Asia/Tokyo")


def test_null_in_a_change_counts_as_not_sent_for_every_field(api, meeting):
    before = read(api, meeting)
    settings = dict.fromkeys(before["settings"])
    answer = api.patch(f"/meetings/{meeting['id']}", json={"topic": None, "settings": settings})
    assert (answer.status_code, answer.headers["content-type"]) == (204, "application/json")
    assert read(api, meeting) == before
