"""Sign-ins of people: listed for them and for administrators, and ended at once."""

import re
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
import time_machine
from django.contrib.messages import get_messages
from django.contrib.sessions.backends.base import UpdateError
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Session
from portal.audit.reading import lines
from portal.sign_in import sessions
from portal.sign_in.sessions import describe
from portal.sign_in.tasks import clear_sessions
from portal.team import accounts
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0"
WEBKIT = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko)"
CHROME = f"{WEBKIT} Chrome/137.0.0.0 Safari/537.36"
OWN = "sign_in:sessions"


def signed_in(user, browser=FIREFOX, address="192.0.2.1"):
    """A client that has typed in the password, in this browser and at this address."""
    client = Client(headers={"user-agent": browser}, REMOTE_ADDR=address)
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    return client


def is_in(client):
    return client.get("/connections/").status_code == 200


def key_of(client):
    return str(client.cookies["sessionid"].value)


def handle_of(client):
    return Session.objects.get(pk=key_of(client)).handle


def end(client, ended):
    return client.post(reverse("sign_in:session-end", args=[handle_of(ended)]))


def said(response):
    return [str(message) for message in get_messages(response.wsgi_request)]


def words(page):
    """The cells of the list, row by row."""
    rows = re.findall(r"<tr>(.*?)</tr>", page.content.decode().partition("<tbody>")[2], re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]


def test_ones_sessions_are_listed_with_browser_and_address(viewer):
    client = signed_in(viewer)
    signed_in(viewer, CHROME, "192.0.2.2")
    listed = words(client.get(reverse(OWN)))
    assert len(listed) == 2
    [here] = [row for row in listed if "This sign-in session" in row]
    [there] = [row for row in listed if "This sign-in session" not in row]
    assert here.startswith("Firefox on Linux 192.0.2.1")
    assert there.startswith("Chrome on Windows 192.0.2.2")
    assert "End the sign-in session of Chrome on Windows" in there


def test_nobody_sees_or_ends_anothers(viewer, operator):
    client, theirs = signed_in(viewer), signed_in(operator)
    assert len(words(client.get(reverse(OWN)))) == 1
    assert said(end(client, theirs)) == ["That sign-in session had already ended."]
    assert is_in(theirs)


def test_no_page_has_what_signs_in(administrator, viewer):
    client, theirs = signed_in(administrator), signed_in(viewer)
    pages = [
        client.get(reverse(OWN)),
        client.get(reverse("team:member-sessions", args=[viewer.pk])),
    ]
    end(theirs, signed_in(viewer))
    for page in (*pages, client.get(reverse("audit:trail"))):
        assert not any(key.encode() in page.content for key in (key_of(client), key_of(theirs)))


def test_one_session_is_ended_at_once(viewer):
    client, ended, other = signed_in(viewer), signed_in(viewer, CHROME), signed_in(viewer)
    assert said(end(client, ended)) == ["The sign-in session was ended."]
    assert not is_in(ended)
    assert is_in(client)
    assert is_in(other)
    entry = lines()[0]
    assert (entry.operation, entry.actor, entry.object_id) == (
        "session.revoke",
        viewer,
        str(viewer.pk),
    )
    assert entry.sent["browser"] == "Chrome on Windows"


def test_one_that_has_ended_is_not_ended_again(viewer):
    client, ended = signed_in(viewer), signed_in(viewer)
    url = reverse("sign_in:session-end", args=[handle_of(ended)])
    client.post(url)
    assert said(client.post(url))[-1] == "That sign-in session had already ended."
    assert lines().filter(operation="session.revoke").count() == 1


def test_all_others_are_ended_and_this_one_goes_on(viewer, operator):
    client, theirs = signed_in(viewer), signed_in(operator)
    others = [signed_in(viewer) for _ in range(3)]
    client.post(reverse("sign_in:sessions-end-others"))
    assert not any(is_in(other) for other in others)
    assert is_in(client)
    assert is_in(theirs)
    assert lines()[0].operation == "session.revoke_others"


def test_a_request_under_way_brings_no_ended_session_back(viewer):
    client, ended = signed_in(viewer), signed_in(viewer)
    under_way = ended.session
    under_way["more"] = "of it"
    end(client, ended)
    with pytest.raises(UpdateError):
        under_way.save()
    assert not is_in(ended)


def test_an_administrator_sees_and_ends_a_members(administrator, viewer):
    client, theirs, stays = signed_in(administrator), signed_in(viewer, CHROME), signed_in(viewer)
    page = client.get(reverse("team:member-sessions", args=[viewer.pk]))
    assert [row.split(" 192")[0] for row in words(page)].count("Chrome on Windows") == 1
    url = reverse("team:member-session-end", args=[viewer.pk, handle_of(theirs)])
    assert client.post(url)["Location"] == reverse("team:member-sessions", args=[viewer.pk])
    assert not is_in(theirs)
    assert is_in(stays)
    entry = lines()[0]
    assert (entry.operation, entry.actor, entry.object_label) == (
        "session.revoke",
        administrator,
        viewer.email,
    )


