"""Objects that were read can be sent again as they came, field by field."""

import json
from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from portal.contract import operations
from portal.contract.dashboards import ConferenceRoomDetails, ParticipantQuality
from portal.contract.meetings import MeetingDetails
from portal.contract.model import MASK, fields, is_sensitive, submodel
from portal.contract.recordings import RecordingPage
from tests.support.cases import for_each
from tests.support.samples import sample

ANSWERS = {one.returns for one in operations() if one.returns}
REQUESTS = {each for one in operations() for each in (one.query, one.body) if each}
JSON_REQUESTS = {each for each in REQUESTS if each.content_type == "application/json"}


def by_name(models):
    ordered = sorted(models, key=lambda model: model.__name__)
    return for_each("model", ordered, ids=lambda model: model.__name__)


@by_name(ANSWERS)
def test_an_answer_is_read_whole(model):
    data = sample(model)
    assert model.read(json.dumps(data).encode()).sent() == data


@by_name(ANSWERS)
def test_minimal_answer_of_required_fields_is_read(model):
    data = {name: sample(model)[name] for name, info in fields(model) if info.is_required()}
    assert model.read(json.dumps(data).encode()).sent() == data


@by_name(JSON_REQUESTS)
def test_a_request_is_understood_as_it_was_meant(model):
    meant = sample(model)
    assert model.model_validate(meant).sent() == meant
    assert model.accept(json.dumps(meant).encode()).sent() == meant


@by_name(JSON_REQUESTS)
def test_unknown_field_is_error_here_and_ignored_there(model):
    meant = sample(model)
    beyond = meant | {"shoe_size": 44}
    with pytest.raises(ValidationError):
        model.model_validate(beyond)
    assert model.accept(json.dumps(beyond).encode()).sent() == meant


def secrets(model):
    found = {name for name, info in fields(model) if is_sensitive(info)}
    for _, info in fields(model):
        inner = submodel(info.annotation)
        found |= secrets(inner) if inner else set()
    return found


def test_what_is_secret_is_marked_so():
    assert {name for model in ANSWERS | REQUESTS for name in secrets(model)} == {
        "auth_password",
        "download_url",
        "h323_password",
        "host_key",
        "leader_pin",
        "listen_only_password",
        "participant_password",
        "password",
        "start_url",
        "stream_key",
        "token",
        "zpk",
    }


@pytest.mark.parametrize("name", ["password", "host_key", "auth_password", "start_url", "pin"])
def test_no_field_of_such_a_name_is_left_open(name):
    open_ones = {
        f"{model.__name__}.{field}"
        for model in ANSWERS | REQUESTS
        for field, info in fields(model)
        if field.endswith(name) and info.annotation is not bool and not is_sensitive(info)
    }
    assert {each for each in open_ones if "force_" not in each} == set()


def test_secrets_of_an_answer_are_masked_at_any_depth():
    data = sample(RecordingPage)
    masked = RecordingPage.read(json.dumps(data).encode()).masked()
    assert masked["meetings"][0]["recording_files"][0]["download_url"] == MASK
    assert masked["meetings"][0]["topic"] == "Words"


def test_a_meeting_as_a_service_reports_it():
    meeting = MeetingDetails.read(
        b"""{
            "uuid": "/sHJK+x==", "id": 85746065, "host_id": "h1", "topic": "Weekly", "type": 8,
            "timezone": "Europe/Berlin", "created_at": "2026-01-01T10:00:00Z", "status": "waiting",
            "occurrences": [
                {"occurrence_id": "1648194360000", "start_time": "2026-03-25T07:46:00Z",
                 "duration": 60, "status": "available"}
            ],
            "settings": {"audio": "both", "waiting_room": true, "meeting_authentication": false},
            "recurrence": {"type": 2, "weekly_days": "2,4"}
        }"""
    )
    assert (meeting.id, meeting.type.label) == (85746065, "Recurring at fixed times")
    assert meeting.occurrences[0].start_time == datetime(2026, 3, 25, 7, 46, tzinfo=UTC)
    assert meeting.settings is not None
    assert meeting.settings.waiting_room is True
    assert meeting.model_extra == {
        "status": "waiting",
        "recurrence": {"type": 2, "weekly_days": "2,4"},
    }


def test_samples_of_quality_may_be_one_or_many():
    one = {"date_time": "2026-03-01T09:00:00Z", "audio_input": {"jitter": "3 ms"}}
    for each in (one, [one]):
        read = ParticipantQuality.read(json.dumps({"user_qos": each}).encode())
        assert [each.audio_input and each.audio_input.jitter for each in read.samples] == ["3 ms"]
    assert ParticipantQuality.read(b"{}").samples == []


def test_the_meetings_of_a_room_stand_on_its_page():
    data = {"past_meetings": {"meetings": [{"uuid": "a"}], "total_records": 7}}
    room = ConferenceRoomDetails.read(json.dumps(data).encode())
    assert ([meeting.uuid for meeting in room.meetings], room.total_records) == (["a"], 7)
    assert room.sent() == data
    sifted = room.model_copy(update={"meetings": []})
    assert (sifted.meetings, sifted.total_records) == ([], 7)
    assert ConferenceRoomDetails.read(b"{}").meetings == []
