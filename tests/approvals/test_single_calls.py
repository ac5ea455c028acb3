"""A chosen change waits for another administrator, and is then made once, as it was entered."""

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from portal.access.models import ApprovalRule, Share, User
from portal.access.roles import Role
from portal.approvals.models import ApprovalRequest, RequestState
from portal.audit.models import AuditEntry
from tests.approvals.flows import (
    REASON,
    again,
    asked_by,
    asked_for,
    create_group,
    groups,
    post,
    url,
    worked,
)
from tests.support.html import form_with, text_of
from tests.support.mails import delivered
from tests.support.portal import admin_client_for, member

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked(rule, first_client, connection):
    """A request for a group, named by its test, that waits for the second administrator."""
    return asked_for(first_client, connection, f"Group {timezone.now().timestamp()}")


def test_the_form_leads_to_the_request_and_nothing_is_sent(rule, first_client, connection):
    answer = create_group(first_client, connection, "Waits for the second")
    draft = ApprovalRequest.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, url(draft))
    page = first_client.get(url(draft)).content.decode()
    assert "Waits for the second" in page
    assert "Another administrator has to approve this" in page
    assert "Waits for the second" not in groups(connection)


def test_a_request_takes_a_reason_and_keeps_what_was_entered(rule, first_client, connection):
    create_group(first_client, connection, "Without a reason")
    draft = ApprovalRequest.objects.get()
    answer = post(first_client, draft, "ask", reason=" ")
    assert answer.status_code == 422
    assert "Without a reason" in answer.content.decode()
    assert again(draft).state == RequestState.DRAFT


def test_approved_it_is_made_once_and_both_people_stand_in_trail(
    asked, second_client, connection, administrator, second
):
    post(second_client, asked, "approve")
    assert asked.object_label not in groups(connection)
    done = worked(asked)
    assert (done.state, done.approver, done.sealed) == (RequestState.DONE, second, "")
    assert groups(connection).count(asked.object_label) == 1
    worked(asked)
    assert groups(connection).count(asked.object_label) == 1
    entry = AuditEntry.objects.get(operation="groups.create", intent=None)
    assert (entry.email, entry.approved_by) == (administrator.email, second.email)
    acts = AuditEntry.objects.filter(object_id=asked.key).order_by("sequence")
    assert list(acts.values_list("operation", "email")) == [
        ("approval.ask", administrator.email),
        ("approval.approve", second.email),
    ]


def test_an_approved_creation_is_in_the_list_at_once(
    asked, first_client, second_client, connection
):
    post(second_client, asked, "approve")
    worked(asked)
    shown = first_client.get(reverse("groups:list", args=[connection.key])).content.decode()
    assert asked.object_label in text_of(shown)


def test_an_approved_undo_is_linked_to_what_it_undoes(
    rule, first_client, second_client, connection, administrator
):
    ApprovalRule.objects.update(operations=["groups.delete"])
    name = f"Group {timezone.now().timestamp()}"
    create_group(first_client, connection, name)
    entry = AuditEntry.objects.get(operation="groups.create", intent=None)
    page = reverse("changes:undo", args=[connection.key, entry.sequence])
    form = form_with(first_client.get(page).content.decode(), "seen")
    undo = asked_by(first_client, page, **form.values)
    assert "Its members stay on the account." in text_of(second_client.get(url(undo)).text)
    german = second_client.get(url(undo), headers={"Accept-Language": "de"}).text
    assert "Ihre Mitglieder bleiben im Konto." in text_of(german)
    assert name in groups(connection)
    post(second_client, undo, "approve")
    assert worked(undo).state == RequestState.DONE
    assert name not in groups(connection)
    said = text_of(first_client.get(page).content.decode())
    assert f"This was undone by {administrator.name}" in said
    assert "has to approve" not in said, "nothing is left to approve"
    assert AuditEntry.objects.get(operation="groups.delete", intent=None).undoes == entry


