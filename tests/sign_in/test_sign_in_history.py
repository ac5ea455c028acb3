"""The sign-in history: when, from where, in which browser and by which method, refusals too."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import User
from portal.audit.acts import Act
from portal.audit.reading import lines, sign_ins_at
from portal.audit.trail import record
from portal.audit.verifying import BEGINNING, walk
from tests.sign_in.passkeys import Passkey
from tests.sign_in.test_second_factor import begin, code, finish, next_code, recovery_codes, set_up
from tests.sign_in.test_session_list import CHROME, signed_in
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db


def attempt(email, password, browser=CHROME):
    client = Client(headers={"user-agent": browser}, REMOTE_ADDR="192.0.2.7")
    return client.post(reverse("account_login"), {"login": email, "password": password})


def history(client, member=None):
    """The rows of the page, newest first."""
    url = (
        reverse("team:member-sign-ins", args=[member.pk]) if member else reverse("sign_in:sign-ins")
    )
    body = client.get(url).content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]


def methods(user):
    """By what the last sign-in was made."""
    found: list[str] = sign_ins_at(user)[0].sent["signed_in_by"]
    return found


def test_a_sign_in_is_listed_with_browser_address_and_method(viewer):
    client = signed_in(viewer, CHROME, "192.0.2.7")
    [row] = history(client)
    assert "Signed in Password Chrome on Windows 192.0.2.7" in row


def test_a_refused_attempt_is_listed_too(viewer):
    attempt("Viewer@Example.com", "not the password")
    [_, refused] = history(signed_in(viewer))
    assert "Refused Password Wrong email or password." in refused
    assert "Chrome on Windows 192.0.2.7" in refused


@pytest.mark.parametrize("password", [PASSWORD, "guess"])
def test_an_attempt_at_a_deactivated_account_is_listed_once(password, administrator, viewer):
    User.objects.filter(pk=viewer.pk).update(is_active=False)
    attempt(viewer.email, password)
    [row] = history(admin_client_for(administrator), viewer)
    assert "Refused Password" in row


def test_passkey_of_deactivated_account_is_refused_and_listed(viewer):
    passkey = Passkey()
    passkey.add(admin_client_for(viewer))
    User.objects.filter(pk=viewer.pk).update(is_active=False)
    passkey.sign_in(Client())
    [entry] = sign_ins_at(viewer)
    assert (entry.outcome, entry.message) == ("failed", "The account is deactivated.")
    assert entry.sent["signed_in_by"] == ["passkey"]


def test_an_attempt_at_no_account_is_in_nobodys_history(viewer):
    attempt("nobody@example.com", "guess")
    assert lines()[0].operation == "session.refused"
    assert lines()[0].object_id == ""
    assert not sign_ins_at(viewer)


def test_each_sees_their_own_and_administrators_everybodys(administrator, viewer, operator):
    mine = signed_in(viewer)
    signed_in(operator)
    assert len(history(mine)) == 1
    assert len(history(admin_client_for(administrator), operator)) == 1


def test_an_apps_code_and_a_recovery_code_are_told_apart(viewer):
    secret = set_up(viewer)
    first, *_ = recovery_codes(viewer)
    with next_code():
        assert finish(begin(viewer), code(secret))
    assert methods(viewer) == ["password", "app"]
    assert finish(begin(viewer), first)
    assert methods(viewer) == ["password", "recovery_code"]
    assert "Password, recovery code" in history(admin_client_for(viewer))[0]


def test_a_wrong_code_is_listed_as_refused(viewer):
    set_up(viewer)
    finish(begin(viewer), "000000")
    row, *_ = history(admin_client_for(viewer))
    assert "Refused Authenticator app Wrong two-factor code." in row


def test_a_passkey_is_one_method(viewer):
    passkey = Passkey()
    passkey.add(admin_client_for(viewer))
    passkey.sign_in(Client())
    assert methods(viewer) == ["passkey"]


def test_the_chain_holds_with_what_is_recorded_of_a_sign_in(viewer):
    attempt(viewer.email, "guess")
    signed_in(viewer)
    assert walk(BEGINNING, 100).problem == ""


def test_entries_of_releases_that_recorded_less_are_listed(viewer):
    record(Origin(viewer, email=viewer.email), Act.SIGN_IN, object_id=viewer.pk, label=viewer.email)
    assert "Signed in Not recorded Not recorded" in history(admin_client_for(viewer))[0]
