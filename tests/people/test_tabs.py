"""Groups, permissions and history of a person."""

import pytest

from portal.access.models import Connection
from portal.people.views.person import explain
from tests.support.fault_server import answer, depending
from tests.support.html import text_of
from tests.support.people_pages import part, url
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


def _text(client, address):
    return text_of(client.get(address).content.decode())


def test_groups_are_shown_by_name(client, connection, sandbox):
    people = sandbox.people()
    member = next(each for each in people if each["group_ids"] and each["im_group_ids"])
    groups = {each["id"]: each["name"] for each in sandbox.client.get("/groups").json()["groups"]}
    listed = sandbox.client.get("/im/groups").json()["groups"]
    im_groups = {each["id"]: each["name"] for each in listed}
    shown = _text(client, url(connection, member["id"], "groups"))
    for key in member["group_ids"]:
        assert groups[key] in shown
    for key in member["im_group_ids"]:
        assert im_groups[key] in shown


def test_group_that_account_does_not_list_is_shown_by_its_id(client, connection, fault_server):
    data = {"id": "u1", "first_name": "Ada", "group_ids": ["g404"]}
    fault_server.always(
        depending(lambda seen: answer(200, {} if seen.path.endswith("/groups") else data))
    )
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    shown = _text(client, url(connection, "u1", "groups"))
    assert "The account does not list this group" in shown
    assert "g404" in shown


def test_somebody_in_no_group_is_said_to_be_in_none(client, connection, person):
    assert "In no group." in _text(client, url(connection, person, "groups"))


def test_permissions_are_explained(client, connection, person):
    shown = _text(client, url(connection, person, "permissions"))
    assert "Recordings Change cloud recordings. Recording:Edit" in shown


@pytest.mark.parametrize(
    ("name", "explanation"),
    [
        ("User:Edit", "Change the people on the account."),
        ("Reports:Read", "View reports on the account's usage."),
        ("IMGroup:Edit", "Change groups of the messaging directory."),
        ("Warp:Engage", ""),
        ("User", ""),
        ("", ""),
    ],
)
def test_a_permission_is_explained_only_if_it_is_known(name, explanation):
    assert explain(name).explanation == explanation


def test_the_history_shows_who_changed_what_from_what(client, connection, person):
    assert "Nothing was changed yet" in _text(client, url(connection, person, "history"))
    edit = url(connection, person, "profile-edit", "licence")
    client.post(edit, {"licence-type": "1"})
    client.post(url(connection, person, "host-key"), {"host_key": "246801"})
    shown = _text(client, url(connection, person, "history"))
    assert "Changed a profile Done Administrator" in shown
    assert "Licence Pro became Basic" in shown
    assert "Host key •••••• became ••••••" in shown
    assert "246801" not in shown


def test_change_that_was_refused_stands_in_history_with_reason(client, connection, person):
    client.post(url(connection, person, "password"), {"password": "correct-horse"})
    shown = _text(client, url(connection, person, "history"))
    assert "Set a password Failed" in shown
    assert "correct-horse" not in shown


def test_a_long_history_is_paged(client, connection, person, monkeypatch):
    monkeypatch.setattr("portal.jobs.history.PAGE_SIZE", 2)
    for key in ("111111", "222222", "333333"):
        client.post(url(connection, person, "host-key"), {"host_key": key})
    first = _text(client, url(connection, person, "history"))
    second = _text(client, f"{url(connection, person, 'history')}?page=2")
    assert "1\u20132 of 3" in first
    assert (first.count("Changed a profile"), second.count("Changed a profile")) == (2, 1)


def test_the_history_of_another_connection_is_not_shown(
    client, connection, connect, operator, person
):
    client.post(url(connection, person, "profile-edit", "name"), {"name-dept": "Analysis"})
    mine = connect(operator)
    theirs = admin_client_for(operator)
    assert "Nothing was changed yet" in _text(theirs, url(mine, person, "history"))


def test_tab_whose_part_of_service_fails_says_so_in_its_place(client, connection, fault_server):
    fault_server.always(answer(500, {"message": "Out of order."}))
    Connection.objects.filter(pk=connection.pk).update(base_url=fault_server.url)
    failed = part(client, url(connection, "u1", "permissions"), "panel")
    assert "<html" not in failed.content.decode()
    assert "The conferencing service failed" in failed.content.decode()
