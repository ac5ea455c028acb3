"""A person's settings."""

import pytest

from portal.contract.user_settings import UserSettings
from tests.sandbox.conftest import Json, done, refused


def settings_of(api, person):
    answer = api.get(f"/users/{person['id']}/settings")
    UserSettings.model_validate_json(answer.content)
    return answer.json()


def test_new_person_has_every_group_with_defaults_of_document(api, person):
    data = settings_of(api, person)

    assert set(data) == {
        "email_notification",
        "feature",
        "in_meeting",
        "recording",
        "schedule_meeting",
        "telephony",
    }
    assert data["in_meeting"]["chat"] is False
    assert data["recording"]["auto_recording"] == "local"
    assert data["schedule_meeting"]["audio_type"] == "voip"
    assert data["telephony"]["audio_conference_info"] == ""
    assert data["feature"] == {
        "cn_meeting": False,
        "in_meeting": False,
        "large_meeting": False,
        "meeting_capacity": 100,
        "webinar": False,
    }


@pytest.mark.parametrize(
    ("group", "field", "value"),
    [
        ("email_notification", "jbh_reminder", True),
        ("feature", "webinar_capacity", 1000),
        ("feature", "large_meeting", True),
        ("feature", "meeting_capacity", 250),
        ("in_meeting", "entry_exit_chime", "all"),
        ("in_meeting", "custom_service_instructions", "Ask «Zoë» & call 5"),
        ("in_meeting", "share_dual_camera", True),
        ("recording", "auto_delete_cmr_days", 60),
        ("schedule_meeting", "audio_type", "thirdParty"),
        ("telephony", "audio_conference_info", "x" * 2048),
    ],
)
def test_one_field_changes_and_no_other(api, person, group, field, value):
    before = settings_of(api, person)

    done(api.patch(f"/users/{person['id']}/settings", json={group: {field: value}}))

    after = settings_of(api, person)
    assert after == {**before, group: {**before[group], field: value}}


def test_changes_add_up(api, person):
    path = f"/users/{person['id']}/settings"
    done(api.patch(path, json={"in_meeting": {"chat": True}}))
    done(api.patch(path, json={"in_meeting": {"polling": True}, "recording": {}}))
    done(api.patch(path, json={"in_meeting": None, "telephony": {"third_party_audio": None}}))
    done(api.patch(path, json={"in_meeting": {"chat": False}}))

    data = settings_of(api, person)

    assert data["in_meeting"]["polling"] is True
    assert data["in_meeting"]["chat"] is False


@pytest.mark.parametrize(
    ("group", "field", "value"),
    [
        ("in_meeting", "chat", "sometimes"),
        ("in_meeting", "entry_exit_chime", "loud"),
        ("recording", "auto_delete_cmr_days", 0),
        ("recording", "auto_delete_cmr_days", 61),
        ("recording", "auto_recording", "moon"),
        ("schedule_meeting", "audio_type", "smoke"),
        ("telephony", "audio_conference_info", "x" * 2049),
        ("feature", "large_meeting_capacity", 400),
        ("feature", "large_meeting_capacity", 500),
        ("feature", "webinar_capacity", 3000),
        ("feature", "meeting_capacity", 301),
        ("feature", "meeting_capacity", 0),
    ],
)
def test_a_value_that_will_not_do_is_named_and_nothing_changes(api, person, group, field, value):
    before = settings_of(api, person)
    change: Json = {"email_notification": {"jbh_reminder": True}}
    change[group] = {field: value}

    answer = api.patch(f"/users/{person['id']}/settings", json=change)

    refused(answer, 400, f"{group}.{field}")
    assert settings_of(api, person) == before


def test_basic_licence_hosts_neither_webinars_nor_large_meetings(api, make_person):
    person = make_person(type=1)
    features = {"webinar": True, "large_meeting": True, "meeting_capacity": 200}

    answer = api.patch(f"/users/{person['id']}/settings", json={"feature": features})

    refused(answer, 400, *(f"feature.{name}" for name in features))


def test_basic_licence_loses_features_until_raised_again(api, person):
    features = {"webinar": True, "webinar_capacity": 500, "meeting_capacity": 300}
    done(api.patch(f"/users/{person['id']}/settings", json={"feature": features}))

    done(api.patch(f"/users/{person['id']}", json={"type": 1}))
    data = settings_of(api, person)["feature"]
    assert (data["webinar"], data["meeting_capacity"]) == (False, 100)

    done(api.patch(f"/users/{person['id']}", json={"type": 2}))
    data = settings_of(api, person)["feature"]
    assert (data["webinar"], data["meeting_capacity"]) == (True, 300)