def test_ending_a_members_session_needs_a_proof_of_who_one_is(administrator, viewer):
    theirs = signed_in(viewer)
    client = admin_client_for(administrator, recently=False)
    client.post(reverse("team:member-session-end", args=[viewer.pk, handle_of(theirs)]))
    assert is_in(theirs)


def test_an_administrator_who_signs_out_everywhere_is_out_too(administrator):
    client = signed_in(administrator)
    answer = client.post(reverse("team:member-sessions", args=[administrator.pk]))
    assert answer.status_code == 302
    assert not is_in(client)


def test_no_row_of_a_deactivated_account_is_left(viewer):
    client = signed_in(viewer)
    accounts.deactivate(Origin(), viewer)
    assert not Session.objects.filter(user=viewer).exists()
    accounts.activate(Origin(), viewer)
    assert not is_in(client)


def test_a_changed_password_leaves_this_session_alone(viewer):
    client, _other = signed_in(viewer), signed_in(viewer)
    new = "a new battery staple"
    typed = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    client.post(reverse("account_change_password"), typed)
    assert [row.session_key for row in sessions.active(viewer)] == [key_of(client)]


def test_what_is_listed_is_what_would_still_be_answered(viewer):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = signed_in(viewer)
        clock.shift(timedelta(minutes=59))
        assert list(sessions.active(viewer))
        clock.shift(timedelta(minutes=1))
        assert not list(sessions.active(viewer))
        assert not is_in(client)


def test_use_is_noted_once_minute_with_address_it_comes_from(viewer):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = signed_in(viewer)
        began = Session.objects.get(pk=key_of(client)).seen_at
        assert began
        client.defaults["REMOTE_ADDR"] = "192.0.2.9"
        clock.shift(timedelta(seconds=59))
        client.get("/connections/")
        assert Session.objects.get(pk=key_of(client)).ip == "192.0.2.1"
        clock.shift(timedelta(seconds=1))
        client.get("/connections/")
        kept = Session.objects.get(pk=key_of(client))
    assert kept.ip == "192.0.2.9"
    assert kept.seen_at == began + timedelta(minutes=1)


def test_ended_sessions_are_deleted_and_others_stay(viewer):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        signed_in(viewer)
        clock.shift(timedelta(hours=12, minutes=1))
        running = key_of(signed_in(viewer))
        clear_sessions()
    assert list(Session.objects.values_list("pk", flat=True)) == [running]


def test_an_address_of_any_length_is_kept(viewer, settings):
    settings.TRUSTED_PROXY_COUNT = settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    client = Client(headers={"x-forwarded-for": "2001:db8::1" * 20})
    client.force_login(viewer)
    assert Session.objects.get(user=viewer).ip == ""
    settings.SESSION_IDLE_MINUTES = 600
    with time_machine.travel(timezone.now() + timedelta(minutes=2), tick=False):
        client.get("/connections/")
    assert len(Session.objects.get(user=viewer).ip) == 45


def test_sessions_of_the_release_before_go_on(viewer):
    client = signed_in(viewer)
    key = key_of(client)
    kept = Session.objects.get(pk=key)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE django_session (session_key varchar(40) PRIMARY KEY,"
            " session_data text NOT NULL, expire_date timestamp NOT NULL)"
        )
        cursor.execute(
            "INSERT INTO django_session VALUES (%s, %s, %s)",
            [key, kept.session_data, kept.expire_date],
        )
    kept.delete()
    assert not is_in(client)
    client.cookies["sessionid"] = key
    migration = import_module("portal.access.migrations.0007_take_over_sessions")
    migration.take_over(None, SimpleNamespace(connection=connection))
    assert is_in(client)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM django_session")
        assert cursor.fetchone() == (0,)
        cursor.execute("DROP TABLE django_session")


@pytest.mark.parametrize(
    ("user_agent", "expected"),
    [
        (FIREFOX, "Firefox on Linux"),
        (CHROME, "Chrome on Windows"),
        (f"{CHROME} Edg/137.0.0.0", "Edge on Windows"),
        (f"{CHROME} OPR/119.0.0.0", "Opera on Windows"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like "
            "Gecko) Version/18.4 Safari/605.1.15",
            "Safari on macOS",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
            "like Gecko) CriOS/137.0 Mobile/15E148 Safari/604.1",
            "Chrome on iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 15) Unheard/1.0", "Unknown browser on Android"),
        ("curl/8.5.0", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_is_named_in_words(user_agent, expected):
    assert describe(user_agent) == expected
