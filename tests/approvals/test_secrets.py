"""A secret that is part of what is asked goes to the service alone, and is nowhere to be read."""

import json

import pytest
from django.core import mail
from django.db import connection as database
from django.test import Client
from django.urls import reverse

from portal.access.models import ApprovalRule, AuditEntry, Connection, Share, User
from portal.access.roles import Role
from portal.approvals.models import ApprovalRequest, RequestState
from tests.approvals.flows import again, asked_by, post, url, worked
from tests.support.fault_server import FaultServer, answer, depending
from tests.support.sample_service import answering
from tests.support.samples import WORDS

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "Can4ry-pw-of-Ann"


@pytest.fixture
def answers(
    faulty: Connection, fault_server: FaultServer, second: User, administrator: User
) -> Connection:
    """A shared connection to a service that answers everything; new passwords wait on it."""
    Share.objects.create(
        connection=faulty, user=second, role=Role.ADMINISTRATOR, created_by=administrator
    )
    ApprovalRule.objects.create(connection=faulty, operations=["users.change_password"])
    fault_server.always(answering(lambda _name, text: text))
    return faulty


def stored() -> str:
    """All that the database has of requests and of the audit trail."""
    rows: list[object] = []
    with database.cursor() as cursor:
        for model in (ApprovalRequest, AuditEntry):
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")  # noqa: S608
            rows += cursor.fetchall()
    return repr(rows)


def shown(client: Client, asked: ApprovalRequest) -> str:
    """The pages that have something of a request, and its entries."""
    listing = reverse("approvals:list", args=[asked.connection.key])
    entries = AuditEntry.objects.filter(connection_key=asked.connection.key)
    addresses = ["/", url(asked), "/audit/", "/audit/export/csv/"]
    addresses += [f"{listing}?state={state}" for state in ("", "mine", "asked", "ended")]
    addresses += [reverse("access:audit-entry", args=[entry.pk]) for entry in entries]
    return "".join(client.get(address).getvalue().decode() for address in addresses)


def test_a_password_is_on_no_page_and_in_no_mail_or_entry(
    answers: Connection,
    fault_server: FaultServer,
    first_client: Client,
    second_client: Client,
):
    address = reverse("people:password", args=[answers.key, WORDS])
    first_client.post(address, {"password": SECRET})
    draft = ApprovalRequest.objects.get()
    assert SECRET not in shown(first_client, draft) + stored()
    asked = asked_by(first_client, address, password=SECRET)
    assert (asked.pk, asked.state) == (draft.pk, RequestState.WAITING)
    worked(asked)
    for client in (first_client, second_client):
        page = client.get(url(asked)).content.decode()
        assert "••••••" in page
        assert SECRET not in shown(client, asked) + stored()

    post(second_client, asked, "approve")
    assert SECRET not in stored()
    fault_server.requests.clear()
    assert worked(asked).state == RequestState.DONE
    sent = [json.loads(seen.body) for seen in fault_server.requests if seen.method != "GET"]
    assert sent == [{"password": SECRET}]
    for client in (first_client, second_client):
        assert SECRET not in shown(client, asked) + stored()
    assert len(mail.outbox) == 2
    assert SECRET not in "".join(f"{message.subject}{message.body}" for message in mail.outbox)
    assert again(asked).sealed == ""


def test_what_the_service_says_of_it_is_shown_without_it(
    answers: Connection,
    fault_server: FaultServer,
    first_client: Client,
    second_client: Client,
):
    address = reverse("people:password", args=[answers.key, WORDS])
    asked = asked_by(first_client, address, password=SECRET)
    post(second_client, asked, "approve")
    refusal = {"code": 400, "message": f"{SECRET} is no password that people can remember."}
    echoing = answering(lambda _name, text: text)
    fault_server.always(
        depending(lambda seen: echoing if seen.method == "GET" else answer(400, refusal))
    )
    ended = worked(asked)
    assert ended.state == RequestState.FAILED
    assert "is no password that people can remember." in ended.answer
    assert SECRET not in shown(first_client, asked) + shown(second_client, asked) + stored()
    assert SECRET not in "".join(str(message.body) for message in mail.outbox)
