"""Faults of an input are reported field by field, in words that help."""

import pytest
from pydantic import ValidationError

from portal.contract.problems import problems
from portal.contract.recordings import RecordingsQuery
from portal.contract.telephony import TspAccount
from portal.contract.user_settings import UserSettingsUpdate
from portal.contract.users import NewUser, PasswordChange, UserQuery, UserUpdate


def problems_in(model, given):
    with pytest.raises(ValidationError) as caught:
        model.model_validate(given)
    return [(each.field, each.message) for each in problems(caught.value)]


@pytest.mark.parametrize(
    ("model", "given", "field", "message"),
    [
        (UserQuery, {"page_size": 301}, "page_size", "This must be at most 300."),
        (UserQuery, {"page_size": 0}, "page_size", "This must be at least 1."),
        (UserQuery, {"page_size": "9" * 5000}, "page_size", "This number is too large."),
        (UserQuery, {"page_size": "ten"}, "page_size", "This must be a whole number."),
        (PasswordChange, {}, "password", "This field is required."),
        (PasswordChange, {"password": "short"}, "password", "Use at least 8 characters."),
        (PasswordChange, {"password": "x" * 32}, "password", "Use at most 31 characters."),
        (UserUpdate, {"host_key": "1"}, "host_key", "A host key is exactly 6 digits."),
        (UserUpdate, {"first_name": 5}, "first_name", "This must be text."),
        (UserUpdate, {"use_pmi": "maybe"}, "use_pmi", "This must be true or false."),
        (UserUpdate, {"shoe_size": 1}, "shoe_size", "The service has no such field."),
        (UserUpdate, {"last_name": "欧" * 6}, "last_name", "Use at most 5 Chinese characters."),
        (UserUpdate, {"timezone": "Mars"}, "timezone", "Choose a time zone such as Europe/Berlin."),
    ],
)
def test_the_words_say_what_to_do(model, given, field, message):
    assert problems_in(model, given) == [(field, message)]


def test_a_choice_names_what_can_be_chosen():
    [(field, message)] = problems_in(UserQuery, {"status": "asleep"})
    assert field == "status"
    assert all(each in message for each in ("active", "inactive", "pending"))


def test_a_field_within_a_field_has_a_dotted_name():
    given = {"action": "create", "user_info": {"email": "nobody", "type": 1}}
    assert [field for field, _ in problems_in(NewUser, given)] == ["user_info.email"]

    account = {"conference_code": "1", "leader_pin": "1", "dial_in_numbers": [{}, {"number": ""}]}
    assert [field for field, _ in problems_in(TspAccount, account)] == [
        "dial_in_numbers.0.number",
        "dial_in_numbers.1.number",
    ]


def test_all_that_is_wrong_is_reported():
    given = {"recording": {"auto_delete_cmr_days": 61}, "in_meeting": {"chat": "?"}}
    assert {field for field, _ in problems_in(UserSettingsUpdate, given)} == {
        "in_meeting.chat",
        "recording.auto_delete_cmr_days",
    }


@pytest.mark.parametrize("day", ["2026-02-30", "yesterday", "31.01.2026", "20260131", ""])
def test_a_day_that_is_none_is_reported_how_to_be_written(day):
    given = {"from": day, "to": "2026-01-31"}
    assert problems_in(RecordingsQuery, given) == [("from", "Write the date as YYYY-MM-DD.")]


def test_every_message_is_a_sentence():
    for given in ({"action": []}, {"action": "create", "user_info": 5}, [], None):
        for _, message in problems_in(NewUser, given):
            assert message[0].isupper()
            assert message.endswith(".")
