"""Promise 13: the second factor, and codes that work once."""

import json
from base64 import urlsafe_b64decode
from datetime import timedelta

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Session
from portal.audit.reading import lines
from portal.team import accounts
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db
PAGE = "/connections/"


def code(secret):
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


def next_code():
    """As if the app showed its next code."""
    return time_machine.travel(timezone.now() + timedelta(seconds=30), tick=False)


def set_up(user):
    """Sets an authenticator app up through its page; its secret."""
    client = admin_client_for(user)
    url = reverse("mfa_activate_totp")
    client.get(url)
    secret: str = client.session["mfa.totp.secret"]
    with time_machine.travel(timezone.now(), tick=False):  # a code holds for 30 seconds
        answer = client.post(url, {"code": code(secret)})
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    return secret


def recovery_codes(user):
    client = admin_client_for(user)
    page = client.get(reverse("mfa_download_recovery_codes")).content.decode()
    return [line for line in page.split() if line.isdecimal()]


def begin(user):
    """A client that has typed in the right password."""
    client = Client()
    typed = {"login": user.email, "password": PASSWORD}
    assert client.post(reverse("account_login"), typed)["Location"] == reverse("mfa_authenticate")
    return client


def finish(client, typed):
    client.post(reverse("mfa_authenticate"), {"code": typed})
    return client.get(PAGE).status_code == 200


def test_the_password_alone_no_longer_signs_in(viewer):
    set_up(viewer)
    assert begin(viewer).get(PAGE).status_code == 302


def test_a_code_of_the_app_works_once(viewer):
    secret = set_up(viewer)
    with next_code():
        typed = code(secret)
        assert finish(begin(viewer), typed)
        assert not finish(begin(viewer), typed)


def test_the_code_that_set_the_app_up_does_not_sign_in(viewer):
    with time_machine.travel(timezone.now(), tick=False):
        secret = set_up(viewer)
        assert not finish(begin(viewer), code(secret))


def test_an_apps_secret_is_in_no_session_as_it_is(viewer):
    client = admin_client_for(viewer)
    page = client.get(reverse("mfa_activate_totp"))
    secret = client.session["mfa.totp.secret"]
    assert secret in page.content.decode()
    kept = Session.objects.get(pk=client.cookies["sessionid"].value).session_data
    assert ":" not in kept  # as it is in what is signed alone
    assert b"mfa.totp" not in urlsafe_b64decode(kept)


def test_a_wrong_code_is_refused_and_recorded(viewer):
    secret = set_up(viewer)
    wrong = f"{(int(code(secret)) + 1) % 1_000_000:06}"
    assert not finish(begin(viewer), wrong)
    entry = lines()[0]
    assert (entry.operation, entry.object_label) == ("session.refused", viewer.email)
    assert entry.message == "Wrong two-factor code."


def test_guessing_codes_is_throttled(viewer):
    secret = set_up(viewer)
    client = begin(viewer)
    for _ in range(5):
        client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert not finish(client, code(secret))


def test_a_recovery_code_works_once(viewer):
    set_up(viewer)
    first, second, *_ = recovery_codes(viewer)
    assert finish(begin(viewer), first)
    assert not finish(begin(viewer), first)
    assert finish(begin(viewer), second)


def test_second_factors_are_encrypted_at_rest(viewer):
    secret = set_up(viewer)
    codes = recovery_codes(viewer)
    stored = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert not any(one in stored for one in codes)


def test_second_factors_outlive_a_change_of_keys(viewer, settings):
    secret = set_up(viewer)
    codes = recovery_codes(viewer)
    settings.TOKEN_KEYS = [Fernet.generate_key().decode(), *settings.TOKEN_KEYS]
    call_command("rotate_token_keys")
    settings.TOKEN_KEYS = settings.TOKEN_KEYS[:1]
    with next_code():
        assert finish(begin(viewer), code(secret))
    assert finish(begin(viewer), codes[0])


def test_changes_of_second_factors_are_recorded(viewer):
    set_up(viewer)
    client = admin_client_for(viewer)
    client.post(reverse("mfa_generate_recovery_codes"))
    client.post(reverse("mfa_deactivate_totp"))
    values = [
        (entry.operation, entry.sent["type"])
        for entry in lines().filter(operation__startswith="factor.", actor=viewer)
    ]
    assert values == [
        ("factor.remove", "Recovery codes"),
        ("factor.remove", "TOTP Authenticator"),
        ("factor.renew", "Recovery codes"),
        ("factor.remove", "Recovery codes"),
        ("factor.renew", "Recovery codes"),
        ("factor.add", "TOTP Authenticator"),
    ]


def test_where_it_is_required_nobody_gets_on_without_one(viewer, settings):
    settings.REQUIRE_SECOND_FACTOR = ["viewer"]
    client = admin_client_for(viewer)
    for url in (PAGE, "/", reverse("audit:trail")):
        assert client.get(url)["Location"] == reverse("mfa_index")
    assert client.post(reverse("connections:new"))["Location"] == reverse("mfa_index")
    assert client.get(reverse("mfa_index")).status_code == 200
    assert client.get(reverse("account_change_password")).status_code == 200


def test_where_it_is_required_setting_one_up_opens_the_rest(viewer, settings):
    settings.REQUIRE_SECOND_FACTOR = ["viewer"]
    client = admin_client_for(viewer)
    set_up(viewer)
    assert client.get(PAGE).status_code == 200


def test_recovery_codes_alone_are_no_second_factor(viewer, settings):
    settings.REQUIRE_SECOND_FACTOR = ["viewer"]
    set_up(viewer)
    Authenticator.objects.filter(type=Authenticator.Type.TOTP).delete()
    assert admin_client_for(viewer).get(PAGE)["Location"] == reverse("mfa_index")


def test_script_asking_for_fragment_is_sent_to_whole_page(viewer, settings):
    settings.REQUIRE_SECOND_FACTOR = ["viewer"]
    answer = admin_client_for(viewer).get(PAGE, headers={"hx-request": "true"})
    assert answer["HX-Redirect"] == reverse("mfa_index")


def test_no_browser_keeps_the_pages_that_show_secrets(administrator, viewer):
    client = admin_client_for(administrator)
    link = accounts.set_password_link(Origin(), viewer).removeprefix("http://testserver")
    stranger = Client()
    shown = [
        client.get(reverse("mfa_activate_totp")),
        client.post(reverse("team:member-link", args=[viewer.pk])),
        client.post(reverse("team:invite"), {"email": "new@example.com", "role": "viewer"}),
        stranger.get(link),
        stranger.get(stranger.get(link)["Location"]),
    ]
    set_up(administrator)
    shown += [
        client.get(reverse("mfa_view_recovery_codes")),
        client.get(reverse("mfa_download_recovery_codes")),
        client.get(reverse("mfa_generate_recovery_codes")),
        client.post(reverse("mfa_generate_recovery_codes")),
    ]
    assert [page.status_code for page in shown] == [200, 200, 200, 302, 200, 200, 200, 200, 302]
    assert all("no-store" in page["Cache-Control"] for page in shown)
