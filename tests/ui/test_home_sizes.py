"""The first page of new, small, large and several accounts."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.models import Connection, SecondFactorRule
from portal.access.roles import Role
from portal.contract.users import LicenceType, User as Person, UserStatus
from portal.directory import users
from portal.people.models import StatedSeats
from portal.recordings.models import MirroredRecording, StoredSharing
from portal.sessions import mirror
from portal.ui import home
from tests.support.html import text_of
from tests.support.loaded import all_loaded
from tests.support.portal import admin_client_for, member
from tests.support.shares import share_with
from tests.ui.home_causes import drift, meeting, storage
from tests.ui.test_home import shown
from tests.ui.test_home_panels import page_of, read

pytestmark = pytest.mark.django_db
STEPS = {
    "Connected",
    "Load people and sessions",
    "Say how many licences you own",
    "Turn on two-factor for administrators",
    "Invite a colleague",
}


def to_do(client):
    """Returns the first steps that are still to be taken."""
    part = page_of(client).partition('id="home-steps"')[2].partition("</section>")[0]
    return set(re.findall(r'<a href="[^"]+">([^<]+)</a>', part))


def test_new_account_has_first_steps_until_all_are_done(client, connection):
    assert to_do(client) == STEPS - {"Connected"}
    assert "1 of 5 steps done" in shown(client)
    users_state = users.state_of(connection)
    users_state.requested_at, users_state.read, users_state.expected = timezone.now(), 120, 250
    users_state.save()
    assert "People: 120 of 250" in shown(client)
    all_loaded(connection)
    StatedSeats.objects.create(connection=connection, licence=LicenceType.PRO.value, seats=9)
    assert to_do(client) == {"Turn on two-factor for administrators", "Invite a colleague"}
    SecondFactorRule.objects.create(role=Role.ADMINISTRATOR.value, since=timezone.now())
    member("colleague@example.com", Role.VIEWER)
    assert "Welcome to" not in client.get("/").text


@pytest.mark.whole_pages
def test_head_of_home_offers_what_role_may_begin(client, connection, viewer, connect):
    assert reverse("people:create", args=[connection.key]) in head_of(client)
    connect(viewer)
    assert "people/create" not in head_of(admin_client_for(viewer))


def head_of(client):
    return client.get("/").text.partition('id="home"')[0]


def test_first_steps_are_for_the_owner_who_can_dismiss_them(
    client, connection, operator, viewer, connect
):
    share_with(connection, operator)
    theirs = admin_client_for(operator)
    assert "Welcome to" not in theirs.get("/").text
    hide = reverse("home-steps", args=[connection.key])
    assert theirs.post(hide).status_code == 404
    assert "Welcome to" in client.get("/").text
    assert client.post(hide).status_code == 303
    assert "Welcome to" not in client.get("/").text
    connect(viewer)
    assert to_do(admin_client_for(viewer)) == {"Load people and sessions"}


def test_small_account_has_more_of_next_sessions_and_no_curve(client, connection):
    for number in range(1, 9):
        meeting(connection, number, "secret")
    read(connection)
    assert page_of(client).count('title="No ') == 6
    assert "<polyline" not in page_of(client)
    for number in range(25):
        person = Person(id=f"p{number}", email=f"p{number}@example.com")
        users.put(connection, person, UserStatus.ACTIVE)
    assert page_of(client).count('title="No ') == 4


def test_large_account_has_short_figures_and_shares_of_needs(client, connection, monkeypatch):
    monkeypatch.setattr(home, "_LARGE", 2)
    monkeypatch.setattr("portal.sessions.home._MANY", 1)
    for number in range(3):
        person = Person(id=f"p{number}", email=f"p{number}@example.com")
        users.put(connection, person, UserStatus.ACTIVE)
        one = MirroredRecording.objects.create(
            connection=connection, uuid=str(number), topic="x", status="available"
        )
        StoredSharing.objects.create(
            recording=one, sharing="publicly", has_password=bool(number), read_at=timezone.now()
        )
        meeting(connection, number + 1, "secret" if number else "")
    read(connection)
    page = page_of(client)
    assert '<div class="home-figure" title="3">0.0k' in page
    text = text_of(page)
    assert "No password, or can be downloaded · 33.3 % of 3" in text
    assert "1 upcoming meeting has no password Anyone with the link can join · 33.3 % of 3" in text


def test_of_several_accounts_one_is_chosen_in_place(client, connection, connect, administrator):
    other = connect(administrator, "Other account")
    for one in (connection, other):
        all_loaded(one)
        Connection.objects.update(hides_steps=True)
    drift(connection)
    storage(other)
    StatedSeats.objects.create(connection=other, licence=LicenceType.PRO.value, seats=9)
    mirror.state_of(other)
    table = text_of(page_of(client).partition("</table>")[0])
    for words in ("Licences free", "Storage", "120.0 of 100 GB"):
        assert words in table
    assert re.search(r"Other account 1 \S+ 0 9 120.0 of 100 GB", table)
    page = client.get("/", {"account": other.key}).text
    text = text_of(page.partition('id="home"')[2])
    assert "Recording storage is full" in text
    assert "1 setting differs" not in text
    assert f'hx-get="/?account={other.key}"' in page
    assert "Recording storage is full" in shown(client)
    assert "1 setting differs" in shown(client)
    assert client.session["connection"] == other.key
