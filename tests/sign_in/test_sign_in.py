"""Promises 15, 16 and 17: signing in, guessing, and the first run."""

import re
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import User
from portal.access.roles import Role
from portal.audit.models import Outcome
from portal.audit.reading import lines
from portal.team import accounts
from tests.sign_in.passkeys import Passkey
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db
LOGIN = "account_login"


def sign_in(client, email, password, **meta):
    return client.post(reverse(LOGIN), {"login": email, "password": password}, **meta)


def is_in(client):
    return client.get(reverse("connections:list")).status_code == 200


def words(response):
    """A page without what differs each time."""
    text = re.sub(r'(value|nonce|content)="[^"]*"', "", response.content.decode())
    return re.sub(r"[0-9a-f-]{36}", "", text)


def test_the_right_password_signs_in_and_is_recorded(visitor, viewer):
    response = sign_in(visitor, "Viewer@Example.com", PASSWORD)
    assert response["Location"] == "/"
    assert is_in(visitor)
    entry = lines()[0]
    assert (entry.operation, entry.actor, entry.ip) == ("session.begin", viewer, "127.0.0.1")


def test_wrong_password_is_recorded_with_address_that_was_tried(visitor, viewer):
    sign_in(visitor, "viewer@example.com", "not the password")
    assert not is_in(visitor)
    entry = lines()[0]
    assert (entry.operation, entry.outcome) == ("session.refused", Outcome.FAILED)
    assert (entry.object_label, entry.actor) == ("viewer@example.com", None)


def test_signing_out_needs_a_form_and_is_recorded(visitor, viewer):
    sign_in(visitor, viewer.email, PASSWORD)
    visitor.get(reverse("account_logout"))
    assert is_in(visitor)
    visitor.post(reverse("account_logout"))
    assert not is_in(visitor)
    assert lines()[0].operation == "session.end"


@pytest.mark.parametrize(
    "page", ["//evil.example/", "https://evil.example/", "javascript:alert(1)"]
)
def test_sign_in_leads_to_no_other_site(page, visitor, viewer):
    data = {"login": viewer.email, "password": PASSWORD, "next": page}
    assert visitor.post(reverse(LOGIN), data)["Location"] == "/"


def test_account_is_locked_after_five_failures_whatever_address(viewer):
    for number in range(5):
        sign_in(Client(), viewer.email, "guess", REMOTE_ADDR=f"192.0.2.{number}")
    client = Client()
    response = sign_in(client, viewer.email, PASSWORD, REMOTE_ADDR="192.0.2.99")
    assert "Too many failed attempts" in response.content.decode()
    assert not is_in(client)


def test_the_lock_holds_up_no_passkey(viewer):
    passkey = Passkey()
    passkey.add(admin_client_for(viewer))
    for _ in range(6):
        sign_in(Client(), viewer.email, "guess", REMOTE_ADDR="192.0.2.1")
    client = Client()
    assert "Too many" in sign_in(client, viewer.email, PASSWORD).content.decode()
    passkey.sign_in(client)
    assert is_in(client)


def test_a_sign_in_that_works_leaves_the_count_of_failures(viewer):
    passkey = Passkey()
    passkey.add(admin_client_for(viewer))
    for _ in range(5):
        sign_in(Client(), viewer.email, "guess")
    passkey.sign_in(Client())
    client = Client()
    sign_in(client, viewer.email, PASSWORD)
    assert not is_in(client)


def test_the_lock_ends_after_five_minutes(viewer):
    now = timezone.now()
    with time_machine.travel(now, tick=False) as clock:
        for _ in range(5):
            sign_in(Client(), viewer.email, "guess")
        for minutes, expected in ((4, False), (2, True)):
            clock.shift(timedelta(minutes=minutes))
            client = Client()
            sign_in(client, viewer.email, PASSWORD)
            assert is_in(client) is expected


def test_what_else_is_cached_unlocks_no_account(viewer):
    for number in range(5):
        sign_in(Client(), viewer.email, "guess", REMOTE_ADDR=f"192.0.2.{number}")
    for number in range(1000):
        cache.set(f"other-{number}", number, 300)
    client = Client()
    sign_in(client, viewer.email, PASSWORD, REMOTE_ADDR="192.0.2.99")
    assert not is_in(client)


