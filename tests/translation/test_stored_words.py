"""Words are stored in English, for any author, and shown in the reader's language."""

import pytest
from django.core import mail
from django.db import transaction
from django.urls import reverse
from django.utils import translation

from portal.access.http import Origin
from portal.access.roles import Role
from portal.audit import guards, verifying, wording
from portal.audit.acts import Act
from portal.audit.changes import meaning_of
from portal.audit.models import AuditEntry, Outcome
from portal.audit.trail import record
from portal.team import accounts
from portal.translation import catalogues, stored
from tests.support.html import text_of
from tests.support.portal import admin_client_for

RELEASE = "Transfer their recordings to a colleague, or have the hold released."
MESSAGES = ("Not sent. %(words)s", "Waiting for the service.")


@pytest.fixture(autouse=True, scope="module")
def _compiled():
    catalogues.compile_all()


@pytest.mark.parametrize(
    ("kept", "german"),
    [
        ("", ""),
        ("Waiting for the service.", "Warten auf den Dienst."),
        ("Not sent. Waiting for the service.", "Nicht gesendet. Warten auf den Dienst."),
        ("Not sent. 100% busy", "Nicht gesendet. 100% busy"),
        ("The service said so.", "The service said so."),
    ],
)
def test_known_words_are_shown_in_the_language_of_the_reader(kept, german):
    assert stored.shown(kept, MESSAGES) == kept
    with translation.override("de"):
        assert stored.shown(kept, MESSAGES) == german


@pytest.mark.parametrize(
    ("kept", "german"),
    [
        (
            "Without this group the person would leave the part that is shared with you.",
            "Ohne diese Gruppe",
        ),
        ("This connection is shared with you for a part of the people, without “Ada”.", "“Ada”"),
        ("On hold by Ada: Lawsuit 4711.", "Lawsuit 4711."),
        ("On hold by Ada until 1 May 2027: Lawsuit.", "Ada bis 1 May 2027: Lawsuit."),
        (f"A recording of theirs is on hold. {RELEASE}", "Eine Aufzeichnung dieser Person"),
        (f"1,234 of their recordings are on hold. {RELEASE}", "1.234 Aufzeichnungen"),
    ],
)
def test_the_trail_shows_why_a_domain_forbids_a_write(kept, german):
    assert wording.shown(kept) == kept
    with translation.override("de"):
        shown = wording.shown(kept)
    assert german in shown
    assert shown != kept


@pytest.mark.parametrize("count", ["Many", "9" * 5000])
def test_words_of_service_that_count_otherwise_stay_as_they_are(count):
    kept = f"{count} of their recordings are on hold. {RELEASE}"
    with translation.override("de"):
        assert wording.shown(kept) == kept


def test_portal_says_its_own_word_where_library_has_another():
    with translation.override("de"):
        assert translation.gettext("Remove") == "Entfernen"


@pytest.mark.django_db
def test_refused_sign_in_is_english_in_trail_german_on_page(visitor, administrator):
    german = {"HTTP_ACCEPT_LANGUAGE": "de"}
    sent = {"login": administrator.email, "password": "wrong"}
    assert "E-Mail oder Passwort ist falsch." in text_of(
        visitor.post(reverse("account_login"), sent, **german).text
    )
    entry = AuditEntry.objects.get(operation=Act.SIGN_IN_FAILED)
    assert entry.message == "Wrong email or password."
    assert entry.sent["browser"] == "Unknown browser"
    page = text_of(admin_client_for(administrator).get(reverse("audit:trail"), **german).text)
    assert "Anmeldung fehlgeschlagen" in page
    assert "E-Mail oder Passwort ist falsch." in page
    assert verifying.verify().problem == ""


@pytest.mark.django_db
def test_words_looked_up_late_are_stored_and_hashed_in_english(administrator):
    with translation.override("de"):
        record(Origin(administrator), Act.MEMBER_ROLE, sent={"role": Role.VIEWER.label})
    assert AuditEntry.objects.latest("sequence").sent == {"role": "Viewer"}
    assert verifying.verify().problem == ""


@pytest.mark.django_db
def test_guard_speaks_to_user_in_german_to_trail_in_english(monkeypatch):
    def guard(_entry):
        return translation.gettext("This was undone already.")

    monkeypatch.setitem(guards._guards, "groups.delete", guard)
    entry = AuditEntry(operation="groups.delete", outcome=Outcome.BEGUN)
    with translation.override("de"), transaction.atomic():
        guards.judge(entry)
    assert guards.refusal_of(entry) == "Dies wurde bereits rückgängig gemacht."
    assert entry.message == "This was undone already."


@pytest.mark.django_db
def test_invitation_is_written_in_language_of_whoever_gets_it(administrator):
    for email, language in (("neu@example.com", "de"), ("new@example.com", "en")):
        invited = accounts.create(Origin(administrator), email=email, role=Role.VIEWER)
        invited.language = language
        accounts.send_invitation(invited, "https://portal.example/set", by="Ada")
    german, english = mail.outbox
    assert german.subject == "[Switchboard] Ihr Konto"
    assert "mit der Rolle Betrachter" in german.body
    assert english.subject == "[Switchboard] Your account"
    assert "with the role Viewer" in english.body


def test_change_asked_for_is_named_in_language_of_reader():
    with translation.override("de"):
        said = meaning_of("approval.ask", "what")
        assert (said.title, said.say("Create a group")) == ("Was", "Gruppe erstellen")
        assert said.say("Import of 5 people") == "Import of 5 people"
    assert meaning_of("approval.ask", "what").say("Create a group") == "Create a group"


def test_an_outcome_is_named_in_the_language_of_the_reader():
    with translation.override("de"):
        assert str(Outcome.FAILED.label) == "Fehlgeschlagen"
