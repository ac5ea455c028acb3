"""Scopes to tick, and what a token lacks: on the check, in the navigation and before a change."""

import pytest
from django.urls import reverse

from portal.access.models import Connection, ServiceToken, Way
from portal.connections.scopes import ScopesForm, coverage_of, missing_of
from portal.contract.users import Users
from portal.ui.lacking import _changing_paths
from tests.support.html import text_of
from tests.support.job_pages import shown

pytestmark = pytest.mark.django_db
READS_PEOPLE = "user:read:list_users:admin user:read:user:admin group:read:list_groups:admin"


@pytest.fixture
def connection(administrator, sandbox):
    made = Connection(
        owner=administrator,
        name="Real",
        base_url=sandbox.url,
        way=Way.RENEWING,
        dialect="current",
    )
    made.set_token("a-secret")
    made.save()
    ServiceToken.objects.create(connection=made, scope=READS_PEOPLE)
    return made


@pytest.mark.parametrize(
    ("wanted", "changes", "kind", "has", "has_not"),
    [
        ("people", "read", "granular", "user:read:user:admin", "user:update:user:admin"),
        ("people", "change", "granular", "user:update:user:admin", "meeting:read:meeting:admin"),
        ("recordings", "read", "classic", "recording:read:admin", "recording:write:admin"),
        ("masters", "change", "granular", "account:write:sub_account:master", "tsp:read:tsp:admin"),
    ],
)
def test_scopes_to_tick_are_those_of_what_is_wanted(wanted, changes, kind, has, has_not):
    form = ScopesForm({"wanted": [wanted], "changes": changes, "kind": kind})
    assert form.is_valid()
    assert has in form.scopes()
    assert has_not not in form.scopes()


def test_scopes_are_shown_before_an_account_is_connected(client):
    assert reverse("connections:scopes") in shown(client, reverse("connections:new"))
    assert "user:read:list_users:admin" in shown(client, reverse("connections:scopes"))


def test_token_is_compared_with_what_each_operation_needs(connection):
    missing = missing_of(connection)
    assert Users.list.name not in missing
    assert missing[Users.update.name] == "user:update:user:admin"
    people = next(each for each in coverage_of(connection) if each.title == "People")
    assert people.reads.startswith("2 of ")
    assert (Users.update.summary, "user:update:user:admin") in people.lacking
    ServiceToken.objects.update(scope="user:write:admin")
    assert Users.update.name not in missing_of(connection)


def test_change_without_its_scope_says_so_before_it_is_typed(connection, client):
    page = shown(client, reverse("people:create", args=[connection.key]))
    assert "The token lacks the scope user:write:user:admin" in text_of(page)
    assert 'id="lacking-links"' in page
    ServiceToken.objects.update(scope=f"{READS_PEOPLE} user:write:user:admin")
    page = shown(client, reverse("people:create", args=[connection.key]))
    assert 'id="lacking-scope"' not in page


def test_scopes_of_master_accounts_are_missing_to_masters_alone(connection):
    everything = ScopesForm({})
    assert everything.is_valid()
    assert "cloud_recording:read:list_account_recordings:admin" in everything.scopes()
    ServiceToken.objects.update(scope=" ".join(everything.scopes()))
    assert all(family.is_whole for family in coverage_of(connection))
    ServiceToken.objects.update(scope="account:read:list_sub_accounts:master")
    lacking = [scope for each in coverage_of(connection) for _what, scope in each.lacking]
    assert "account:write:sub_account:master" in lacking


def test_pages_that_make_changes_are_known_by_their_operation():
    known = dict(_changing_paths())
    assert known["people/[^/]+/remove/"] == Users.delete.name
    assert len(known) > 80
