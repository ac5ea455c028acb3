"""Approved requests are sent once and as they were shown, or say in words why not."""

import uuid
from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.models import ApprovalRule, Connection, Share
from portal.access.roles import Role
from portal.approvals.models import ApprovalRequest, RequestState
from portal.approvals.services import calls
from portal.approvals.tasks import work_on
from portal.audit.models import AuditEntry, Outcome
from portal.client import HttpCaller
from tests.approvals.flows import again, asked_by, asked_for, groups, post, url, worked
from tests.support.fault_server import answer, no_answer, throttled
from tests.support.html import forms, text_of
from tests.support.portal import PASSWORD, admin_client_for

pytestmark = pytest.mark.django_db(transaction=True)

Ask = Callable[..., ApprovalRequest]
NOBODY_THERE = "http://127.0.0.1:9"


class Killed(BaseException):
    """As if the process ended here."""


@pytest.fixture
def group(sandbox, rule):
    """The id of a group whose changes wait for approval."""
    ApprovalRule.objects.update(operations=["groups.update", "groups.delete"])
    made = sandbox.client.post("/groups", json={"name": f"Shown {uuid.uuid4().hex}"})
    return str(made.json()["id"])


@pytest.fixture
def ask(first_client, connection, group):
    """`ask("delete")` is a request that waits, for what this form does with the group."""

    def by_form(form_name, **typed):
        address = reverse(f"groups:{form_name}", args=[connection.key, group])
        page = first_client.get(address).content.decode()
        [form] = [each for each in forms(page) if each.action == address]
        return asked_by(first_client, address, **form.values | typed)

    return by_form


def test_page_asks_at_once_and_approver_sees_it_and_confirms(
    group, connection, first_client, second_client
):
    page = reverse("groups:delete", args=[connection.key, group])
    [form] = [one for one in forms(first_client.get(page).text) if one.action == page]
    assert "Another administrator has to approve this" in first_client.get(page).text
    first_client.post(page, form.values | {"approval-reason": "The team is gone."})
    asked = ApprovalRequest.objects.get()
    assert (asked.state, asked.reason) == (RequestState.WAITING, "The team is gone.")
    seen = text_of(second_client.get(url(asked)).text)
    assert f"Delete {asked.object_label}?" in seen
    assert "This cannot be undone." in seen or "This can be undone from the audit trail." in seen
    german = second_client.get(url(asked), HTTP_ACCEPT_LANGUAGE="de").text
    assert f"{asked.object_label} löschen?" in german
    assert "„freigeben“" in german
    assert "Dies kann nicht rückgängig gemacht werden" in german
    assert post(second_client, asked, "approve", confirmation="").status_code == 422
    assert again(asked).state == RequestState.WAITING
    post(second_client, asked, "approve")
    assert worked(asked).state == RequestState.DONE


def test_an_object_that_was_changed_since_stays_as_it_is(
    ask, group, sandbox, first_client, second_client
):
    asked = ask("delete")
    now = f"Changed {uuid.uuid4().hex}"
    sandbox.client.patch(f"/groups/{group}", json={"name": now})
    post(second_client, asked, "approve")
    ended = worked(asked)
    assert ended.state == RequestState.FAILED
    words = f"The name was changed since, from {asked.object_label} to {now}. Nothing was sent."
    assert words in ended.answer
    assert words in first_client.get(url(asked)).content.decode()
    assert sandbox.client.get(f"/groups/{group}").json()["name"] == now
    assert not AuditEntry.objects.filter(operation="groups.delete").exists()


def test_approved_change_compares_only_what_it_replaces(ask, group, sandbox, second_client):
    asked = ask("change", name=f"Wanted {uuid.uuid4().hex}")
    person = sandbox.people()[0]["id"]
    sandbox.client.post(f"/groups/{group}/members", json={"members": [{"id": person}]})
    post(second_client, asked, "approve")
    assert worked(asked).state == RequestState.DONE
    assert sandbox.client.get(f"/groups/{group}").json()["name"].startswith("Wanted")


def test_a_change_of_what_was_changed_since_is_not_sent(ask, group, sandbox, second_client):
    asked = ask("change", name=f"Wanted {uuid.uuid4().hex}")
    now = f"Changed {uuid.uuid4().hex}"
    sandbox.client.patch(f"/groups/{group}", json={"name": now})
    post(second_client, asked, "approve")
    ended = worked(asked)
    assert (ended.state, now in ended.answer) == (RequestState.FAILED, True)
    assert sandbox.client.get(f"/groups/{group}").json()["name"] == now


def test_what_is_gone_by_then_is_said_to_be_gone(ask, group, sandbox, second_client):
    asked = ask("delete")
    sandbox.client.delete(f"/groups/{group}")
    post(second_client, asked, "approve")
    ended = worked(asked)
    assert ended.state == RequestState.FAILED
    assert "removed or created since. Nothing was sent." in ended.answer


