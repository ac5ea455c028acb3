"""Another administrator is another person: not an account that who asks or gains has made."""

import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import ApprovalRule, Connection, User
from portal.access.roles import Role
from portal.connections.services import shares
from portal.team import accounts
from tests.approvals.flows import asked_for, post, url
from tests.support.portal import PASSWORD, admin_client_for, member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


def invited(client, email, role="administrator"):
    """Returns a client of an account that this one invites, by the link that it is shown."""
    page = client.post(reverse("team:invite"), {"email": email, "name": "", "role": role}).text
    browser = Client()
    link = re.findall(r"http://testserver(/account/password/reset/key/[^<\s\"]+)", page)[0]
    browser.post(browser.get(link)["Location"], {"password1": PASSWORD, "password2": PASSWORD})
    browser.post(reverse("account_login"), {"login": email, "password": PASSWORD})
    return browser


def hand_over(client, connection, to):
    data = {"to": to.pk, "name": "Theirs", "keeps": "", "seen": shares.version_of(connection)}
    path = reverse("connections:hand-over", args=[connection.key])
    return client.post(path, data, follow=True).text


def owner_of(connection):
    return Connection.objects.select_related("owner").get(pk=connection.pk).owner


@pytest.fixture
def gains(connection):
    """An administrator with a share, who wants the connection."""
    user = member("gains@example.com", Role.ADMINISTRATOR)
    share_with(connection, user)
    return user


def test_puppets_of_who_gains_hand_nothing_over(connection, administrator, gains):
    honest = admin_client_for(member("honest@example.com", Role.ADMINISTRATOR))
    puppets = [invited(admin_client_for(gains), f"puppet{each}@example.com") for each in (1, 2)]
    accounts.deactivate(Origin(), administrator)
    for puppet in puppets:
        assert "You do not count as another administrator" in hand_over(puppet, connection, gains)
    hand_over(honest, connection, gains)
    assert owner_of(connection) == gains  # nobody else was there to confirm it


def test_administrator_since_the_deactivation_confirms_nothing(connection, administrator, gains):
    first = admin_client_for(member("first@example.com", Role.ADMINISTRATOR))
    member("second@example.com", Role.ADMINISTRATOR)
    accounts.deactivate(Origin(), administrator)
    late = admin_client_for(member("late@example.com", Role.ADMINISTRATOR))
    hand_over(first, connection, gains)
    assert "You do not count as another administrator" in hand_over(late, connection, gains)
    assert owner_of(connection) == administrator


def test_former_limit_hands_nothing_over(connection, administrator, gains, viewer):
    share_with(connection, viewer)
    gains.shares.update(departments=["Legal"])
    admin_client_for(gains).post(reverse("connections:leave", args=[connection.key]))
    assert not gains.shares.exists()
    accounts.deactivate(Origin(), administrator)
    path = reverse("connections:hand-over", args=[connection.key])
    assert admin_client_for(gains).get(path).status_code == 404


@pytest.fixture
def puppet(connection, client):
    """A client of an administrator of the connection whom its owner invited."""
    browser = invited(client, "puppet@example.com")
    share_with(connection, User.objects.get(email="puppet@example.com"))
    return browser


@pytest.fixture
def others(connection):
    """Another administrator of the connection, and the rule that asks for one."""
    user = member("other@example.com", Role.ADMINISTRATOR)
    share_with(connection, user)
    ApprovalRule.objects.create(connection=connection, operations=["groups.create"])
    return user


def test_invited_account_approves_nothing_of_who_invited_it(connection, client, puppet, others):
    asked = asked_for(client, connection, "By two")
    page = puppet.post(url(asked, "approve"), follow=True).text
    assert "You do not count as another administrator here" in page
    asked.refresh_from_db()
    assert asked.state == "waiting"
    assert "puppet" not in client.get(url(asked)).text
    post(admin_client_for(others), asked, "approve")
    asked.refresh_from_db()
    assert asked.approver == others


def test_account_invited_by_an_invited_one_counts_no_more(connection, client, puppet, others):
    further = invited(puppet, "further@example.com")
    share_with(connection, User.objects.get(email="further@example.com"))
    asked = asked_for(client, connection, "By a chain")
    page = further.post(url(asked, "approve"), follow=True).text
    assert "You do not count as another administrator here" in page


def test_account_that_the_machine_vouched_for_counts(connection, client, puppet, others):
    call_command("manage_account", "vouch", email="puppet@example.com")
    asked = asked_for(client, connection, "By a person")
    post(puppet, asked, "approve")
    asked.refresh_from_db()
    assert asked.approver.email == "puppet@example.com"


def test_administrator_since_the_request_approves_it_not(connection, client, others):
    asked = asked_for(client, connection, "Before them")
    late = member("late@example.com", Role.ADMINISTRATOR)
    share_with(connection, late)
    page = admin_client_for(late).post(url(asked, "approve"), follow=True).text
    assert "You do not count as another administrator here" in page


@pytest.mark.parametrize("what", ["factors", "link"])
def test_account_that_the_requester_just_reset_approves_nothing(
    what, connection, client, others, mailoutbox
):
    client.post(reverse(f"team:member-{what}", args=[others.pk]))
    if what == "link":
        browser = Client()
        link = re.findall(r"http://testserver(\S+/key/\S+)", mailoutbox[0].body)[0]
        browser.post(browser.get(link)["Location"], {"password1": PASSWORD, "password2": PASSWORD})
        browser.post(reverse("account_login"), {"login": others.email, "password": PASSWORD})
    else:
        browser = admin_client_for(User.objects.get(pk=others.pk))
    member_of_old = member("old@example.com", Role.ADMINISTRATOR)
    share_with(connection, member_of_old)
    asked = asked_for(client, connection, "Just reset")
    page = browser.post(url(asked, "approve"), follow=True).text
    assert "You do not count as another administrator here" in page
