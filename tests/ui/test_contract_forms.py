"""A form is made from every model that the interface takes, and gives that model back."""

from typing import Any

import pytest
from django.utils.datastructures import MultiValueDict
from pydantic_core import to_jsonable_python

from portal.contract.delegates import DelegateList
from portal.contract.model import fields
from portal.contract.telephony import TspAccount
from portal.contract.user_settings import UserSettingsUpdate
from portal.contract.users import (
    CreateAction,
    LicenceType,
    NewUser,
    PasswordChange,
    Picture,
    UserRemoval,
    UserUpdate,
)
from portal.ui.forms import ContractForm, contract_fields, contract_form
from tests.support.cases import for_each
from tests.ui.samples import asked_for, broken, filled, filled_in, leaves, value

MODELS = asked_for()
LIMITS = [
    (model, leaf, text) for model in MODELS for leaf in leaves(model) for text in broken(leaf)
]


@for_each("model", MODELS)
def test_every_field_has_its_label_and_its_help(model):
    form = contract_form(model)()
    drawn = str(form)
    for leaf in leaves(model):
        bound = form[leaf.name]
        assert f'id="{bound.auto_id}' in drawn
        assert bound.label == leaf.info.title
        assert (leaf.info.description or "") in bound.help_text


@for_each("model", MODELS)
def test_what_is_filled_in_comes_back_as_the_model(model):
    data, files = filled_in(model)
    form = contract_form(model)(data, files)
    assert form.is_valid(), form.errors
    sent = to_jsonable_python(form.model().model_dump(by_alias=True, exclude_unset=True))
    for leaf in filled(model):
        inner: Any = sent
        for step in leaf.name.split("."):
            inner = inner[int(step)] if isinstance(inner, list) else inner[step]
        assert inner == to_jsonable_python(value(leaf)), leaf.name


@for_each("model", MODELS)
def test_an_empty_form_names_what_is_required(model):
    form = contract_form(model)({}, {})
    required = {name for name, info in fields(model) if info.is_required()}
    if form.is_valid():
        assert not {leaf.name for leaf in leaves(model) if leaf.name in required}
    else:
        assert all(message == ["This field is required."] for message in form.errors.values())


@for_each(
    ("model", "leaf", "text"),
    LIMITS,
    ids=lambda one: f"{one[0].__name__}.{one[1].name}={one[2][:12]}",
)
def test_a_broken_limit_is_said_at_its_field(model, leaf, text):
    data, files = filled_in(model)
    form = contract_form(model)({**data, leaf.name: text}, files)
    assert leaf.name in form.errors
    assert form[leaf.name].value() == text or leaf.is_sensitive
    assert 'class="errorlist"' in form[leaf.name].as_field_group()


@for_each("model", {model: None for model, *_ in LIMITS})
def test_what_is_broken_is_summed_up_above_the_form(model):
    data, files = filled_in(model)
    every = {leaf.name: text for leaf in leaves(model) for text in broken(leaf)}
    form = contract_form(model)({**data, **every}, files)
    assert not form.is_valid()
    assert 'role="alert"' in str(form)


def test_limits_are_attributes_that_the_browser_knows():
    form = contract_form(UserUpdate)()
    assert 'pattern="[0-9]{10}"' in str(form["pmi"])
    assert 'minlength="8"' in str(contract_form(PasswordChange)()["password"])
    days = str(contract_form(UserSettingsUpdate)()["recording.auto_delete_cmr_days"])
    assert 'min="1"' in days
    assert 'max="60"' in days


def test_few_choices_are_cards_with_what_each_means():
    drawn = str(contract_form(NewUser)()["action"])
    for action in CreateAction:
        assert action.label in drawn
        assert action.explanation[:20] in drawn


def test_a_time_zone_is_found_by_typing():
    drawn = str(contract_form(UserUpdate)()["timezone"])
    assert '<option value="Europe/Berlin">' in drawn
    assert '<option value="Europe/Berlin">München</option>' in drawn


@pytest.mark.parametrize(
    ("typed", "zone"),
    [("Denver", "America/Denver"), ("münchen", "Europe/Berlin"), ("New York", "America/New_York")],
)
def test_time_zone_is_found_by_city(typed, zone):
    form = contract_form(UserUpdate)({"timezone": typed})
    assert form.is_valid(), form.errors
    assert form.model().sent()["timezone"] == zone


def test_a_deprecated_setting_says_so():
    drawn = contract_form(UserSettingsUpdate)()["in_meeting.share_dual_camera"].as_field_group()
    assert "Deprecated" in drawn


def test_what_is_left_empty_is_not_sent():
    data = {"action": "create", "user_info.email": "ada@example.com", "user_info.type": "1"}
    form = contract_form(NewUser)(data)
    assert form.is_valid()
    assert form.model().sent() == {
        "action": "create",
        "user_info": {"email": "ada@example.com", "type": 1},
    }