def test_address_is_locked_after_ten_failures_whatever_account(viewer):
    for number in range(10):
        sign_in(Client(), f"nobody{number}@example.com", "guess", REMOTE_ADDR="192.0.2.1")
    client = Client()
    sign_in(client, viewer.email, PASSWORD, REMOTE_ADDR="192.0.2.1")
    assert not is_in(client)
    sign_in(client, viewer.email, PASSWORD, REMOTE_ADDR="192.0.2.2")
    assert is_in(client)


def test_a_forged_forwarded_for_does_not_unlock_an_address(viewer):
    for number in range(10):
        forged = {"HTTP_X_FORWARDED_FOR": f"198.51.100.{number}"}
        sign_in(Client(), f"nobody{number}@example.com", "guess", **forged)
    client = Client()
    sign_in(client, viewer.email, PASSWORD, HTTP_X_FORWARDED_FOR="198.51.100.77")
    assert not is_in(client)
    assert lines()[0].ip == "127.0.0.1"


def test_behind_a_proxy_only_what_the_proxy_wrote_counts(viewer, settings):
    settings.TRUSTED_PROXY_COUNT = settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for number in range(10):
        forged = {"HTTP_X_FORWARDED_FOR": f"198.51.100.{number}, 203.0.113.5"}
        sign_in(Client(), f"nobody{number}@example.com", "guess", **forged)
    client = Client()
    sign_in(client, viewer.email, PASSWORD, HTTP_X_FORWARDED_FOR="198.51.100.77, 203.0.113.5")
    assert not is_in(client)
    assert lines()[0].ip == "203.0.113.5"
    sign_in(client, viewer.email, PASSWORD, HTTP_X_FORWARDED_FOR="198.51.100.77, 203.0.113.6")
    assert is_in(client)