@pytest.mark.parametrize(
    ("where", "name"), [(HttpCaller, "__call__"), (calls, "_end")], ids=["sending", "sent"]
)
def test_worker_that_dies_while_sending_leaves_outcome_unknown(
    *, rule, connection, first_client, second_client, monkeypatch, where, name
):
    label = f"Interrupted {uuid.uuid4().hex}"
    asked = asked_for(first_client, connection, label)
    post(second_client, asked, "approve")

    def die(*_):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(where, name, die)
        with pytest.raises(Killed):
            work_on(asked.pk)
    sent = groups(connection).count(label)
    assert sent == (where is calls)
    assert worked(asked).state == RequestState.SENDING  # still leased
    ApprovalRequest.objects.update(leased_until=timezone.now())
    ended = worked(asked)
    assert (ended.state, ended.sealed) == (RequestState.UNKNOWN, "")
    assert "The result is unknown: Switchboard was interrupted." in ended.answer
    assert groups(connection).count(label) == sent
    assert "The result is unknown" in first_client.get(url(asked)).content.decode()


def test_what_service_is_away_for_is_sent_once_when_it_is_back(
    rule, connection, first_client, second_client
):
    label = f"Away {uuid.uuid4().hex}"
    asked = asked_for(first_client, connection, label)
    post(second_client, asked, "approve")
    Connection.objects.update(base_url=f"{NOBODY_THERE}/v2")
    waits = worked(asked)
    assert (waits.state, waits.answer) == (RequestState.APPROVED, "")
    assert waits.leased_until
    assert waits.leased_until > timezone.now()
    Connection.objects.update(base_url=connection.base_url)
    ApprovalRequest.objects.update(leased_until=None)
    assert worked(asked).state == RequestState.DONE
    assert groups(connection).count(label) == 1
    entries = AuditEntry.objects.filter(operation="groups.create").exclude(intent=None)
    outcomes = list(entries.order_by("sequence").values_list("outcome", flat=True))
    assert outcomes == [Outcome.FAILED, Outcome.DONE]


@pytest.mark.parametrize(("hours", "minutes"), [(72, 65), (1, 60)])
def test_refused_call_waits_for_the_time_named_while_it_holds(
    *, rule, connection, fault_server, first_client, second_client, hours, minutes
):
    ApprovalRule.objects.update(approval_hours=hours)
    asked = asked_for(first_client, connection, f"Limited {uuid.uuid4().hex}")
    post(second_client, asked, "approve")
    Connection.objects.update(base_url=fault_server.url)
    fault_server.always(throttled("3900"))
    waits = worked(asked)
    assert waits.state == RequestState.APPROVED
    assert waits.leased_until
    assert round((waits.leased_until - timezone.now()).total_seconds() / 60) == minutes
    assert len(fault_server.requests) == 1


@pytest.fixture
def uneasy(faulty, second, administrator):
    """The connection to a service that misbehaves, shared with the second administrator."""
    Share.objects.create(
        connection=faulty, user=second, role=Role.ADMINISTRATOR, created_by=administrator
    )
    ApprovalRule.objects.create(connection=faulty, operations=["groups.create"])
    return faulty


def test_what_may_have_happened_is_never_sent_again(
    uneasy, fault_server, first_client, second_client
):
    asked = asked_for(first_client, uneasy, "Without an answer")
    post(second_client, asked, "approve")
    fault_server.requests.clear()
    fault_server.always(no_answer())
    ended = worked(asked)
    assert ended.state == RequestState.UNKNOWN
    assert "Check the target before you ask again." in ended.answer
    worked(asked)
    assert [seen.method for seen in fault_server.requests] == ["POST"]


def test_what_the_service_refuses_ends_in_its_words(
    uneasy, fault_server, first_client, second_client
):
    asked = asked_for(first_client, uneasy, "In use")
    post(second_client, asked, "approve")
    fault_server.always(answer(409, {"code": 409, "message": "The name is in use."}))
    ended = worked(asked)
    assert (ended.state, ended.answer) == (RequestState.FAILED, "The name is in use.")
    entry = AuditEntry.objects.filter(operation="groups.create").latest("sequence")
    assert (entry.outcome, entry.approved_by) == (Outcome.FAILED, "second@example.com")


def test_what_waits_for_a_proof_too_is_asked_for_after_it(
    ask, group, connection, administrator, sandbox
):
    """Deleting takes both: a proof of who asks, and then another's approval."""
    client = admin_client_for(administrator, recently=False)
    answer = client.post(reverse("groups:delete", args=[connection.key, group]))
    assert "/account/reauthenticate/" in answer["Location"]
    assert not ApprovalRequest.objects.exists()
    after = client.post(answer["Location"], {"password": PASSWORD})
    draft = ApprovalRequest.objects.get()
    assert (after["Location"], draft.state) == (url(draft), RequestState.DRAFT)
    assert again(draft).operation == "groups.delete"
    assert sandbox.client.get(f"/groups/{group}").status_code == 200
