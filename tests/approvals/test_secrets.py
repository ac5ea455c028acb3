"""A secret that is part of what is asked goes to the service alone, and is nowhere to be read."""

import json

import pytest
from django.core import mail
from django.db import connection as database
from django.urls import reverse

from portal.access.models import ApprovalRule, Share
from portal.access.roles import Role
from portal.approvals.models import ApprovalRequest, RequestState
from portal.audit.models import AuditEntry
from tests.approvals.flows import again, asked_by, post, url, worked
from tests.support.dashboard_pages import words_of
from tests.support.fault_server import answer, depending
from tests.support.portal import admin_client_for
from tests.support.sample_service import answering
from tests.support.samples import WORDS

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "Can4ry-pw-of-Ann"


@pytest.fixture
def answers(faulty, fault_server, second, administrator):
    """A shared connection to a service that answers everything; new passwords wait on it."""
    Share.objects.create(
        connection=faulty, user=second, role=Role.ADMINISTRATOR, created_by=administrator
    )
    ApprovalRule.objects.create(connection=faulty, operations=["users.change_password"])
    fault_server.always(answering(lambda _name, text: text))
    return faulty


def stored():
    """All that the database has of requests and of the audit trail."""
    rows: list[object] = []
    with database.cursor() as cursor:
        for model in (ApprovalRequest, AuditEntry):
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")  # noqa: S608
            rows += cursor.fetchall()
    return repr(rows)


def shown(client, asked):
    """The pages that have something of a request, and its entries."""
    listing = reverse("approvals:list", args=[asked.connection.key])
    entries = AuditEntry.objects.filter(connection_key=asked.connection.key)
    addresses = ["/", url(asked), "/audit/", "/audit/export/csv/"]
    addresses += [f"{listing}?state={state}" for state in ("", "mine", "asked", "ended")]
    addresses += [reverse("audit:entry", args=[entry.pk]) for entry in entries]
    return "".join(client.get(address).getvalue().decode() for address in addresses)


def test_a_password_is_on_no_page_and_in_no_mail_or_entry(
    answers, fault_server, first_client, second_client
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
    answers, fault_server, first_client, second_client
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


_SHARED = {"share_recording": "publicly", "viewer_download": "false", "on_demand": "false"}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"password": SECRET}, "This cannot be undone"),
        ({"password": SECRET, "share_recording": "none"}, "Undo does not bring back: Password."),
        ({"share_recording": "none"}, ""),
    ],
)
def test_who_approves_is_told_of_secrets_that_do_not_come_back(
    answers, second_client, fault_server, typed, told
):
    ApprovalRule.objects.update(operations=["recordings.update_settings"])
    now = _SHARED | {"viewer_download": False, "on_demand": False, "password": "other"}
    fault_server.always(answer(200, now))
    address = reverse("recordings:recordings-settings", args=[answers.key, "uuid"])
    asked = asked_by(admin_client_for(answers.owner), address, **_SHARED | typed)
    page = words_of(second_client.get(url(asked)).content)
    assert told in page
    for words in ("This cannot be undone", "Undo does not bring back"):
        assert (words in page) == (words in told)
