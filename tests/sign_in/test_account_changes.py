"""Promise 32 for one's own account: a change and its entry are one transaction."""

from collections.abc import Callable

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.mail.backends.locmem import EmailBackend
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import User
from portal.audit.models import AuditEntry
from portal.audit.reading import lines
from portal.audit.verifying import verify
from portal.team import accounts
from portal.work.models import OutgoingMail
from tests.sign_in.passkeys import Passkey
from tests.sign_in.test_second_factor import code, set_up
from tests.sign_in.test_single_sign_on import SignIn, provider, sign_in  # noqa: F401 - fixtures
from tests.support.database_faults import unwritable_entries
from tests.support.mails import delivered
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db
NEW_PASSWORD = "a new battery staple"


def activate_app(client, _user):
    url = reverse("mfa_activate_totp")
    client.get(url)

    def activate():
        with time_machine.travel(timezone.now(), tick=False):  # a code holds for 30 seconds
            return client.post(url, {"code": code(client.session["mfa.totp.secret"])})

    return activate


def deactivate_app(client, user):
    set_up(user)
    return lambda: client.post(reverse("mfa_deactivate_totp"))


def renew_codes(client, user):
    set_up(user)
    return lambda: client.post(reverse("mfa_generate_recovery_codes"))


def add_passkey(client, _user):
    return lambda: Passkey().add(client)


def remove_passkey(client, _user):
    url = reverse("mfa_remove_webauthn", args=[key_of(client)])
    return lambda: client.post(url)


def rename_passkey(client, _user):
    url = reverse("mfa_edit_webauthn", args=[key_of(client)])
    return lambda: client.post(url, {"name": "Office"})


def key_of(client):
    Passkey().add(client, "Home")
    return Authenticator.objects.get(type="webauthn").pk


def change_email(client, _user):
    client.post(reverse("account_email"), {"email": "renamed@example.com", "action_add": ""})
    typed = client.session["account_email_verification_code"]["code"]
    url = reverse("account_email_verification_sent")
    return lambda: client.post(url, {"action": "verify", "code": typed})


def change_password(client, _user):
    typed = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return lambda: client.post(reverse("account_change_password"), typed)


def follow_link(_client, user):
    link = accounts.set_password_link(Origin(), user).removeprefix("http://testserver")
    stranger = Client(raise_request_exception=False)
    page = stranger.get(link)["Location"]
    typed = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return lambda: stranger.post(page, typed)


def unlink_provider(client, user):
    linked = SocialAccount.objects.create(user=user, provider="sso", uid="ann")
    return lambda: client.post(reverse("socialaccount_connections"), {"account": linked.pk})


def link_by_signing_in(go, user):
    stranger = Client(raise_request_exception=False)
    return lambda: go("zoe", client=stranger, email=user.email, email_verified=True)[1]


CHANGES: dict[str, tuple[Callable[..., Callable[[], HttpResponse]], str]] = {
    "an app is set up": (activate_app, "factor.add"),
    "an app is removed": (deactivate_app, "factor.remove"),
    "recovery codes are made": (renew_codes, "factor.renew"),
    "a passkey is added": (add_passkey, "factor.add"),
    "a passkey is removed": (remove_passkey, "factor.remove"),
    "a passkey is renamed": (rename_passkey, "factor.rename"),
    "the email is changed": (change_email, "account.email"),
    "the password is changed": (change_password, "account.password"),
    "the password is set by a link": (follow_link, "account.password"),
    "a provider is unlinked": (unlink_provider, "provider.unlink"),
    "a provider is linked": (link_by_signing_in, "provider.link"),
}


def stored(user):
    """Returns all that is stored of a user's ways to sign in."""
    return [
        User.objects.values("email", "password").get(pk=user.pk),
        list(EmailAddress.objects.filter(user=user).values("email", "primary", "verified")),
        list(Authenticator.objects.filter(user=user).order_by("pk").values("pk", "type", "data")),
        list(SocialAccount.objects.filter(user=user).values("provider", "uid")),
    ]


@pytest.fixture(params=CHANGES.values(), ids=CHANGES)
def change(
    request,
    viewer,
    sign_in,  # noqa: F811
):
    """Carries a change out, when called; and what its entry is called."""
    prepare, operation = request.param
    client = admin_client_for(viewer)
    client.raise_request_exception = False
    given = sign_in if prepare is link_by_signing_in else client
    return prepare(given, viewer), operation


def test_a_change_is_recorded(change, viewer):
    carry_out, operation = change
    before, last = stored(viewer), AuditEntry.objects.count()
    assert carry_out().status_code == 302
    assert stored(viewer) != before
    # With the last factor go the recovery codes.
    entries = lines().filter(sequence__gt=last, operation=operation)
    assert entries
    assert {(entry.object_id, entry.actor) for entry in entries} == {(str(viewer.pk), viewer)}
    assert all(entry.request_id for entry in entries)
    assert verify().problem == ""


def test_without_an_entry_there_is_no_change(change, viewer):
    carry_out, operation = change
    before = stored(viewer)
    with unwritable_entries(lambda row: row["operation"] == operation):
        assert carry_out().status_code == 503
    assert stored(viewer) == before
    assert verify().problem == ""


@pytest.mark.parametrize("prepare", [activate_app, renew_codes, rename_passkey])
def test_without_the_change_there_is_no_entry(prepare, viewer, monkeypatch):
    client = admin_client_for(viewer)
    client.raise_request_exception = False
    carry_out = prepare(client, viewer)
    before, last = stored(viewer), AuditEntry.objects.count()

    def disk_full(*_args, **_kwargs):
        raise OperationalError("database or disk is full")

    with monkeypatch.context() as faulty:
        faulty.setattr(Authenticator, "_do_insert", disk_full)
        faulty.setattr(Authenticator, "_do_update", disk_full)
        assert carry_out().status_code == 503
    assert (stored(viewer), AuditEntry.objects.count()) == (before, last)


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_that_is_away_undoes_no_change(viewer, monkeypatch):
    client = admin_client_for(viewer)
    carry_out = deactivate_app(client, viewer)
    assert [mail.to for mail in delivered()] == [[viewer.email]]

    def refuse(*_args, **_kwargs):
        raise ConnectionRefusedError

    with monkeypatch.context() as away:
        away.setattr(EmailBackend, "send_messages", refuse)
        assert carry_out().status_code == 302
        delivered()
    assert not Authenticator.objects.exists()
    OutgoingMail.objects.update(leased_until=None)
    assert [mail.to for mail in delivered()] == [[viewer.email]] * 2


def test_an_administrator_who_resets_factors_is_named(administrator, viewer):
    set_up(viewer)
    client = admin_client_for(administrator)
    client.post(reverse("team:member-factors", args=[viewer.pk]))
    data = lines().filter(object_id=str(viewer.pk), actor=administrator)
    assert {entry.operation for entry in data} >= {"factor.remove", "team.reset_factors"}
