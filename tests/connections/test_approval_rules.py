"""Calls that wait for an approval do not leave, from any caller or place."""

import pytest
from django.db import connection as database
from django.test import RequestFactory

from portal.access.grants import scope_of
from portal.access.http import Origin
from portal.access.models import ApprovalRule, Share, User
from portal.access.roles import Role
from portal.approvals.services.rules import others_than
from portal.audit import chain, verifying
from portal.audit.acts import Act
from portal.audit.guards import Protected
from portal.audit.models import AuditEntry
from portal.audit.trail import record
from portal.client import Api
from portal.connections.api import api_for, api_for_request, caller_for
from portal.connections.approval_rules import ApprovalRequired
from portal.contract.groups import NewGroup
from tests.support.portal import member
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def chosen(connection):
    ApprovalRule.objects.create(connection=connection, operations=["groups.create"])
    return connection


def request_api(connection, user):
    request = RequestFactory().post("/")
    request.user, request.session = user, {}
    scope = scope_of(user, connection)
    return api_for_request(request, scope)


def names(connection):
    return [group.name for group in api_for(whole(connection)).groups.list().groups or []]


def test_a_chosen_call_is_not_sent_and_leaves_no_entry(chosen, administrator):
    entries = AuditEntry.objects.count()
    with pytest.raises(ApprovalRequired) as raised:
        request_api(chosen, administrator).groups.create(NewGroup(name="Waits for approval"))
    assert raised.value.intent.object_label == "Waits for approval"
    assert "Waits for approval" not in names(chosen)
    assert AuditEntry.objects.count() == entries


def test_another_operation_is_not_held_up(chosen, administrator):
    api = request_api(chosen, administrator)
    assert api.groups.list() is not None
    with pytest.raises(ApprovalRequired):
        api.groups.create(NewGroup(name="Waits"))
    ApprovalRule.objects.update(operations=["groups.delete"])
    created = api.groups.create(NewGroup(name="Needs no approval"))
    assert "Needs no approval" in names(chosen)
    ApprovalRule.objects.all().delete()
    api_for(scope_of(administrator, chosen)).groups.delete(created.id or "")


def test_work_in_the_background_is_refused_and_recorded(chosen, administrator):
    with pytest.raises(Protected, match="needs the approval of another administrator"):
        api_for(scope_of(administrator, chosen)).groups.create(NewGroup(name="From the background"))
    assert "From the background" not in names(chosen)
    assert AuditEntry.objects.latest("sequence").outcome == "failed"


def test_approved_change_is_sent_and_both_people_are_in_trail(chosen, administrator):
    caller = caller_for(scope_of(administrator, chosen), approved_by="second@example.com")
    Api(caller).groups.create(NewGroup(name="Approved by two"))
    assert "Approved by two" in names(chosen)
    begun, ended = AuditEntry.objects.filter(operation="groups.create").order_by("sequence")
    for entry in (begun, ended):
        assert (entry.email, entry.approved_by) == (administrator.email, "second@example.com")
    assert verifying.verify().problem == ""


def test_entries_from_before_approvals_keep_their_hashes(administrator, monkeypatch):
    linked: list[str] = []
    monkeypatch.setattr(chain, "_mac", lambda text: linked.append(text) or "")
    chain.link("", AuditEntry.objects.latest("sequence"))
    assert '"operation"' in linked[0]
    assert "approved_by" not in linked[0]
    monkeypatch.undo()
    assert verifying.verify().problem == ""


@pytest.mark.parametrize("changed", ["third@example.com", ""])
def test_who_approved_cannot_be_changed_unseen(changed):
    entry = record(Origin(), Act.JOB_APPROVED, approved_by="second@example.com")
    with database.cursor() as cursor:
        cursor.execute(
            "UPDATE access_auditentry SET approved_by = %s WHERE sequence = %s",
            [changed, entry.sequence],
        )
    assert verifying.verify().problem == f"Entry {entry.sequence} was changed or inserted."


def test_approvers_are_other_administrators_of_connection(connection, administrator, operator):
    second, left = (
        member(f"{name}@example.com", Role.ADMINISTRATOR) for name in ("second", "left")
    )
    member("unshared@example.com", Role.ADMINISTRATOR)
    for user in (second, left, operator):
        Share.objects.create(
            connection=connection, user=user, role=Role.ADMINISTRATOR, created_by=administrator
        )
    User.objects.filter(pk=left.pk).update(is_active=False)
    assert others_than(connection, administrator) == [second]
    assert others_than(connection, second) == [administrator]
    Share.objects.filter(user=second).update(role=Role.OPERATOR)
    assert others_than(connection, administrator) == []
