"""Single sign-on and passkeys that are played again, or are those of another."""

import json

import jwt
import pytest
from allauth.socialaccount.models import SocialAccount
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from requests import Session

from portal.access.http import Origin
from portal.access.roles import Role
from portal.team import accounts
from tests.sign_in.passkeys import Passkey
from tests.sign_in.test_single_sign_on import LOGIN, is_in, provider, sign_in
from tests.support import plain_http
from tests.support.portal import admin_client_for, member

__all__ = ["provider", "sign_in"]
pytestmark = pytest.mark.django_db
CLAIMS = {"email": "viewer@example.com", "email_verified": True}


@pytest.fixture
def forged_token(monkeypatch):
    """Changes claims of the next ID tokens, and signs them with a key of nobody's."""
    asked = Session.request

    def forge(alg="HS256", **claims):
        def answered(session, method, url, **values):
            found = asked(session, method, url, **values)
            if url.endswith("/oauth2/token"):
                data = found.json()
                token = jwt.decode(data["id_token"], options={"verify_signature": False}) | claims
                key = None if alg == "none" else "k" * 32
                data["id_token"] = jwt.encode(token, key, algorithm=alg)
                found._content = json.dumps(data).encode()
            return found

        monkeypatch.setattr(Session, "request", answered)

    return forge


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"aud": "another-client"},
        {"exp": 1},
        {"sub": "another"},
        {"nonce": "0" * 64},
        {"alg": "none", "iss": "https://evil.example"},
    ],
)
def test_id_token_for_others_opens_nothing(claims, sign_in, viewer, forged_token):
    forged_token(**claims)
    client, answer = sign_in("ann", **CLAIMS)
    assert (answer.status_code, is_in(client)) == (401, False)
    assert not SocialAccount.objects.exists()


def test_answer_of_provider_counts_once_and_in_its_own_browser(sign_in, provider, viewer):
    sign_in("ann", **CLAIMS)
    client = Client()
    there = client.post(LOGIN)["Location"]
    back = plain_http.post(there, data={"sub": "ann"}).headers["Location"]
    back = back.removeprefix("http://testserver")
    other = Client()
    other.get(back)
    assert not is_in(other)
    client.get(back)
    assert is_in(client)
    client.post(reverse("account_logout"))
    client.get(back)
    assert not is_in(client)


def test_linked_account_is_of_its_subject_alone(sign_in, viewer):
    sign_in("ann", **CLAIMS)
    client, _answer = sign_in("mallory", **CLAIMS)
    assert not is_in(client)
    assert SocialAccount.objects.get().uid == "ann"
    with pytest.raises(accounts.AccountChangeRefused):
        accounts.unlink(Origin(viewer), viewer)
    call_command("manage_account", "unlink", email=viewer.email)
    client, _answer = sign_in("ann-of-new-provider", **CLAIMS)
    assert is_in(client)


def test_passkey_answer_counts_once(viewer):
    passkey = Passkey()
    passkey.add(admin_client_for(viewer))
    sent = []
    passkey.change = lambda answer: sent.append(answer) or answer
    client = Client()
    passkey.sign_in(client)
    assert is_in(client)
    url = reverse("mfa_login_webauthn")
    client.post(reverse("account_logout"))
    for browser in (client, Client()):
        browser.get(url, headers={"accept": "application/json"})
        browser.post(url, {"credential": json.dumps(sent[0])})
        assert not is_in(browser)


def test_passkey_opens_its_own_account_alone(viewer):
    boss = member("boss@example.com", Role.ADMINISTRATOR)
    theirs, own = Passkey(), Passkey()
    theirs.add(admin_client_for(boss))
    own.add(admin_client_for(viewer))
    own._user = theirs._user
    client = Client()
    own.sign_in(client)
    assert not is_in(client)
    own._id = theirs._id  # signed by another key
    own.sign_in(client)
    assert not is_in(client)


def test_copy_of_a_key_that_counts_opens_nothing(viewer):
    passkey = Passkey()
    passkey.add(admin_client_for(viewer))
    for count, is_let_in in ((0, True), (0, True), (7, True), (7, False), (0, False), (8, True)):
        passkey.count, client = count, Client()
        passkey.sign_in(client)
        assert is_in(client) == is_let_in, count