def test_approvers_and_requester_get_one_mail(asked, second_client, second, administrator):
    member("unshared@example.com", Role.ADMINISTRATOR)
    User.objects.filter(pk=second.pk).update(time_zone="Asia/Tokyo")
    worked(asked)
    assert [message.to for message in mail.outbox] == [[second.email]]
    assert f": Create a group: {asked.object_label}" in mail.outbox[0].subject
    assert " JST. " in str(mail.outbox[0].body)
    assert url(asked) in str(mail.outbox[0].body)
    post(second_client, asked, "approve")
    worked(asked)
    assert [message.to for message in mail.outbox] == [[second.email], [administrator.email]]
    assert "Carried out" in mail.outbox[1].subject


def test_mail_of_a_worker_that_is_killed_is_sent_by_the_next(asked, monkeypatch):
    with monkeypatch.context() as killed:
        killed.setattr("portal.approvals.tasks.post", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            worked(asked)
    ApprovalRequest.objects.update(leased_until=None)
    worked(asked)
    assert len(delivered()) == 1


def test_nobody_approves_their_own_request(asked, first_client, connection):
    page = first_client.get(url(asked)).content.decode()
    assert url(asked, "approve") not in page
    answer = post(first_client, asked, "approve")
    assert (
        "You cannot approve or decline your own request"
        in first_client.get(answer["Location"]).content.decode()
    )
    post(first_client, asked, "decline", answer="No.")
    assert again(asked).state == RequestState.WAITING


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OPERATOR])
def test_only_administrators_of_the_connection_approve(asked, connection, administrator, role):
    """The lesser of the two roles counts: that of the share, or that of the person."""
    shared, own = member("shared@example.com", Role.ADMINISTRATOR), member("own@example.com", role)
    for user, share in ((shared, role), (own, Role.ADMINISTRATOR)):
        Share.objects.create(connection=connection, user=user, role=share, created_by=administrator)
        client = admin_client_for(user)
        for act in ("approve", "decline"):
            assert post(client, asked, act, answer="No.").status_code == 403
        assert client.get(url(asked)).status_code == 404
    assert again(asked).state == RequestState.WAITING


def test_a_limited_administrator_does_not_approve(asked, connection, administrator):
    limited = member("limited@example.com", Role.ADMINISTRATOR)
    Share.objects.create(
        connection=connection,
        user=limited,
        role=Role.ADMINISTRATOR,
        families=["groups"],
        created_by=administrator,
    )
    assert post(admin_client_for(limited), asked, "approve").status_code == 403


def test_who_has_no_access_does_not_find_it(asked):
    client = admin_client_for(member("unshared@example.com", Role.ADMINISTRATOR))
    assert client.get(url(asked)).status_code == 404
    for act in ("approve", "decline", "withdraw", "ask"):
        assert client.post(url(asked, act)).status_code == 404
    assert again(asked).state == RequestState.WAITING


def test_approving_takes_a_fresh_proof(asked, second):
    answer = post(admin_client_for(second, recently=False), asked, "approve")
    assert "/account/reauthenticate/" in answer["Location"]
    assert again(asked).state == RequestState.WAITING


def test_a_declined_change_is_never_made(asked, second_client, connection):
    assert post(second_client, asked, "decline", answer="").status_code == 422
    post(second_client, asked, "decline", answer="Use the one that is there.")
    assert again(asked).state == RequestState.DECLINED
    post(second_client, asked, "approve")
    ended = worked(asked)
    assert (ended.state, ended.sealed) == (RequestState.DECLINED, "")
    assert ended.answer == "Use the one that is there."
    assert asked.object_label not in groups(connection)
    assert "Declined" in mail.outbox[-1].subject


def test_a_withdrawn_request_cannot_be_approved(asked, first_client, second_client, connection):
    assert post(second_client, asked, "withdraw").status_code == 403
    post(first_client, asked, "withdraw")
    post(second_client, asked, "approve")
    assert worked(asked).state == RequestState.WITHDRAWN
    assert asked.object_label not in groups(connection)


