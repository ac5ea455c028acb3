"""Single sign-on with a running provider: for people who have an account here, and nobody else."""

from collections.abc import Callable, Iterator

import oidc_provider_mock
import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from portal.access.audit.reading import lines
from portal.access.models import User
from portal.config.environment import Environment
from tests.access.test_second_factor import begin, code, finish, next_code, set_up
from tests.plugins import plain_http
from tests.plugins.portal import PASSWORD

pytestmark = pytest.mark.django_db
LOGIN = "/account/oidc/sso/login/"

SignIn = Callable[..., tuple[Client, HttpResponse]]


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of an OpenID Connect provider."""
    with oidc_provider_mock.run_server_in_thread() as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
def sign_in(provider: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> SignIn:
    """Goes through the provider as somebody with these claims, and comes back."""
    monkeypatch.setenv("OIDC_NAME", "Company login")
    monkeypatch.setenv("OIDC_ISSUER", provider)
    monkeypatch.setenv("OIDC_CLIENT_ID", "switchboard")
    monkeypatch.setenv("OIDC_CLIENT_SECRET", "oidc-secret")
    apps = Environment().openid_connect()
    settings.SOCIALACCOUNT_PROVIDERS = settings.SOCIALACCOUNT_PROVIDERS | {
        "openid_connect": {"APPS": apps, "OAUTH_PKCE_ENABLED": True}
    }

    def go(
        subject: str, *, client: Client | None = None, **claims: object
    ) -> tuple[Client, HttpResponse]:
        plain_http.put(f"{provider}/users/{subject}", json=claims).raise_for_status()
        client = client or Client()
        there = client.post(LOGIN)["Location"]
        assert there.startswith(provider)
        back = plain_http.post(there, data={"sub": subject}).headers["Location"]
        return client, client.get(back.removeprefix("http://testserver"))

    return go


def is_in(client: Client) -> bool:
    return client.get("/connections/").status_code == 200


def test_the_sign_in_page_offers_it(sign_in: SignIn):
    page = Client().get(reverse("account_login")).content.decode()
    assert "Sign in with Company login" in page
    assert LOGIN in page


def test_without_configuration_it_is_not_offered(client: Client):
    assert "Sign in with" not in client.get(reverse("account_login")).content.decode().replace(
        "Sign in with a passkey", ""
    )
    assert client.post(LOGIN).status_code == 404


def test_a_verified_email_opens_the_account_that_has_it(sign_in: SignIn, viewer: User):
    client, _answer = sign_in("ann", email="Viewer@example.com", email_verified=True)
    assert is_in(client)
    assert client.get("/connections/").wsgi_request.user == viewer
    assert lines()[0].operation == "session.begin"
    assert lines()[0].sent["signed_in_by"] == ["single_sign_on"]
    viewer.refresh_from_db()
    assert viewer.check_password(PASSWORD)


def test_the_account_is_known_by_its_subject_from_then_on(sign_in: SignIn, viewer: User):
    sign_in("ben", email="viewer@example.com", email_verified=True)
    client, _answer = sign_in("ben", email="renamed@example.com", email_verified=True)
    assert client.get("/connections/").wsgi_request.user == viewer


@pytest.mark.parametrize("claims", [{"email_verified": False}, {}])
def test_an_email_that_is_not_verified_opens_nothing(
    claims: dict[str, bool], sign_in: SignIn, viewer: User
):
    client, _answer = sign_in("cat", email="viewer@example.com", **claims)
    assert not is_in(client)


def test_somebody_without_an_account_gets_none(sign_in: SignIn, viewer: User):
    client, answer = sign_in("dan", email="stranger@example.com", email_verified=True)
    assert not is_in(client)
    assert "Sign-up is closed" in answer.content.decode()
    assert list(User.objects.all()) == [viewer]


def test_a_deactivated_account_stays_closed(sign_in: SignIn, viewer: User):
    User.objects.filter(pk=viewer.pk).update(is_active=False)
    client, answer = sign_in("eve", email="viewer@example.com", email_verified=True)
    assert answer["Location"] == reverse("account_inactive")
    assert not is_in(client)


def test_a_second_factor_is_asked_for_here_too(sign_in: SignIn, viewer: User):
    viewer.authenticator_set.create(type="totp", data={"secret": "x"})
    client, answer = sign_in("fay", email="viewer@example.com", email_verified=True)
    assert answer["Location"] == reverse("mfa_authenticate")
    assert not is_in(client)


def test_a_password_that_was_given_up_before_is_no_part_of_the_sign_in(
    sign_in: SignIn, viewer: User
):
    secret = set_up(viewer)
    client, _answer = sign_in(
        "ike", client=begin(viewer), email="viewer@example.com", email_verified=True
    )
    with next_code():
        assert finish(client, code(secret))
    assert lines()[0].sent["signed_in_by"] == ["single_sign_on", "app"]


def test_the_lock_of_wrong_passwords_does_not_hold_it_up(sign_in: SignIn, viewer: User):
    for _ in range(6):
        Client().post(reverse("account_login"), {"login": viewer.email, "password": "guess"})
    client, _answer = sign_in("gus", email="viewer@example.com", email_verified=True)
    assert is_in(client)


def test_a_callback_that_nobody_began_opens_nothing(sign_in: SignIn, viewer: User):
    answer = Client().get(f"{LOGIN}callback/", {"code": "forged", "state": "forged"})
    assert "Single sign-on failed" in answer.content.decode()


def test_a_provider_that_is_down_is_said_plainly(sign_in: SignIn, settings: Settings, viewer: User):
    apps = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"]
    apps[0]["settings"]["server_url"] = "http://127.0.0.1:1"
    answer = Client().post(LOGIN)
    assert "Single sign-on failed" in answer.content.decode()


def test_half_a_configuration_does_not_start(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OIDC_ISSUER", "https://login.example.com")
    environment = Environment()
    environment.openid_connect()
    with pytest.raises(Exception, match="OIDC_CLIENT_SECRET is not set"):
        environment.check({})
