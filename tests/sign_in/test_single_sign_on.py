"""Single sign-on with a running provider: for people who have an account here alone."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import oidc_provider_mock
import pytest
from allauth.socialaccount.models import SocialAccount
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from flask import request
from oidc_provider_mock import _app
from requests import Session

from portal.access.http import Origin
from portal.access.models import User
from portal.audit.reading import lines
from portal.config.environment import Environment
from portal.team import accounts
from tests.sign_in.test_second_factor import begin, code, finish, next_code, set_up
from tests.support import plain_http
from tests.support.portal import PASSWORD

pytestmark = pytest.mark.django_db
LOGIN = "/account/oidc/sso/login/"

NOT_TRUE = (False, "false", "true", 1, [True])

SignIn = Callable[..., tuple[Client, HttpResponse]]


@pytest.fixture(scope="module")
def provider():
    """The address of an OpenID Connect provider."""
    with oidc_provider_mock.run_server_in_thread() as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
def sign_in(provider, settings, monkeypatch):
    """Signs in through the provider with these claims, and comes back."""
    monkeypatch.setenv("OIDC_NAME", "Company login")
    monkeypatch.setenv("OIDC_ISSUER", provider)
    monkeypatch.setenv("OIDC_CLIENT_ID", "switchboard")
    monkeypatch.setenv("OIDC_CLIENT_SECRET", "oidc-secret")
    apps = Environment().openid_connect()
    settings.SOCIALACCOUNT_PROVIDERS = settings.SOCIALACCOUNT_PROVIDERS | {
        "openid_connect": {"APPS": apps, "OAUTH_PKCE_ENABLED": True}
    }

    def go(subject, *, client=None, **claims):
        plain_http.put(f"{provider}/users/{subject}", json=claims).raise_for_status()
        client = client or Client()
        there = client.post(LOGIN)["Location"]
        assert there.startswith(provider)
        back = plain_http.post(there, data={"sub": subject}).headers["Location"]
        return client, client.get(back.removeprefix("http://testserver"))

    return go


def is_in(client):
    return client.get("/connections/").status_code == 200


def test_the_sign_in_page_offers_it(sign_in):
    page = Client().get(reverse("account_login")).content.decode()
    assert "Sign in with Company login" in page
    assert LOGIN in page


def test_without_configuration_it_is_not_offered(visitor):
    assert "Sign in with" not in visitor.get(reverse("account_login")).content.decode().replace(
        "Sign in with a passkey", ""
    )
    assert visitor.post(LOGIN).status_code == 404


def test_a_verified_email_opens_the_account_that_has_it(sign_in, viewer):
    client, _answer = sign_in("ann", email="Viewer@example.com", email_verified=True)
    assert is_in(client)
    assert client.get("/connections/").wsgi_request.user == viewer
    assert lines()[0].operation == "session.begin"
    assert lines()[0].sent["signed_in_by"] == ["single_sign_on"]
    viewer.refresh_from_db()
    assert viewer.check_password(PASSWORD)


def test_the_account_is_known_by_its_subject_from_then_on(sign_in, viewer):
    sign_in("ben", email="viewer@example.com", email_verified=True)
    client, _answer = sign_in("ben", email="renamed@example.com", email_verified=True)
    assert client.get("/connections/").wsgi_request.user == viewer


@pytest.mark.parametrize("claims", [{"email_verified": not_true} for not_true in NOT_TRUE] + [{}])
def test_an_email_that_is_not_verified_opens_nothing(claims, sign_in, viewer):
    client, _answer = sign_in("cat", email="viewer@example.com", **claims)
    assert not is_in(client)
    assert not SocialAccount.objects.exists()


def test_somebody_without_an_account_gets_none(sign_in, viewer):
    client, answer = sign_in("dan", email="stranger@example.com", email_verified=True)
    assert not is_in(client)
    assert "Sign-up is closed" in answer.content.decode()
    assert list(User.objects.all()) == [viewer]


def test_a_deactivated_account_stays_closed(sign_in, viewer):
    User.objects.filter(pk=viewer.pk).update(is_active=False)
    client, answer = sign_in("eve", email="viewer@example.com", email_verified=True)
    assert answer["Location"] == reverse("account_inactive")
    assert not is_in(client)


def test_a_second_factor_is_asked_for_here_too(sign_in, viewer):
    viewer.authenticator_set.create(type="totp", data={"secret": "x"})
    client, answer = sign_in("fay", email="viewer@example.com", email_verified=True)
    assert answer["Location"] == reverse("mfa_authenticate")
    assert not is_in(client)


def test_password_that_was_given_up_before_is_no_part_of_sign_in(sign_in, viewer):
    secret = set_up(viewer)
    client, _answer = sign_in(
        "ike", client=begin(viewer), email="viewer@example.com", email_verified=True
    )
    with next_code():
        assert finish(client, code(secret))
    assert lines()[0].sent["signed_in_by"] == ["single_sign_on", "app"]


def test_the_lock_of_wrong_passwords_does_not_hold_it_up(sign_in, viewer):
    for _ in range(6):
        Client().post(reverse("account_login"), {"login": viewer.email, "password": "guess"})
    client, _answer = sign_in("gus", email="viewer@example.com", email_verified=True)
    assert is_in(client)


Claims = dict[str, Any]


def forged(token, claims, **of_both):
    """The claims as a provider has them, changed in the ID token and in the user info."""
    return lambda found, path: found | of_both | (claims if path == "/userinfo" else token)


@pytest.mark.parametrize(
    "change",
    [
        forged({}, {}, sub=None),
        forged({}, {}, sub=7),
        forged({}, {}, sub=""),
        forged({}, {}, sub="x" * 192),
        forged({}, {}, sub="a\x00b"),
        forged({}, {"sub": "somebody"}),
        forged({"sub": "somebody"}, {}),
        forged({"nonce": "another"}, {}),
        forged({"nonce": None}, {}),
        forged({}, {"email": "\u212aim@example.com"}),
        forged({}, {"email": "\uff4bim@example.com"}),
        forged({}, {"email": ["kim@example.com"]}),
        lambda found, path: [found] if path == "/userinfo" else found,
        lambda found, path: "kim" if path == "/userinfo" else found,
        lambda found, path: None if path == "/userinfo" else found,
    ],
)
def test_a_provider_that_proves_nothing_is_refused_with_words(change, sign_in, monkeypatch):
    User.objects.create_user("kim@example.com")
    claims_of = _app._user_claims_for_scope

    def changed(user, scope):
        return change(claims_of(user, scope), request.path)

    monkeypatch.setattr(_app, "_user_claims_for_scope", changed)
    client, answer = sign_in("kim", email="kim@example.com", email_verified=True)
    assert (answer.status_code, is_in(client)) == (401, False)
    assert "Single sign-on failed" in answer.content.decode()
    assert not SocialAccount.objects.exists()


def test_claims_that_are_no_texts_are_left_out(sign_in, viewer):
    odd = {"name": ["V"], "given_name": 7, "family_name": "a\x00b", "roles": ["x"]}
    client, _answer = sign_in("val", email="viewer@example.com", email_verified=True, **odd)
    assert is_in(client)
    kept = {"sub": "val", "email": "viewer@example.com", "email_verified": True}
    assert SocialAccount.objects.get().extra_data == {"userinfo": kept}


@pytest.mark.parametrize(
    "answers",
    [
        {"/oauth2/token": {"access_token": "x", "expires_in": "soon"}},
        {"/oauth2/token": ["access_token"]},
        {"/oauth2/token": {"access_token": "x", "id_token": ["x"]}},
        {"/.well-known/openid-configuration": ["issuer"]},
        {"/.well-known/openid-configuration": {"issuer": 7}},
    ],
)
def test_answers_of_another_shape_are_refused_with_words(answers, sign_in, viewer, monkeypatch):
    asked = Session.request

    def answered(session, method, url, **values):
        found = asked(session, method, url, **values)
        if (path := urlsplit(url).path) in answers:
            found._content = json.dumps(answers[path]).encode()
        return found

    client = Client()
    if "/oauth2/token" in answers:
        monkeypatch.setattr(Session, "request", answered)
        client, answer = sign_in("una", email="viewer@example.com", email_verified=True)
    else:
        monkeypatch.setattr(Session, "request", answered)
        answer = client.post(LOGIN)
    assert (answer.status_code, is_in(client)) == (401, False)
    assert "Single sign-on failed" in answer.content.decode()


def test_a_link_adds_nothing_to_what_the_provider_is_asked(sign_in):
    there = Client().post(f"{LOGIN}?auth_params=nonce%3Dx%26redirect_uri%3Dhttps://evil&scope=all")
    asked = parse_qs(urlsplit(there["Location"]).query)
    assert asked["redirect_uri"] == [f"http://testserver{LOGIN}callback/"]
    assert set(asked["scope"][0].split()) == {"openid", "profile", "email"}
    assert len(asked["nonce"][0]) == 64


def test_a_callback_that_nobody_began_opens_nothing(sign_in, viewer):
    answer = Client().get(f"{LOGIN}callback/", {"code": "forged", "state": "forged"})
    assert "Single sign-on failed" in answer.content.decode()


def test_a_provider_that_is_down_is_said_plainly(sign_in, settings, viewer):
    apps = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    apps[0]["settings"]["server_url"] = "http://127.0.0.1:1"
    answer = Client().post(LOGIN)
    assert "Single sign-on failed" in answer.content.decode()


def test_half_a_configuration_does_not_start(monkeypatch):
    monkeypatch.setenv("OIDC_ISSUER", "https://login.example.com")
    environment = Environment()
    environment.openid_connect()
    with pytest.raises(Exception, match="OIDC_CLIENT_SECRET is not set"):
        environment.check({})


@pytest.fixture
def only_by_provider(sign_in, viewer):
    """Returns the browser of a user without a password."""
    client, _answer = sign_in("gus", email="viewer@example.com", email_verified=True)
    viewer.set_unusable_password()
    viewer.save()
    client, _answer = sign_in("gus", email="viewer@example.com", email_verified=True)
    assert is_in(client)
    return client


def test_password_reset_without_password_sends_no_link(only_by_provider, viewer, mailoutbox):
    answer = Client().post(reverse("account_reset_password"), {"email": viewer.email})
    assert answer["Location"] == reverse("account_reset_password_done")
    [mail] = mailoutbox
    assert "single sign-on only" in mail.body
    assert "/password/reset/key/" not in mail.body


def test_password_reset_with_password_sends_a_link(sign_in, viewer, mailoutbox):
    sign_in("hal", email="viewer@example.com", email_verified=True)
    Client().post(reverse("account_reset_password"), {"email": viewer.email})
    assert "/password/reset/key/" in mailoutbox[-1].body


def test_email_of_single_sign_on_alone_is_not_changed(only_by_provider, viewer, mailoutbox):
    url = reverse("account_email")
    shown = only_by_provider.get(url).content.decode()
    assert "cannot be changed here" in shown
    assert "Send code" not in shown
    sent = {"email": "mine@example.com", "action_add": ""}
    answer = only_by_provider.post(url, sent)
    assert answer.status_code == 200
    assert not mailoutbox
    assert list(viewer.emailaddress_set.values_list("email", flat=True)) == [viewer.email]


CHOSEN = {"password1": "a long new password", "password2": "a long new password"}


def test_single_sign_on_alone_sets_no_password(only_by_provider, viewer):
    url = reverse("account_set_password")
    assert only_by_provider.get(reverse("account_change_password"))["Location"] == url
    shown = only_by_provider.get(url).text
    assert "You sign in by single sign-on only" in shown
    assert "Set password" not in shown
    refused = only_by_provider.post(url, CHOSEN)
    assert "You sign in by single sign-on only" in refused.text
    viewer.refresh_from_db()
    assert not viewer.has_usable_password()


def test_invitation_opens_nothing_after_single_sign_on(sign_in, viewer):
    viewer.set_unusable_password()
    viewer.save()
    link = accounts.set_password_link(Origin(), viewer).removeprefix("http://testserver")
    sign_in("ida", email="viewer@example.com", email_verified=True)
    browser = Client()
    there = browser.get(link, follow=True)
    assert "password1" not in there.text
    browser.post(there.request["PATH_INFO"], CHOSEN)
    viewer.refresh_from_db()
    assert not viewer.has_usable_password()


def test_changed_email_leaves_the_link_with_the_provider(sign_in, viewer, mailoutbox):
    """The mailbox that the account had opens it no more, and the provider's subject does."""
    client, _answer = sign_in("joe", email="viewer@example.com", email_verified=True)
    url = reverse("account_email")
    client.post(url, {"email": "moved@example.com", "action_add": ""})
    assert list(viewer.emailaddress_set.values_list("email", flat=True)) == ["viewer@example.com"]
    [sent] = [mail for mail in mailoutbox if mail.to == ["moved@example.com"]]
    entered = re.findall(r"(?m)^\s*([A-Z0-9-]{6,9})\s*$", sent.body)[0]
    client.post(reverse("account_email_verification_sent"), {"code": entered})
    viewer.refresh_from_db()
    assert viewer.email == "moved@example.com"
    stranger, _answer = sign_in("kay", email="viewer@example.com", email_verified=True)
    assert not is_in(stranger)
    again, _answer = sign_in("joe", email="viewer@example.com", email_verified=True)
    assert again.get("/connections/").wsgi_request.user == viewer