def test_after_its_time_a_request_has_lapsed(asked, second_client, connection):
    ApprovalRequest.objects.update(lapses_at=timezone.now() - timedelta(seconds=1))
    answer = post(second_client, asked, "approve")
    assert "has lapsed" in second_client.get(answer["Location"]).content.decode()
    ended = worked(asked)
    assert (ended.state, ended.sealed) == (RequestState.LAPSED, "")
    assert asked.object_label not in groups(connection)
    assert AuditEntry.objects.filter(operation="approval.lapse", object_id=asked.key).count() == 1


def test_what_was_approved_too_long_ago_is_not_made(asked, second_client, connection):
    post(second_client, asked, "approve")
    ApprovalRequest.objects.update(holds_until=timezone.now() - timedelta(seconds=1))
    ended = worked(asked)
    assert ended.state == RequestState.FAILED
    assert "has lapsed" in ended.answer
    assert asked.object_label not in groups(connection)


def test_who_was_deactivated_since_has_nothing_done(
    asked, second_client, connection, administrator
):
    post(second_client, asked, "approve")
    User.objects.filter(pk=administrator.pk).update(is_active=False)
    ended = worked(asked)
    assert ended.state == RequestState.FAILED
    assert "deactivated" in ended.answer
    User.objects.filter(pk=administrator.pk).update(is_active=True)
    assert asked.object_label not in groups(connection)


def test_who_lost_the_share_since_has_nothing_done(rule, connection, second, first_client):
    """The second administrator asks, and the owner approves."""
    asked = asked_for(admin_client_for(second), connection, "Asked by a colleague")
    post(first_client, asked, "approve")
    Share.objects.filter(user=second).delete()
    ended = worked(asked)
    assert ended.state == RequestState.FAILED
    assert "may no longer do this" in ended.answer
    assert "Asked by a colleague" not in groups(connection)
    assert mail.outbox == []


def test_an_approver_whose_share_was_taken_back_finds_nothing(asked, second, second_client):
    Share.objects.filter(user=second).delete()
    assert post(second_client, asked, "approve").status_code == 404
    assert again(asked).state == RequestState.WAITING


def test_a_second_click_asks_for_nothing_new(rule, first_client, connection):
    asked = asked_for(first_client, connection, "Clicked twice")
    answer = create_group(first_client, connection, "Clicked twice")
    assert answer["Location"] == url(asked)
    assert ApprovalRequest.objects.count() == 1


def test_a_form_that_is_sent_again_after_the_approval_asks_anew(
    asked, first_client, second_client, connection
):
    """One approval is for one change: it does not open the operation."""
    post(second_client, asked, "approve")
    worked(asked)
    name = asked.object_label
    answer = create_group(first_client, connection, name, idempotency_key="the-same-form")
    create_group(first_client, connection, name, idempotency_key="the-same-form")
    assert answer["Location"] != url(asked)
    assert groups(connection).count(name) == 1
    drafts = ApprovalRequest.objects.filter(state=RequestState.DRAFT)
    assert drafts.count() == 1


def test_a_second_approval_of_the_same_request_does_nothing(asked, second_client, connection):
    for _ in range(2):
        post(second_client, asked, "approve")
        worked(asked)
    assert groups(connection).count(asked.object_label) == 1
    assert AuditEntry.objects.filter(operation="approval.approve").count() == 1


def test_a_draft_is_seen_by_nobody_else(rule, first_client, second_client, connection):
    create_group(first_client, connection, "Only begun")
    draft = ApprovalRequest.objects.get()
    assert second_client.get(url(draft)).status_code == 404
    post(first_client, draft, "withdraw")
    assert not ApprovalRequest.objects.exists()


def test_without_anybody_else_who_could_approve_it_says_so(rule, first_client, connection, second):
    Share.objects.all().delete()
    create_group(first_client, connection, "Alone now")
    draft = ApprovalRequest.objects.get()
    assert "cannot be approved now" in first_client.get(url(draft)).content.decode()
    post(first_client, draft, "ask", reason=REASON)
    assert again(draft).state == RequestState.DRAFT
