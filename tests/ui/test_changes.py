"""A form that changes something sends only what differs, and overwrites nobody unawares."""

from portal.contract.telephony import TspAccount
from portal.contract.user_settings import UserSettings, UserSettingsUpdate
from portal.contract.users import LicenceType, UserDetails, UserUpdate
from portal.ui.forms import contract_form
from portal.ui.forms.layout import unsign

PROFILE = contract_form(UserUpdate, fields=["first_name", "dept", "type", "use_pmi", "host_key"])
NOW = {"first_name": "Ada", "dept": "Sales", "type": 2, "use_pmi": True, "host_key": "123456"}


def opened(made, state):
    """Returns the data that a browser sends of a form opened with this state and not touched."""
    form = made(initial=state)
    data = {}
    for name in form.fields:
        bound = form[name]
        shown = bound.field.widget.format_value(bound.value())
        shown = shown[0] if isinstance(shown, list) else shown
        if bound.field.widget.input_type == "checkbox":
            data |= {name: "on"} if bound.value() else {}
        else:
            data[name] = "" if shown is None else str(shown)
    return data


def test_a_form_that_was_not_touched_changes_nothing():
    form = PROFILE(opened(PROFILE, NOW), initial=NOW)
    assert form.is_valid(), form.errors
    assert form.changes() is None


def test_only_what_differs_is_sent():
    form = PROFILE(opened(PROFILE, NOW) | {"dept": "Legal"}, initial=NOW)
    assert form.is_valid()
    assert form.changes().sent() == {"dept": "Legal"}


def test_a_text_can_be_emptied():
    form = PROFILE(opened(PROFILE, NOW) | {"dept": ""}, initial=NOW)
    assert form.is_valid()
    assert form.changes().sent() == {"dept": ""}


def test_a_switch_that_was_on_can_be_turned_off():
    data = opened(PROFILE, NOW)
    del data["use_pmi"]
    form = PROFILE(data, initial=NOW)
    assert form.is_valid()
    assert form.changes().sent() == {"use_pmi": False}


def test_the_state_may_be_what_the_service_answered():
    read = UserSettings.read(
        b'{"in_meeting": {"chat": true, "entry_exit_chime": "all"}, "telephony": null, "new": 1}'
    )
    made = contract_form(UserSettingsUpdate, fields=["in_meeting"])
    data = opened(made, read) | {"in_meeting.entry_exit_chime": "none"}
    form = made(data, initial=read)
    assert form.is_valid(), form.errors
    assert form.changes().sent() == {"in_meeting": {"entry_exit_chime": "none"}}


def test_what_is_known_can_be_changed_but_not_unset():
    state = {"recording": {"auto_delete_cmr_days": 30, "local_recording": False}}
    made = contract_form(UserSettingsUpdate, fields=["recording"])
    drawn = str(made(initial=state)["recording.local_recording"])
    assert "Not set" not in drawn
    assert 'type="checkbox"' in drawn
    form = made(opened(made, state) | {"recording.auto_delete_cmr_days": ""}, initial=state)
    assert form.errors == {"recording.auto_delete_cmr_days": ["This cannot be cleared."]}


def test_what_is_not_known_can_stay_unset():
    made = contract_form(UserSettingsUpdate, fields=["recording.local_recording"])
    assert "Not set" in str(made(initial={})["recording.local_recording"])
    form = made(opened(made, {}), initial={})
    assert form.is_valid()
    assert form.changes() is None


def test_unknown_value_stays_while_it_is_left_alone():
    state = {"type": 4, "dept": "Sales"}
    form = PROFILE(opened(PROFILE, state) | {"dept": "Legal"}, initial=state)
    assert form.is_valid(), form.errors
    assert form.changes().sent() == {"dept": "Legal"}


def test_a_secret_is_kept_unless_a_new_one_is_typed():
    drawn = str(PROFILE(initial=NOW))
    assert "123456" not in drawn
    assert "Leave empty to keep the current value." in drawn
    form = PROFILE(opened(PROFILE, NOW) | {"host_key": "654321"}, initial=NOW)
    assert form.is_valid()
    assert form.changes().sent() == {"host_key": "654321"}


def test_the_state_that_travels_with_a_form_has_no_secret_in_it():
    carried = unsign(PROFILE(initial=NOW)["was"].value())
    assert carried["dept"] == "Sales"
    assert "123456" not in str(carried)


def test_what_the_model_demands_goes_along_with_a_change():
    state = {"conference_code": "111", "leader_pin": "222"}
    made = contract_form(TspAccount)
    form = made(opened(made, state) | {"conference_code": "333"}, initial=state)
    assert form.is_valid(), form.errors
    assert form.changes().sent() == {"conference_code": "333", "leader_pin": "222"}


