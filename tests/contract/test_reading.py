"""Those who make an object are held to the document; answers are read as they come."""

import json
import pickle
import warnings
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from pydantic import ValidationError

from portal.contract import operations
from portal.contract.choices import lenient_choice
from portal.contract.delegates import DelegateList
from portal.contract.meetings import MeetingPage
from portal.contract.model import MASK, fields
from portal.contract.reading import Unlike
from portal.contract.recordings import RecordingPage
from portal.contract.telephony import TspAccountList
from portal.contract.user_settings import UserSettings
from portal.contract.users import (
    CreatedUser,
    LicenceType,
    NewUserInfo,
    PasswordChange,
    User,
    UserDetails,
    UserPage,
    UserStatus,
    UserUpdate,
)

ANSWERS = sorted(
    {operation.returns for operation in operations() if operation.returns},
    key=lambda model: model.__name__,
)


def read(model, **values):
    return model.read(json.dumps(values).encode())


def test_fields_that_the_document_does_not_have_are_kept():
    user = read(UserDetails, id="u1", plan_united="yes", nested={"a": [1]})
    assert (user.plan_united, user.nested) == ("yes", {"a": [1]})


def test_fields_stay_though_another_breaks_document():
    page = read(UserPage, users=[{"id": "u1", "type": 9, "extra": 1}], more=True)
    assert (page.more, page.users[0].extra) == (True, 1)


def test_fields_that_are_missing_have_their_defaults():
    user = read(UserDetails, id="u1")
    assert (user.email, user.type, user.group_ids, user.created_at) == ("", None, [], None)
    assert user.model_fields_set == {"id"}


def test_values_beyond_the_limits_of_the_document_are_kept():
    user = read(User, id="u1", first_name="x" * 99)
    assert user.first_name == "x" * 99
    accounts = read(TspAccountList, tsp_accounts=[{"conference_code": "abc", "leader_pin": ""}])
    assert accounts.tsp_accounts[0].conference_code == "abc"
    assert len(read(DelegateList, assistants=[{"id": "u1"}] * 40).assistants) == 40


def test_a_choice_that_nobody_knew_of_says_its_value():
    user = read(User, id="u1", type=9)
    assert isinstance(user.type, LicenceType)
    assert (user.type, user.type.label, user.type.explanation) == (9, "9", "")
    assert user.type not in list(LicenceType)
    assert user.sent() == {"id": "u1", "type": 9}


@pytest.mark.parametrize(
    "choice", [lenient_choice(LicenceType, 9), lenient_choice(UserStatus, "gone"), LicenceType.PRO]
)
def test_choices_travel_to_other_processes(choice):
    again = pickle.loads(pickle.dumps(choice))  # noqa: S301
    assert (type(again), again, again.label) == (type(choice), choice, choice.label)


def test_a_known_choice_is_the_one_of_the_document():
    assert lenient_choice(LicenceType, 2) is LicenceType.PRO
    assert lenient_choice(UserStatus, "active") is UserStatus.ACTIVE


@pytest.mark.parametrize("value", ["whenever", [], {}, True])
def test_a_time_that_is_none_counts_as_not_reported(value):
    user = read(User, id="u1", created_at=value, last_login_time="2026-01-31T09:00:00Z")
    assert user.last_login_time == datetime(2026, 1, 31, 9, tzinfo=UTC)
    assert user.created_at is None or value is True


@pytest.mark.parametrize("value", [None, [], {}, True])
def test_text_that_is_none_counts_as_not_reported(value):
    assert read(User, id="u1", email=value).email == ""


def test_numbers_are_taken_for_text_where_text_is_promised():
    user = read(User, id=17, pmi=1234567890)
    assert (user.id, user.pmi) == ("17", "1234567890")


def test_a_number_where_either_is_promised_stays_one():
    page = read(MeetingPage, meetings=[{"id": 17, "duration": "x"}, {"id": "17", "duration": "x"}])
    assert [meeting.id for meeting in page.meetings] == [17, "17"]


def test_names_on_wire_that_are_words_of_language_are_read():
    page = read(RecordingPage, **{"from": "2026-01-01", "to": "never", "meetings": []})
    assert (str(page.from_), page.to) == ("2026-01-01", None)


def test_groups_of_settings_are_read_one_by_one():
    found = read(UserSettings, in_meeting={"chat": True, "entry_exit_chime": 5}, telephony=[])
    assert found.in_meeting.chat is True
    assert found.telephony is None


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"nothing",
        b"null",
        b"[]",
        b"7",
        b'{"id": 1',
        b'{"email": "a@b.example"}',
        b'{"id": null}',
        b'{"id": ["u1"]}',
        b"\xff\xfe{}",
        b"[" * 10_000,
    ],
)
def test_an_answer_without_its_shape_is_no_answer(document):
    with pytest.raises((ValidationError, Unlike)):
        CreatedUser.read(document)


@pytest.mark.parametrize("users", [None, {}, "u1", [None], ["u1"], [{}], [{"id": None}]])
def test_a_list_whose_records_are_none_is_no_answer(users):
    with pytest.raises(Unlike):
        read(UserPage, users=users)


TEXT = st.text("ab1-:", max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
@pytest.mark.parametrize("model", ANSWERS, ids=lambda model: model.__name__)
def test_whatever_stands_in_a_field_a_model_is_read_or_refused(model, data):
    """No value breaks the reader, and what was read can be shown and sent on."""
    document = {
        name: data.draw(JSON)
        for name, field in fields(model)
        if field.is_required() or data.draw(st.booleans())
    }
    try:
        read_again = model.read(json.dumps(document).encode())
    except (ValidationError, Unlike):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(read_again.masked(), dict)
    assert repr(read_again)


def test_those_who_make_an_object_are_held_to_the_document():
    for made in ({"frist_name": "Ann"}, {"first_name": "x" * 65}, {"host_key": "12345"}):
        with pytest.raises(ValidationError):
            UserUpdate(**made)


def test_request_with_extra_fields_is_accepted_within_limits():
    assert UserUpdate.accept(b'{"dept": "Ops", "new": 1}').sent() == {"dept": "Ops"}
    with pytest.raises(ValidationError):
        UserUpdate.accept(b'{"host_key": "12345"}')


def test_what_is_wrong_is_said_without_the_value():
    with pytest.raises(ValidationError) as caught:
        NewUserInfo(email="ann@example.com", type=1, password="canary")
    assert "canary" not in str(caught.value) + repr(caught.value)


def test_secrets_are_masked_wherever_they_stand():
    accounts = read(TspAccountList, tsp_accounts=[{"conference_code": "1", "leader_pin": "4711"}])
    assert accounts.masked() == {"tsp_accounts": [{"conference_code": "1", "leader_pin": MASK}]}
    assert "4711" not in repr(accounts) + str(accounts)
    assert PasswordChange(password="correct horse").masked() == {"password": MASK}


def test_a_secret_of_the_wrong_type_is_masked_too():
    user = read(UserDetails, id="u1", host_key=471147)
    assert user.masked()["host_key"] == MASK
    assert "471147" not in repr(user)


def test_a_secret_that_is_empty_is_seen_to_be():
    assert read(UserDetails, id="u1", host_key="").masked()["host_key"] == ""


def test_undeclared_fields_that_sound_secret_are_not_shown():
    user = read(UserDetails, id="u1", zak_token="canary", room={"passcode": "canary", "size": 3})
    assert "canary" not in repr(user)
    assert "'size': 3" in repr(user)
