"""`zoomus`, a client library that people use with such services, finds its calls answered."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import zoomus

from tests.sandbox.conftest import Json, fresh_email
from tests.sandbox.things import DAYS, Things

NOW = datetime.now(UTC)
START, END = NOW - timedelta(days=20), NOW
ANN = {"first_name": "Ann", "last_name": "Lee"}
STREAM = {"stream_url": "https://live.example/in", "stream_key": "key"}
# What the library has and the interface has not.
NOT_OF_THE_INTERFACE = {"contacts", "phone", "role", "room"}
NEITHER = {"user.me", "webinar.get_absentees"}

Keywords = Callable[[Things], Json]


def of(thing, name="id", **more):
    return lambda things: {name: thing(things), **more}


def session(kind, name="id", **more):
    return lambda things: {name: things.session(kind), **more}


def first(thing, *names, **more):
    return lambda things: {**dict(zip(names, thing(things), strict=False)), **more}


def approval(things):
    number, email = things.registrant("meetings")
    return {"id": number, "action": "approve", "registrants": [{"email": email}]}


def membership(things):
    group = things.group()
    return {"groupid": group, "memberid": things.member(group)}


def recorded_with_a_slash(things):
    """Which it sends as it is."""
    asked = {**DAYS, "type": "past", "page_size": 300}
    found = things.api.get("/metrics/meetings", params=asked).json()["meetings"]
    return next(one["uuid"] for one in found if "/" in one["uuid"])


CALLS: dict[str, Keywords] = {
    "group.list": lambda _: {},
    "group.create": lambda things: {"name": things.name()},
    "group.get": of(Things.group),
    "group.delete": of(Things.group),
    "group.list_members": of(Things.group, "groupid"),
    "group.add_members": lambda things: {
        "groupid": things.group(),
        "members": [{"id": things.person()}],
    },
    "group.delete_member": membership,
    "live_stream.update": session("meetings", "meeting_id", **STREAM),
    "live_stream.update_status": of(Things.streamed, "meeting_id", action="start"),
    "meeting.list": of(Things.person, "user_id"),
    "meeting.create": of(Things.person, "user_id", topic="Review", start_time=NOW),
    "meeting.get": session("meetings"),
    "meeting.update": session("meetings", topic="Retrospective"),
    "meeting.delete": session("meetings"),
    "meeting.update_status": session("meetings", action="end"),
    "meeting.add_registrant": session("meetings", email="ann@north.example", **ANN),
    "meeting.list_registrants": session("meetings"),
    "meeting.update_registrant_status": approval,
    "meeting.list_meeting_participants": first(Things.live_meeting, "id"),
    "metric.list_meetings": lambda _: DAYS,
    "metric.get_meeting": of(recorded_with_a_slash, "meeting_id", type="past"),
    "metric.list_participants": of(recorded_with_a_slash, "meeting_id", type="past"),
    "metric.list_webinar_participants": of(Things.past_webinar, "webinar_id", type="past"),
    "metric.get_participant_qos": first(Things.live_meeting, "meeting_id", "participant_id"),
    "metric.list_participants_qos": first(Things.live_meeting, "meeting_id"),
    "past_meeting.list": lambda things: {"meeting_id": things.recurring_past("meetings")},
    "past_meeting.get": of(recorded_with_a_slash, "meeting_id"),
    "past_meeting.get_participants": of(recorded_with_a_slash, "meeting_id"),
    "recording.list": of(Things.person, "user_id", start=START, end=END),
    "recording.get": first(Things.recording, "meeting_id"),
    "recording.delete": first(Things.recording, "meeting_id"),
    "recording.delete_single_recording": first(Things.recording, "meeting_id", "recording_id"),
    "report.get_user_report": of(Things.person, "user_id", start_time=START, end_time=END),
    "report.get_account_report": lambda _: {"start_time": START, "end_time": END},
    "report.get_daily_report": lambda _: {"month": NOW.month, "year": NOW.year},
    "report.get_meeting_participants_report": of(recorded_with_a_slash),
    "report.get_webinar_participants_report": of(Things.past_webinar),
    "user.list": lambda _: {},
    "user.create": lambda _: {
        "action": "create",
        "user_info": {"email": fresh_email(), "type": 1, **ANN},
    },
    "user.update": of(Things.person, dept="Sales"),
    "user.update_settings": of(Things.person, in_meeting={"chat": True}),
    "user.update_status": of(Things.person, action="deactivate"),
    "user.check_email": lambda _: {"email": "nobody@north.example"},
    "user.update_email": lambda things: {"id": things.person(), "email": fresh_email()},
    "user.delete": of(Things.person),
    "user.get": of(Things.person),
    "user.get_settings": of(Things.person),
    "webinar.list": of(Things.person, "user_id"),
    "webinar.create": of(Things.person, "user_id", topic="Tour"),
    "webinar.update": session("webinars", topic="Guided tour"),
    "webinar.delete": session("webinars"),
    "webinar.end": session("webinars"),
    "webinar.get": session("webinars"),
    "webinar.register": session("webinars", email="ann@north.example", **ANN),
    "webinar.get_registrants": session("webinars"),
    "webinar.add_panelists": session("webinars", panelists=[{"email": "b@c.de", "name": "B"}]),
    "webinar.list_panelists": session("webinars"),
    "webinar.remove_panelists": session("webinars"),
}


@pytest.fixture
def client(sandbox, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("zoomus.util.generate_token", lambda *_: sandbox.token)
    return zoomus.ZoomClient("id", "secret", "account", base_uri=sandbox.url)


def methods(client):
    """Returns the library's methods, but for those outside the interface."""
    found = {
        f"{name}.{method}"
        for name, component in client.components.items()
        if name not in NOT_OF_THE_INTERFACE
        for method, one in vars(type(component)).items()
        if callable(one) and not method.startswith("_")
    }
    return found - NEITHER


def test_all_that_it_can_ask_for_is_tried(client):
    assert set(CALLS) == methods(client)
    assert len(CALLS) == 58


@pytest.mark.parametrize("name", CALLS)
def test_it_is_answered(api, client, make_person, name):
    family, method = name.split(".")
    answer = getattr(client.components[family], method)(**CALLS[name](Things(api)))

    if name == "webinar.end":
        # It sends `status`, where the interface has `action`.
        assert answer.status_code == 400
        assert [each["field"] for each in answer.json()["errors"]] == ["action"]
    else:
        assert answer.status_code in {200, 201, 204}, answer.text
