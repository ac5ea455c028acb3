"""The sandbox as a service of today: names, numbers, pages and codes other than the document's."""

from pathlib import Path
from typing import Any

import pytest

import portal.client
from portal.client.dialect import read_dialect
from portal.sandbox.current.names import KEYS, PATHS
from tests.sandbox.conftest import done, new_person, refused
from tests.support.sandbox import Sandbox

deep = pytest.mark.deep  # a sandbox of its own
DAYS = {"from": "2026-01-01", "to": "2026-01-02"}


@pytest.fixture(scope="module")
def today(tmp_path_factory):
    made = Sandbox(tmp_path_factory.mktemp("today"), "--users=60", "--profile=current", "--frozen")
    made.start()
    yield made
    made.client.close()
    made.stop()


def get(service, path, **asked):
    answer = service.client.get(path, params=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_names_are_those_of_the_dialect_that_comes_with_it():
    file = Path(portal.client.__file__).parent / "dialects" / "current.toml"
    dialect = read_dialect(file)
    assert (dialect.paths, dialect.keys) == (PATHS, KEYS)


@deep
def test_renamed_paths_are_served_and_earlier_ones_are_not(today):
    assert get(today, "/tracking_fields")["tracking_fields"]
    assert get(today, "/metrics/zoomrooms")["zoom_rooms"]
    assert "sessions" in get(today, "/report/chat/sessions", **DAYS)
    for path in ("/v2/tracking_fields", "/metrics/confrooms", "/webhooks", "/nothing"):
        answer = today.client.get(path)
        refused(answer, 404)
        assert answer.json()["code"] == 2300


@deep
def test_fields_are_sent_and_answered_by_their_names_of_today(today):
    streams = {"in_meeting": {"workplace_by_facebook": True}}
    done(today.client.patch("/users/me/settings", json=streams))
    assert get(today, "/users/me/settings")["in_meeting"]["workplace_by_facebook"] is True
    account = get(today, "/accounts", page_size=1)["accounts"][0]
    path = f"/accounts/{account['id']}"
    assert get(today, path)["account_number"] == account["account_number"]
    windows = {"in_meeting": {"allow_show_zoom_windows": True}}
    done(today.client.patch(f"{path}/settings", json=windows))
    settings = get(today, f"{path}/settings")
    assert settings["in_meeting"]["allow_show_zoom_windows"] is True
    assert "schedule_meeting" in settings


@deep
def test_next_page_token_alone_goes_on_through_the_list(today):
    everybody = get(today, "/users", page_size=1000)
    assert everybody["page_size"] == 300
    assert (everybody["page_count"], everybody["next_page_token"]) == (1, "")
    page = get(today, "/users", page_size=7)
    assert page["page_count"] == -(-page["total_records"] // 7)
    assert page["page_number"] == 1
    found = list(page["users"])
    while page["next_page_token"]:
        page = get(today, "/users", next_page_token=page["next_page_token"])
        found += page["users"]
    assert found == everybody["users"]
    refused(today.client.get("/users?next_page_token=x"), 400, "next_page_token")

    past = get(today, "/metrics/meetings", type="past", page_size=5)
    after = get(today, "/metrics/meetings", next_page_token=past["next_page_token"])
    ids = [each["uuid"] for page in (past, after) for each in page["meetings"]]
    assert len(set(ids)) == len(ids) > 5


@deep
def test_me_is_owner_and_people_have_status_and_role(today):
    me = get(today, "/users/me")
    assert (me["status"], me["role_id"], me["verified"]) == ("active", "0", 1)
    assert isinstance(me["pmi"], int)
    assert "meetings" in get(today, "/report/users/me/meetings")
    assert get(today, "/users/me/recordings")["from"] < get(today, "/users/me/recordings")["to"]
    listed = {each["email"]: each for each in get(today, "/users", page_size=300)["users"]}
    assert listed[me["email"]]["role_id"] == "0"

    invited = new_person(today.client, "create", email="invited@brightwater.example", type=1)
    pending = get(today, "/users", status="pending", page_size=300)["users"]
    assert not any("id" in each for each in pending)
    assert {each["status"] for each in pending} == {"pending"}
    assert get(today, f"/users/{invited['email']}")["status"] == "pending"


@deep
def test_recordings_of_the_account_are_those_of_all_people(today):
    people = get(today, "/users", page_size=300)["users"]
    of_people = [
        each["uuid"]
        for person in people
        for each in get(today, f"/users/{person['id']}/recordings", page_size=300)["meetings"]
    ]
    page = get(today, "/accounts/me/recordings", page_size=10)
    found = list(page["meetings"])
    while page["next_page_token"]:
        token = page["next_page_token"]
        page = get(today, "/accounts/me/recordings", next_page_token=token)
        found += page["meetings"]
    assert len(found) > 10
    assert sorted(each["uuid"] for each in found) == sorted(of_people)
    refused(today.client.get("/accounts/other/recordings"), 404)


@deep
def test_meeting_has_its_state_and_passwords_and_takes_nulls(today):
    plan = {"topic": "Plan", "type": 2, "start_time": "2027-01-05T10:00:00", "settings": None}
    made = today.client.post("/users/me/meetings/", json=plan).json()
    assert isinstance(made["id"], int)
    assert (made["status"], made["password"], made["pstn_password"]) == ("waiting", "", "")
    assert made["settings"]["meeting_authentication"] is False
    scheduled = get(today, "/users/me/meetings", page_size=300)["meetings"]
    coming = get(today, "/users/me/meetings", type="upcoming_meetings", page_size=300)["meetings"]
    earlier = get(today, "/users/me/meetings", type="previous_meetings")["meetings"]
    ids = [{each["id"] for each in found} for found in (scheduled, coming, earlier)]
    assert made["id"] in ids[0] & ids[1]
    assert made["id"] not in ids[2]

    path = f"/meetings/{made['id']}"
    done(today.client.patch(path, json={"settings": {"approval_type": 0, "audio": None}}))
    someone = {"email": "a@north.example", "first_name": "Ann", "org": None}
    registered = today.client.post(f"{path}/registrants", json=someone)
    assert (registered.status_code, registered.json()["id"]) == (201, made["id"])


@deep
def test_sign_in_is_set_by_its_name_of_today_and_read_by_both(today):
    asked = {"meeting_authentication": True, "authentication_domains": "north.example"}
    for settings, taken in ((asked, True), ({"enforce_login": True}, False)):
        plan = {"topic": "Closed", "type": 1, "settings": settings}
        made = today.client.post("/users/me/meetings", json=plan).json()
        for whole in (made, get(today, f"/meetings/{made['id']}")):
            assert whole["settings"]["meeting_authentication"] is taken
            assert whole["settings"]["enforce_login"] is taken
    done(today.client.patch(f"/meetings/{made['id']}", json={"settings": {"enforce_login": True}}))
    assert get(today, f"/meetings/{made['id']}")["settings"]["meeting_authentication"] is True


@deep
def test_webinar_has_its_password_and_a_person_no_host_key(today):
    plan = {"topic": "Launch", "type": 5, "password": "hush1"}
    made = today.client.post("/users/me/webinars", json=plan).json()
    assert get(today, f"/webinars/{made['id']}")["password"] == "hush1"
    assert "host_key" not in get(today, "/users/me")


@deep
def test_refusals_have_the_codes_of_today(today):
    asked = {
        "/users/nobody@north.example": (404, 1001),
        "/meetings/123456789": (404, 3001),
        "/users?page_size=none": (400, 300),
    }
    for path, (status, code) in asked.items():
        answer = today.client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    answer = today.client.get("/users", headers={"Authorization": "Bearer other"})
    assert (answer.status_code, answer.json()["code"]) == (401, 124)


@deep
def test_number_of_a_past_meeting_names_the_last(today):
    [last, *_] = get(today, "/metrics/meetings", type="past")["meetings"]
    by_number = get(today, f"/past_meetings/{last['id']}")
    assert by_number["id"] == last["id"]
    people = get(today, f"/past_meetings/{last['id']}/participants")["participants"]
    assert all("user_email" in each for each in people)
    assert "questions" in get(today, f"/past_meetings/{last['id']}/polls")


@deep
def test_participants_and_absentees_of_past_webinars_are_listed(today):
    [last, *_] = get(today, "/metrics/webinars", type="past")["webinars"]
    path = f"/past_webinars/{last['id']}"
    came = get(today, f"{path}/participants", page_size=300)
    assert came["total_records"] == len(came["participants"]) > 0
    absent = get(today, f"{path}/absentees")
    assert absent["total_records"] == len(absent["registrants"])
    emails = {one["user_email"].casefold() for one in came["participants"]}
    assert not emails.intersection(one["email"].casefold() for one in absent["registrants"])
    assert "questions" in get(today, f"{path}/qa")


@deep
def test_live_stream_is_reported_as_it_was_set(today):
    [person, *_] = get(today, "/users")["users"]
    body = {"topic": "Streamed", "type": 1}
    made = today.client.post(f"/users/{person['id']}/meetings", json=body).json()
    path = f"/meetings/{made['id']}/livestream"
    assert get(today, path) == {"stream_url": "", "stream_key": "", "page_url": ""}
    place = {"stream_url": "rtmp://x.example/in", "stream_key": "k", "page_url": ""}
    assert today.client.patch(path, json=place).status_code == 204
    assert get(today, path) == place


@deep
def test_counters_of_messages_have_their_names_of_today(today):
    days = {"from": "2026-01-01", "to": "2026-01-02"}
    users = get(today, "/metrics/chat", **days)["users"]
    assert users
    for each in users:
        assert {"total_sent", "p2p_sent", "audio_sent", "giphys_sent"} <= each.keys()
        assert not [name for name in each if name.endswith("_receive") or "calls" in name]


@deep
def test_changed_messages_are_listed_apart_on_request(today):
    days = {"from": "2026-01-01", "to": "2026-12-31", "page_size": 50}
    apart: dict[str, int] = {"edited_messages": 0, "deleted_messages": 0}
    for session in get(today, "/report/chat/sessions", **days)["sessions"]:
        path = f"/report/chat/sessions/{session['id']}"
        plain = get(today, path, **days)
        whole = get(today, path, **days, include_fields=",".join(apart))
        assert not apart.keys() & plain.keys()
        assert plain["messages"] == whole["messages"]
        for name in apart:
            apart[name] += len(whole[name])
    assert all(apart.values())