def test_a_secret_is_never_drawn():
    form = contract_form(PasswordChange)({"password": "hunter2-hunter2-hunter2-hunter2-x"})
    assert not form.is_valid()
    assert "hunter2" not in str(form)
    assert "hx-preserve" in str(form)


def test_a_suggestion_fills_a_new_form_in():
    form = contract_form(NewUser)(suggest={"user_info": {"type": LicenceType.PRO}})
    assert 'value="2" ' in str(form["user_info.type"])
    assert form["user_info.type"].value() == 2


def test_a_suggested_switch_that_is_turned_off_is_sent_as_off():
    made = contract_form(UserRemoval)
    suggested = {"transfer_meeting": True}
    form = made({"action": "delete", "transfer_meeting": ""}, suggest=suggested)
    assert form.is_valid(), form.errors
    assert form.model().sent() == {"action": "delete", "transfer_meeting": False}


def test_names_of_objects_choose_all_that_is_in_them():
    form = contract_form(UserSettingsUpdate, fields=["telephony", "recording.save_chat_text"])()
    assert list(form.fields) == [
        "recording.save_chat_text",
        "telephony.audio_conference_info",
        "telephony.show_international_numbers_link",
        "telephony.third_party_audio",
    ]
    assert "telephony" not in {
        name.partition(".")[0]
        for name in contract_form(UserSettingsUpdate, exclude=["telephony"])().fields
    }


def own_form():
    return type("OwnForm", (ContractForm,), {})


def test_rare_fields_are_folded_with_how_many_were_changed():
    made = contract_fields(UserUpdate, rare=["cms_user_id", "language", "use_pmi"])(own_form())
    drawn = str(made(initial={"language": "de-DE", "use_pmi": False}))
    assert "3 more settings, 1 changed" in " ".join(drawn.split())
    assert "<details" in drawn


def test_a_rare_field_with_an_error_is_not_folded_away():
    made = contract_fields(UserUpdate, rare=["pmi"])(own_form())
    assert "<details" in str(made({"pmi": "12"}))
    assert " open" in str(made({"pmi": "12"})).partition("<details")[2].partition(">")[0]


def test_rows_that_are_left_empty_are_not_sent():
    data = {
        "assistants.0.email": "",
        "assistants.0.id": "",
        "assistants.1.email": "grace@example.com",
        "assistants.1.id": "",
    }
    form = contract_form(DelegateList)(data)
    assert form.is_valid()
    assert form.model().sent() == {"assistants": [{"email": "grace@example.com"}]}


def test_an_error_in_a_row_is_said_in_the_row_that_was_typed_in():
    data = {
        "conference_code": "123",
        "leader_pin": "456",
        "dial_in_numbers.0.number": "",
        "dial_in_numbers.3.number": "1" * 17,
    }
    form = contract_form(TspAccount)(data)
    assert not form.is_valid()
    assert form.errors == {"dial_in_numbers.3.number": ["Use at most 16 characters."]}


def test_an_unbound_list_has_an_empty_row_to_add_to():
    form = contract_form(TspAccount)(initial={"dial_in_numbers": [{"number": "+49 30 1"}]})
    names = {name for name in form.fields if name.endswith(".number")}
    assert names == {"dial_in_numbers.0.number", "dial_in_numbers.1.number"}


def test_more_rows_than_the_interface_takes_are_refused():
    data = {f"assistants.{number}.email": f"a{number}@example.com" for number in range(31)}
    form = contract_form(DelegateList)(data)
    assert not form.is_valid()
    assert "List at most 30." in str(form.errors)


def test_a_picture_is_sent_as_its_bytes():
    data, files = filled_in(Picture)
    form = contract_fields(Picture, attrs={"pic_file": {"accept": "image/jpeg"}})(own_form())
    assert form(data, MultiValueDict({"pic_file": [files["pic_file"]]})).is_valid()
    assert 'accept="image/jpeg"' in str(form()["pic_file"])
    assert "enctype" not in str(form())
    assert form().is_multipart()


def test_a_nul_character_is_refused():
    form = contract_form(UserUpdate)({"dept": "Sa\0les"})
    assert form.errors == {"dept": ["Remove the NUL character."]}


def test_leading_and_trailing_blanks_stay_only_in_secrets():
    assert contract_form(UserUpdate)({"dept": " Sales "}).is_valid()
    form = contract_form(PasswordChange)({"password": "  secret  "})
    assert form.is_valid()
    assert form.model().password == "  secret  "


def test_text_of_several_lines_has_room_for_them():
    name = "in_meeting.custom_service_instructions"
    made = contract_form(UserSettingsUpdate, fields=["telephony", name], lines=[name])
    assert "<textarea" in str(made()[name])
    assert "<textarea" in str(made()["telephony.audio_conference_info"])
