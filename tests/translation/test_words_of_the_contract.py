"""Words that the contract declares in English are read in the reader's language."""

import pickle
from concurrent.futures import ThreadPoolExecutor

from django.utils import translation
from pydantic import ValidationError

from portal.client import Unreachable
from portal.contract.model import Titles
from portal.contract.problems import problems
from portal.contract.registrants import RegistrantAction
from portal.contract.users import NewUser, Users, UserStatus, UserUpdate
from portal.contract.words import Message
from portal.translation import carried_over, in_all_languages, lazily, options
from portal.ui.forms import contract_form


def test_labels_and_operations_are_in_language_of_reader():
    titles = Titles(UserUpdate)

    def read():
        return UserStatus.ACTIVE.label, titles["dept"], Users.create.summary, Users.title

    assert read() == ("Active", "Department", "Create a person", "People")
    with translation.override("de"):
        assert read() == ("Aktiv", "Abteilung", "Person erstellen", "Personen")


def test_a_form_that_is_made_once_is_shown_in_each_language():
    form = contract_form(UserUpdate, fields=("dept", "type"))()
    assert "Department" in str(form)
    with translation.override("de"):
        assert "Abteilung" in str(form)
        assert "Lizenz" in str(form)


def test_the_choices_of_a_form_are_looked_up_when_they_are_shown():
    [(value, label), *_others] = options(UserStatus)
    with translation.override("de"):
        assert (value, str(label)) == ("active", "Aktiv")


def test_words_with_other_meanings_have_own_translations():
    with translation.override("de"):
        assert RegistrantAction.CANCEL.label == "Stornieren"
    assert RegistrantAction.CANCEL.label == "Cancel"


def test_input_errors_are_in_language_of_reader():
    with translation.override("de"):
        try:
            NewUser.accept(b'{"action": "create", "user_info": {"email": "nobody", "type": 1}}')
        except ValidationError as error:
            said = [problem.message for problem in problems(error)]
    assert said == ["Dies ist keine E-Mail-Adresse wie name@example.com."]


def test_failure_of_call_is_said_in_language_of_whoever_reads_it():
    message = Message("No answer within %(timeout)s seconds.", timeout=10)
    error = pickle.loads(pickle.dumps(Unreachable(Users.list, message)))  # noqa: S301
    assert error.message == "No answer within 10 seconds."
    with translation.override("de"):
        assert error.message == "Keine Antwort innerhalb von 10 Sekunden."


def test_a_heading_is_known_in_every_language():
    title = lazily(lambda: Titles(UserUpdate)["dept"])
    assert in_all_languages(title) == ["Department", "Abteilung"]


def test_work_in_thread_is_in_language_of_whoever_began_it():
    def said(choice):
        return choice.label

    with translation.override("de"), ThreadPoolExecutor(1) as pool:
        assert [*pool.map(carried_over(said), [UserStatus.ACTIVE])] == ["Aktiv"]
        assert [*pool.map(said, [UserStatus.ACTIVE])] == ["Active"]
