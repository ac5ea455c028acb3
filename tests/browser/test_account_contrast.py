"""Every page of one's own account can be read, with what stands on it, in each theme.

The pages come from the portal in this process, since no story leads to all of them; style sheets
and fonts come from the running demo, on whose address the browser opens them.
"""

import hashlib
import json
from dataclasses import dataclass

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.urls import reverse
from django.utils.http import int_to_base36
from fido2.utils import websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

from portal.access.roles import Role
from tests.browser.accessibility import faint_text
from tests.sign_in.test_second_factor import begin, set_up
from tests.support.portal import admin_client_for, member
from tests.support.routes import NAMED

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.deep]

# Themes as they are chosen, and as the system has them.
LOOKS = [("light", "dark"), ("dark", "light"), ("auto", "dark")]
NO_PAGE = {
    "account_confirm_login_code": "no code is sent to sign in",
    "account_email_verification_sent": "stands only while a code is waited for",
    "mfa_download_recovery_codes": "a file",
    "mfa_login_webauthn": "what a script asks for",
    "openid_connect_callback": "the provider comes back to it",
    "socialaccount_signup": "there is no sign-up",
}


_OF_ACCOUNT = {"account", "mfa", "openid", "socialaccount"}
_HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass(frozen=True)
class Visitors:
    """Clients, by what they may see."""

    secured: Client  # has every factor, and is linked to a provider
    plain: Client  # has a password alone
    linked: Client  # has no password
    stale: Client  # has every factor, and signed in long ago
    halfway: Client  # has typed in the password of two factors
    stranger: Client
    reset_link: str
    key: int


def _key(user):
    """A passkey, as a browser would have registered it."""
    public = {1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32}
    values = AttestedCredentialData.create(Aaguid.NONE, b"the key", public)
    proof = AuthenticatorData.create(hashlib.sha256(b"testserver").digest(), 0x45, 0, values)
    client_data = {"type": "webauthn.create", "challenge": "YQ", "origin": "http://testserver"}
    response = {
        "clientDataJSON": websafe_encode(json.dumps(client_data).encode()),
        "attestationObject": websafe_encode(AttestationObject.create("none", proof, {})),
    }
    identity = websafe_encode(b"the key")
    credential = {"id": identity, "rawId": identity, "type": "public-key", "response": response}
    extra = {"clientExtensionResults": {"credProps": {"rk": True}}}
    data = {"name": "Laptop", "credential": credential | extra}
    return Authenticator.objects.create(user=user, type="webauthn", data=data)


@pytest.fixture
def visitors(settings):
    # Of this process alone, as all that this test looks at.
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    app = {"provider_id": "sso", "name": "Company login", "client_id": "one", "secret": "two"}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app | {"settings": {}}]}}
    secured, plain, linked, halfway = (
        member(f"{name}@example.com", Role.VIEWER)
        for name in ("secured", "plain", "linked", "halfway")
    )
    linked.set_unusable_password()
    linked.save()
    set_up(secured)
    set_up(halfway)
    SocialAccount.objects.create(user=secured, provider="sso", uid="secured", extra_data={})
    EmailAddress.objects.create(user=secured, email="new@example.com", verified=False)
    token = f"{int_to_base36(plain.pk)}-{default_token_generator.make_token(plain)}"
    return Visitors(
        secured=admin_client_for(secured),
        plain=admin_client_for(plain),
        linked=admin_client_for(linked),
        stale=admin_client_for(secured, recently=False),
        halfway=begin(halfway),
        stranger=Client(),
        reset_link=token,
        key=_key(secured).pk,
    )


def _pages(visitors):
    """Each route of the account and who opens it, with which arguments."""
    link, _, token = visitors.reset_link.partition("-")
    passkey = {"pk": visitors.key}
    yield "account_login", visitors.stranger, {}
    yield "account_logout", visitors.plain, {}
    yield "account_inactive", visitors.stranger, {}
    yield "account_signup", visitors.stranger, {}
    yield "account_reauthenticate", visitors.stale, {}
    yield "account_email", visitors.secured, {}
    yield "account_change_password", visitors.plain, {}
    yield "account_set_password", visitors.linked, {}
    yield "account_reset_password", visitors.stranger, {}
    yield "account_reset_password_done", visitors.stranger, {}
    yield "account_reset_password_from_key", visitors.stranger, {"uidb36": link, "key": token}
    yield "account_reset_password_from_key", visitors.stranger, {"uidb36": "1", "key": "none"}
    yield "account_reset_password_from_key_done", visitors.stranger, {}
    yield "mfa_index", visitors.plain, {}
    yield "mfa_index", visitors.secured, {}
    yield "mfa_authenticate", visitors.halfway, {}
    yield "mfa_reauthenticate", visitors.stale, {}
    yield "mfa_activate_totp", visitors.plain, {}
    yield "mfa_deactivate_totp", visitors.secured, {}
    yield "mfa_view_recovery_codes", visitors.secured, {}
    yield "mfa_generate_recovery_codes", visitors.secured, {}
    yield "mfa_list_webauthn", visitors.plain, {}
    yield "mfa_list_webauthn", visitors.secured, {}
    yield "mfa_add_webauthn", visitors.plain, {}
    yield "mfa_edit_webauthn", visitors.secured, passkey
    yield "mfa_remove_webauthn", visitors.secured, passkey
    yield "mfa_reauthenticate_webauthn", visitors.stale, {}
    yield "socialaccount_connections", visitors.plain, {}
    yield "socialaccount_connections", visitors.secured, {}
    yield "socialaccount_login_cancelled", visitors.stranger, {}
    yield "socialaccount_login_error", visitors.plain, {}
    yield "sign_in:sign-ins", visitors.secured, {}
    yield "sign_in:sessions", visitors.secured, {}
    yield "openid_connect_login", visitors.stranger, {"provider_id": "sso"}


def test_every_page_of_the_account_can_be_read(visit, visitors):
    page = visit(signed_in=False)
    shown: dict[str, str] = {}
    page.route("**/shown", lambda route: route.fulfill(body=shown["html"], headers=_HTML))
    faint, seen = {}, set()
    for name, client, arguments in _pages(visitors):
        answer = client.get(reverse(name, kwargs=arguments))
        while answer.status_code == 302 and name == "account_reset_password_from_key":
            answer = client.get(answer["Location"])
        assert answer.status_code in (200, 401), name
        shown["html"] = answer.content.decode()
        page.goto("/shown")
        for theme, system in LOOKS:
            page.emulate_media(color_scheme=system)
            page.evaluate("theme => { document.documentElement.dataset.bsTheme = theme }", theme)
            if problems := faint_text(page):
                faint[f"{name}, {theme} ({system})"] = problems
        seen.add(name)
    assert faint == {}
    of_account = {route.name for route in NAMED if route.name.partition("_")[0] in _OF_ACCOUNT}
    assert of_account - seen == set(NO_PAGE)
