"""The rules are the owner's, hold at once, and are weakened only by two."""

from typing import Any

import pytest
from django.urls import reverse

from portal.access.models import ApprovalRule, Share
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.services import rules
from portal.audit.models import AuditEntry
from tests.approvals.flows import again, post, url, worked
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db(transaction=True)

OFF: dict[str, Any] = {"request_hours": 72, "approval_hours": 24}
ON = {**OFF, "operations": ["users.delete", "groups.delete"], "job_rows": 100}


def save(client, connection, **data):
    return client.post(reverse("approvals:rules", args=[connection.key]), data)


def stored(connection):
    return ApprovalRule.objects.get(connection=connection)


def test_the_owner_turns_them_on_and_that_is_recorded(connection, first_client, second):
    page = first_client.get(reverse("approvals:rules", args=[connection.key])).content.decode()
    assert "Approvals are off" in page
    assert page.count(" checked>") == len(rules.suggested())
    save(first_client, connection, **ON)
    assert stored(connection).operations == ["groups.delete", "users.delete"]
    entry = AuditEntry.objects.get(operation="connection.approvals")
    assert entry.sent == {"operations": ["groups.delete", "users.delete"], "job_rows": 100}


def test_what_is_suggested_has_no_way_back_or_costs_money():
    suggested = rules.suggested()
    assert {"users.delete", "meetings.delete", "accounts.create"} <= set(suggested)
    assert "users.update" not in suggested


def test_alone_nobody_locks_themselves_out(connection, first_client):
    page = first_client.get(reverse("approvals:rules", args=[connection.key])).content.decode()
    assert "Approvals need a second administrator" in page
    answer = save(first_client, connection, **ON)
    assert answer.status_code == 422
    assert "Share this connection with another administrator first" in answer.content.decode()
    assert not ApprovalRule.objects.exists()


def test_a_fresh_proof_is_needed(connection, administrator, second):
    client = admin_client_for(administrator, recently=False)
    assert "/account/reauthenticate/" in save(client, connection, **ON)["Location"]
    assert not ApprovalRule.objects.exists()


def test_they_are_the_owners_alone(connection, second_client):
    assert save(second_client, connection, **ON).status_code == 404


def test_an_operator_has_no_rules_to_set(connect, operator):
    own = connect(operator)
    assert save(admin_client_for(operator), own, **ON).status_code == 403


@pytest.mark.parametrize(
    "weaker",
    [
        OFF,
        {**ON, "operations": ["users.delete"]},
        {**ON, "job_rows": 101},
        {**ON, "job_rows": ""},
        {**ON, "request_hours": 73},
        {**ON, "approval_hours": 25},
    ],
    ids=["off", "fewer", "larger", "no size", "longer", "holds longer"],
)
def test_weaker_rules_wait_for_the_other(connection, first_client, second_client, second, weaker):
    save(first_client, connection, **ON)
    before = stored(connection).limits()
    assert save(first_client, connection, **weaker).status_code == 422  # says no reason
    save(first_client, connection, **weaker, reason="Too much of a bother.")
    assert stored(connection).limits() == before
    asked = ApprovalRequest.objects.get()
    post(first_client, asked, "approve")
    assert stored(connection).limits() == before
    post(second_client, asked, "approve")
    assert stored(connection).limits() != before
    entry = AuditEntry.objects.filter(operation="connection.approvals").latest("sequence")
    assert entry.approved_by == second.email
    assert worked(asked).state == RequestState.DONE


def test_stricter_rules_hold_at_once(connection, first_client, second):
    save(first_client, connection, **ON)
    save(first_client, connection, **{**ON, "job_rows": 5})
    assert stored(connection).job_rows == 5
    assert not ApprovalRequest.objects.exists()


def test_weaker_rules_are_not_set_over_others_that_hold_by_now(
    connection, first_client, second_client
):
    save(first_client, connection, **ON)
    save(first_client, connection, **OFF, reason="Off.")
    asked = ApprovalRequest.objects.get()
    save(first_client, connection, **{**ON, "job_rows": 5})
    post(second_client, asked, "approve")
    assert again(asked).state == RequestState.WAITING
    assert stored(connection).job_rows == 5


def test_who_is_alone_by_now_may_turn_them_off(connection, first_client, second):
    save(first_client, connection, **ON)
    Share.objects.all().delete()
    save(first_client, connection, **OFF)
    assert stored(connection).asks_for_nothing


@pytest.mark.whole_pages
def test_home_and_the_navigation_say_what_is_asked_of_me(connection, first_client, second_client):
    save(first_client, connection, **ON)
    save(first_client, connection, **OFF, reason="Off.")
    asked = ApprovalRequest.objects.get()
    home = second_client.get("/").content.decode()
    assert "asks for your approval: Change the approval rules" in home
    assert url(asked) in home
    assert "waiting for you" in home
    assert "asks for your approval" not in first_client.get("/").content.decode()
    post(second_client, asked, "decline", answer="Keep them.")
    assert "asks for your approval" not in second_client.get("/").content.decode()
    assert "Keep them." in first_client.get("/").content.decode()


def test_the_list_has_what_waits_for_me_my_own_and_what_is_past(
    connection, first_client, second_client
):
    save(first_client, connection, **ON)
    save(first_client, connection, **OFF, reason="Off.")
    asked = ApprovalRequest.objects.get()
    where = reverse("approvals:list", args=[connection.key])

    def listed(client, tab):
        return url(asked) in client.get(f"{where}?state={tab}").content.decode()

    tabs = ("", "mine", "asked", "ended")
    assert [listed(first_client, tab) for tab in tabs] == [True, False, True, False]
    assert [listed(second_client, tab) for tab in tabs] == [True, True, False, False]
    post(second_client, asked, "decline", answer="No.")
    assert [listed(second_client, tab) for tab in tabs] == [False, False, False, True]