def test_a_change_made_elsewhere_in_another_field_is_not_undone():
    elsewhere = NOW | {"first_name": "Augusta"}
    form = PROFILE(opened(PROFILE, NOW) | {"dept": "Legal"}, initial=elsewhere)
    assert form.is_valid(), form.errors
    assert form.changes().sent() == {"dept": "Legal"}
    assert form["first_name"].value() == "Augusta"


def test_a_switch_turned_elsewhere_is_not_turned_back():
    form = PROFILE(opened(PROFILE, NOW) | {"dept": "Legal"}, initial=NOW | {"use_pmi": False})
    assert form.is_valid()
    assert form.changes().sent() == {"dept": "Legal"}


def test_field_changed_on_both_sides_is_reported_then_replaced():
    elsewhere = NOW | {"dept": "Marketing", "type": 1}
    data = opened(PROFILE, NOW) | {"dept": "Legal"}
    first = PROFILE(data, initial=elsewhere)
    assert not first.is_valid()
    assert first.errors == {
        "dept": ["This was changed to “Marketing” in the meantime. Save again to overwrite it."]
    }
    assert first["dept"].value() == "Legal"
    again = PROFILE(data | {"was": first["was"].value(), "type": "1"}, initial=elsewhere)
    assert again.is_valid(), again.errors
    assert again.changes().sent() == {"dept": "Legal"}


def test_the_same_change_on_both_sides_is_none():
    form = PROFILE(opened(PROFILE, NOW) | {"dept": "Legal"}, initial=NOW | {"dept": "Legal"})
    assert form.is_valid()
    assert form.changes() is None


def test_secret_changed_on_both_sides_is_said_without_showing_it():
    data = opened(PROFILE, NOW) | {"host_key": "654321"}
    form = PROFILE(data, initial=NOW | {"host_key": "999999"})
    assert form.errors == {
        "host_key": ["This was changed in the meantime. Save again to overwrite it."]
    }


def test_rows_changed_elsewhere_are_taken_if_untouched():
    made = contract_form(TspAccount, fields=["dial_in_numbers"])
    before = {"dial_in_numbers": [{"number": "1"}]}
    after = {"dial_in_numbers": [{"number": "2"}, {"number": "3"}]}
    form = made(opened(made, before), initial=after)
    assert form.is_valid(), form.errors
    assert form.changes() is None
    assert form["dial_in_numbers.1.number"].value() == "3"


def test_rows_changed_on_both_sides_are_said():
    made = contract_form(TspAccount, fields=["dial_in_numbers"])
    before = {"dial_in_numbers": [{"number": "1"}]}
    data = opened(made, before) | {"dial_in_numbers.0.number": "5"}
    form = made(data, initial={"dial_in_numbers": [{"number": "2"}]})
    assert "these were changed in the meantime" in str(form.non_field_errors())


def test_a_removed_row_is_a_change():
    made = contract_form(TspAccount, fields=["dial_in_numbers"])
    numbers = {"dial_in_numbers": [{"number": "1"}, {"number": "2"}]}
    state = numbers | {"conference_code": "111", "leader_pin": "222"}
    data = opened(made, state) | {"dial_in_numbers.0.number": ""}
    form = made(data, initial=state)
    assert form.is_valid(), form.errors
    assert form.changes().sent()["dial_in_numbers"] == [{"number": "2"}]


def test_a_forged_state_is_as_good_as_none():
    form = PROFILE(opened(PROFILE, NOW) | {"was": "forged", "dept": "Legal"}, initial=NOW)
    assert form.is_valid()
    assert form.changes().sent() == {"dept": "Legal"}


def test_several_forms_stand_on_one_page():
    form = PROFILE(
        {f"name-{key}": item for key, item in opened(PROFILE, NOW).items()} | {"name-dept": "HR"},
        initial=UserDetails(id="1", dept="Sales", type=LicenceType.PRO),
        prefix="name",
    )
    assert form.is_valid(), form.errors
    assert form.changes().dept == "HR"
    assert 'id="id_name-dept"' in str(form)


def test_documented_default_is_not_taken_for_reported_value():
    made = contract_form(UserSettingsUpdate, fields=["recording.auto_recording", "in_meeting.chat"])
    form = made(initial={})
    assert form["recording.auto_recording"].value() is None
    assert "Not set" in str(form["in_meeting.chat"])
    sent = {"recording.auto_recording": "", "in_meeting.chat": "false"}
    changed = made(opened(made, {}) | sent, initial={})
    assert changed.is_valid(), changed.errors
    assert changed.changes().sent() == {"in_meeting": {"chat": False}}


def test_the_line_ends_of_a_browser_are_no_change():
    made = contract_form(UserSettingsUpdate, fields=["telephony.audio_conference_info"])
    state = {"telephony": {"audio_conference_info": "Dial in:\n+49 30 1"}}
    form = made({"telephony.audio_conference_info": "Dial in:\r\n+49 30 1"}, initial=state)
    assert form.is_valid()
    assert form.changes() is None
