"""Objects have the fields of the document under its names, misspelt ones included."""

from portal.contract import operations
from portal.contract.account_settings import AccountEmailNotification, AccountSettings
from portal.contract.dashboards import ConferenceRoom
from portal.contract.model import fields
from tests.contract.documented import OBJECTS
from tests.support.cases import for_each


@for_each("model", OBJECTS, ids=lambda model: model.__name__)
def test_an_object_has_the_fields_of_the_document(model):
    assert {name for name, _ in fields(model)} == OBJECTS[model]


def test_names_stay_misspelt_as_the_service_spells_them():
    assert "schedule_meting" in dict(fields(AccountSettings))
    assert "cloud_recording_avaliable_reminder" in dict(fields(AccountEmailNotification))
    assert "p2p_connetion" in OBJECTS[next(m for m in OBJECTS if m.__name__ == "AccountInMeeting")]
    assert "calender_name" in dict(fields(ConferenceRoom))


def test_models_have_names_of_their_own():
    models = {each for one in operations() for each in (one.query, one.body, one.returns) if each}
    names = [model.__name__ for model in models | set(OBJECTS)]
    assert len(set(names)) == len(names)
