"""Requests hold what was set and no more, and are described well enough to make forms of."""

from portal.contract import operations
from portal.contract.model import Model, fields, submodel
from portal.contract.user_settings import AutoRecording, InMeeting, UserSettingsUpdate
from portal.contract.users import LicenceType, UserUpdate
from tests.support.cases import for_each

OPERATIONS = list(operations())


def with_those_within(given):
    seen: set[type[Model]] = set()
    left = list(given)
    while left:
        model = left.pop()
        if model not in seen:
            seen.add(model)
            left.extend(
                inner for _, field in fields(model) if (inner := submodel(field.annotation))
            )
    return sorted(seen, key=lambda model: model.__name__)


ALL = with_those_within(
    each for one in OPERATIONS for each in (one.query, one.body, one.returns) if each
)
REQUESTS = with_those_within(each for one in OPERATIONS for each in (one.query, one.body) if each)


def test_only_what_was_set_is_sent():
    change = UserUpdate(dept="Legal")
    assert change.sent() == {"dept": "Legal"}

    change.use_pmi = False
    assert change.sent() == {"dept": "Legal", "use_pmi": False}


def test_only_what_was_set_is_sent_within_a_group_too():
    change = UserSettingsUpdate(in_meeting=InMeeting(chat=True))
    assert change.sent() == {"in_meeting": {"chat": True}}


def test_choices_are_sent_as_their_values_and_carry_their_words():
    assert UserUpdate(type=LicenceType.CORP).sent() == {"type": 3}
    assert LicenceType(1).label == "Basic"
    assert AutoRecording("cloud").label == "In the cloud"


@for_each("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_operation_answers_as_its_method_does(operation):
    usual = {"GET": 200, "POST": 201, "PUT": 204, "PATCH": 204, "DELETE": 204}
    assert operation.status == usual[operation.method]
    assert operation.returns is None or operation.status != 204
    assert operation.summary


def test_every_field_has_a_title_for_people():
    for model in ALL:
        for name, field in fields(model):
            assert (field.title or name)[0].isupper(), f"{model.__name__}.{name}"


def test_every_filled_in_field_is_explained_in_sentence():
    for model in REQUESTS:
        for name, field in fields(model):
            assert (field.description or "").endswith((".", "*")), f"{model.__name__}.{name}"


def test_no_two_fields_of_an_object_have_the_same_title():
    for model in REQUESTS:
        titles = [field.title for _, field in fields(model)]
        assert len(set(titles)) == len(titles), model.__name__
