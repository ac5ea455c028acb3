"""Promises 9 to 12: cookies, and when sessions end."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
import time_machine
from cryptography.fernet import Fernet
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.models import User
from portal.sign_in.session_store import SEEN
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db
PAGE = "/connections/"


def sign_in(client, user):
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})


def is_in(client):
    return client.get(PAGE).status_code == 200


@pytest.fixture
def now():
    return timezone.now()


def test_cookies_are_for_this_site_and_not_for_scripts(visitor, viewer):
    visitor.get(reverse("account_login"))
    sign_in(visitor, viewer)
    for name in ("sessionid", "csrftoken"):
        cookie = visitor.cookies[name]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"


def test_a_session_ends_with_the_browser(visitor, viewer):
    sign_in(visitor, viewer)
    assert not visitor.cookies["sessionid"]["max-age"]


def test_outside_the_demo_cookies_need_tls(tmp_path):
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "portal.config.settings",
        "SECRET_KEY": "production" * 6,
        "AUDIT_KEY": "production" * 6,
        "TOKEN_KEYS": Fernet.generate_key().decode(),
        "ALLOWED_HOSTS": "portal.example.com",
        "SITE_URL": "https://portal.example.com",
        "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3",
        "EMAIL_URL": "smtp://localhost:25",
    }
    program = (
        "from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, len(s.REQUIRE_SECOND_FACTOR),"
        " s.MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
    )
    assert said.stdout.split() == ["True", "True", "4", "False"]


def test_the_session_gets_a_new_id_at_sign_in(visitor, viewer):
    visitor.get("/account/2fa/webauthn/login/", headers={"accept": "application/json"})
    before = visitor.cookies["sessionid"].value
    sign_in(visitor, viewer)
    assert visitor.cookies["sessionid"].value != before
    planted = Client()
    planted.cookies["sessionid"] = before
    assert not is_in(planted)


def test_a_password_change_ends_all_other_sessions(viewer):
    here, there = admin_client_for(viewer), admin_client_for(viewer)
    new = "a new battery staple"
    typed = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post(reverse("account_change_password"), typed).status_code == 302
    assert is_in(here)
    assert not is_in(there)


def test_ending_sessions_ends_them_all(viewer):
    clients = [admin_client_for(viewer) for _ in range(2)]
    viewer.end_sessions()
    assert not any(is_in(client) for client in clients)


def test_a_deactivated_account_is_signed_out(viewer):
    client = admin_client_for(viewer)
    User.objects.filter(pk=viewer.pk).update(is_active=False)
    assert not is_in(client)


def test_a_session_ends_after_an_hour_without_use(viewer, now):
    with time_machine.travel(now, tick=False) as clock:
        client = admin_client_for(viewer)
        clock.shift(timedelta(minutes=59))
        assert is_in(client)
        clock.shift(timedelta(minutes=59))
        assert is_in(client)
        clock.shift(timedelta(minutes=60))
        answer = client.get(PAGE)
    assert answer["Location"] == f"{reverse('account_login')}?next={PAGE}"
    assert [str(said) for said in get_messages(answer.wsgi_request)] == [
        "Sign-in sessions end after 60 minutes without use."
    ]
    assert not is_in(client)


def test_a_session_ends_after_twelve_hours_whatever_its_use(viewer, now):
    with time_machine.travel(now, tick=False) as clock:
        client = admin_client_for(viewer)
        for _ in range(23):
            clock.shift(timedelta(minutes=30))
            assert is_in(client)
        clock.shift(timedelta(minutes=30))
        assert not is_in(client)


def test_use_is_written_at_most_once_a_minute(viewer, now):
    with time_machine.travel(now, tick=False) as clock:
        client = admin_client_for(viewer)
        begun = client.session[SEEN]
        clock.shift(timedelta(seconds=59))
        client.get(PAGE)
        assert client.session[SEEN] == begun
        clock.shift(timedelta(seconds=1))
        client.get(PAGE)
        assert client.session[SEEN] == begun + 60


def test_a_session_that_never_said_when_it_began_is_over(viewer):
    client = admin_client_for(viewer)
    session = client.session
    del session["begun"]
    session.save()
    assert not is_in(client)