def test_an_unknown_account_reads_like_a_wrong_password(viewer):
    known = sign_in(Client(), viewer.email, "not the password")
    unknown = sign_in(Client(), "nobody@example.com", "not the password")
    assert known.status_code == unknown.status_code
    assert words(known) == words(unknown)


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is hashed, which is what sign-in spends its time on."""

    count = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.count += 1
        return super().encode(password, salt)


@pytest.mark.parametrize("email", ["viewer", "deactivated", "invited", "nobody"])
def test_a_wrong_password_takes_the_same_work_for_every_account(email, viewer, settings):
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    off = accounts.create(
        Origin(), email="deactivated@example.com", role=Role.VIEWER, password=PASSWORD
    )
    User.objects.filter(pk=off.pk).update(is_active=False)
    accounts.create(Origin(), email="invited@example.com", role=Role.VIEWER)
    CountingHasher.count = 0
    sign_in(Client(), f"{email}@example.com", "not the password")
    assert CountingHasher.count == 1


def test_deactivated_account_is_only_said_so_after_its_password(viewer):
    User.objects.filter(pk=viewer.pk).update(is_active=False)
    client = Client()
    assert "deactivated" not in words(sign_in(client, viewer.email, "not the password"))
    response = sign_in(client, viewer.email, PASSWORD)
    assert response["Location"] == reverse("account_inactive")
    assert not is_in(client)


def test_a_forgotten_password_reads_the_same_for_every_address(viewer, mailoutbox):
    pages = []
    for email in (viewer.email, "nobody@example.com"):
        client = Client()
        response = client.post(reverse("account_reset_password"), {"email": email})
        assert response["Location"] == reverse("account_reset_password_done")
        pages.append(words(client.get(response["Location"])))
    assert pages[0] == pages[1]
    assert [message.to for message in mailoutbox] == [[viewer.email], ["nobody@example.com"]]
    assert "/password/reset/key/" in mailoutbox[0].body
    assert "/password/reset/key/" not in mailoutbox[1].body
    assert all("Please" not in message.body for message in mailoutbox)


def test_a_mail_is_in_the_language_of_whoever_gets_it(viewer, mailoutbox):
    for language, asked_in in (("", "de"), ("de", "en"), ("en", "de")):
        User.objects.filter(pk=viewer.pk).update(language=language)
        Client(headers={"Accept-Language": asked_in}).post(
            reverse("account_reset_password"), {"email": viewer.email}
        )
    said = ("Neues Passwort festlegen", "Neues Passwort festlegen", "Set a new password")
    for mail, subject in zip(mailoutbox, said, strict=True):
        assert mail.subject.endswith(subject)
    assert ["funktioniert einmal" in mail.body for mail in mailoutbox] == [True, True, False]


def set_password(address, password):
    """Follows a set-password link and types a password in."""
    client = Client()
    response = client.get(address.removeprefix("http://testserver"))
    if response.status_code != 302:
        return response
    typed = {"password1": password, "password2": password}
    return client.post(response["Location"], typed)


def test_a_link_sets_a_password_once(viewer, mailoutbox):
    elsewhere = Client()
    sign_in(elsewhere, viewer.email, PASSWORD)
    Client().post(reverse("account_reset_password"), {"email": viewer.email})
    link = re.findall(r"http://testserver\S+/key/\S+", mailoutbox[0].body)[0]
    assert set_password(link, "a new battery staple").status_code == 302
    assert not is_in(elsewhere)
    client = Client()
    sign_in(client, viewer.email, "a new battery staple")
    assert is_in(client)
    assert "no longer works" in set_password(link, "yet another battery").content.decode()
    assert lines().filter(operation="account.password", actor=viewer).count() == 1


@pytest.mark.parametrize(
    "password", ["short", "password1234", "123456789012345", "viewer@example.com"]
)
def test_a_weak_password_is_refused(password, viewer):
    link = accounts.set_password_link(Origin(), viewer)
    response = set_password(link, password)
    assert response.status_code == 200
    assert response.context["form"].errors["password1"]


def test_nobody_signs_up(visitor):
    for url in (reverse("account_signup"), reverse("socialaccount_signup")):
        visitor.get(url)
        typed = {"email": "thief@example.com", "password1": PASSWORD, "password2": PASSWORD}
        visitor.post(url, typed)
    assert "Sign-up is closed" in visitor.get(reverse("account_signup")).content.decode()
    assert not User.objects.exists()


def test_before_the_first_account_there_is_nothing_but_sign_in(visitor):
    assert visitor.get("/")["Location"] == f"{reverse(LOGIN)}?next=/"
    sign_in(visitor, "admin@example.com", "")
    sign_in(visitor, "admin@example.com", "admin")
    assert not is_in(visitor)
    assert not User.objects.exists()


def test_the_first_account_is_made_on_the_machine_itself(capsys):
    call_command("create_admin", email="First@Example.com", name="First")
    user = User.objects.get()
    assert (user.email, user.role) == ("first@example.com", "administrator")
    assert not user.has_usable_password()
    link = re.findall(r"http://testserver\S+", capsys.readouterr().out)[0]
    assert set_password(link, PASSWORD).status_code == 302
    client = Client()
    sign_in(client, user.email, PASSWORD)
    assert is_in(client)
    assert "no longer works" in set_password(link, PASSWORD).content.decode()


def test_the_first_password_may_be_piped_in(monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO(f"{PASSWORD}\n"))
    call_command("create_admin", email="first@example.com", password_stdin=True, role="viewer")
    user = User.objects.get()
    assert user.check_password(PASSWORD)
    assert user.role == "viewer"


def test_a_weak_first_password_makes_no_account(monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("short\n"))
    with pytest.raises(CommandError, match="too short"):
        call_command("create_admin", email="first@example.com", password_stdin=True)
    assert not User.objects.exists()


@pytest.mark.parametrize("email", ["viewer@example.com", "VIEWER@example.com", "no address"])
def test_an_address_that_is_taken_or_none_makes_no_account(email, viewer):
    with pytest.raises(CommandError):
        call_command("create_admin", email=email)
    assert User.objects.count() == 1
