"""A mail is sent at least once, whatever becomes of writer, worker and server."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.utils import timezone

from portal.access import mails
from portal.access.grants import scope_of
from portal.access.models import Share, User
from portal.access.roles import Role
from portal.work import outbox
from portal.work.models import OutgoingMail
from tests.support.portal import member
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """The end of a process in the middle of what it does."""


def posted():
    mails.post(mails.mail("Full", "Town hall is full", "ada@example.com"), scope=None)
    return OutgoingMail.objects.get()


def fails(monkeypatch, error, *, after=False):
    """Has the next sending fail, before or after the server took the mail."""
    send, waiting = EmailBackend.send_messages, [error]

    def failing(self, messages):
        count = send(self, messages) if after or not waiting else 0
        if waiting:
            raise waiting.pop()
        return count

    monkeypatch.setattr(EmailBackend, "send_messages", failing)


def later():
    OutgoingMail.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    outbox.OUTBOX.sweep()


@pytest.fixture(autouse=True)
def _worker(monkeypatch):
    """A sweep is as good as the message that it sends."""
    monkeypatch.setattr(outbox.OUTBOX.__class__, "_send", lambda _self, key, _: outbox.deliver(key))


def test_mail_of_a_change_that_is_undone_is_never_sent():
    with transaction.atomic():
        posted()
        transaction.set_rollback(True)
    assert not OutgoingMail.objects.exists()


def test_mail_is_sent_once_with_its_look():
    outbox.deliver(posted().pk)
    later()
    [sent] = mail.outbox
    assert (sent.to, sent.subject, sent.body) == (["ada@example.com"], "Full", "Town hall is full")
    assert "Town hall is full" in str(sent.alternatives[0].content)
    assert not OutgoingMail.objects.exists()


@pytest.mark.parametrize("after", [False, True])
def test_mail_of_a_killed_worker_is_sent_by_the_next(monkeypatch, *, after):
    row = posted()
    fails(monkeypatch, Killed(), after=after)
    with pytest.raises(Killed):
        outbox.deliver(row.pk)
    outbox.OUTBOX.sweep()
    assert len(mail.outbox) == after, "its lease still runs"
    later()
    assert len(mail.outbox) == 1 + after
    assert {str(one.extra_headers["Message-ID"]) for one in mail.outbox} == {
        f"<mail-{row.key}@switchboard.invalid>"
    }
    assert not OutgoingMail.objects.exists()


def test_mail_that_no_server_takes_is_tried_for_a_day(monkeypatch):
    row = posted()
    fails(monkeypatch, ConnectionRefusedError())
    outbox.deliver(row.pk)
    assert mail.outbox == []
    OutgoingMail.objects.update(created_at=timezone.now() - timedelta(hours=23))
    later()
    assert len(mail.outbox) == 1
    OutgoingMail.objects.filter(pk=posted().pk).update(
        created_at=timezone.now() - timedelta(hours=25)
    )
    later()
    assert len(mail.outbox) == 1
    assert not OutgoingMail.objects.exists()


@pytest.mark.parametrize(
    ("change", "is_sent"),
    [
        (lambda share: share, True),
        (lambda share: User.objects.filter(pk=share.user_id).update(email="ida@example.com"), True),
        (lambda share: changed(share, families=["users"]), False),
        (lambda share: changed(share, families=["users", "metrics", "groups"]), True),
        (lambda share: changed(share, families=[]), True),
        (lambda share: changed(share, departments=["Sales"]), False),
        (lambda share: changed(share, role=Role.VIEWER), False),
        (lambda share: share.delete(), False),
        (lambda share: User.objects.filter(pk=share.user_id).update(role=Role.VIEWER), False),
        (lambda share: User.objects.filter(pk=share.user_id).update(is_active=False), False),
        (lambda share: User.objects.exclude(pk=share.user_id).update(is_active=False), False),
        (lambda share: share.connection.delete(), False),
    ],
)
def test_mail_of_a_connection_waits_no_longer_than_access(
    connection, monkeypatch, change, *, is_sent
):
    person = member("ada@example.com", Role.OPERATOR)
    share = share_with(connection, person, Role.OPERATOR, families=["users", "metrics"])
    mails.post(mails.mail("Full", "Town hall", person.email), scope=scope_of(person, connection))
    fails(monkeypatch, ConnectionRefusedError())
    outbox.deliver(OutgoingMail.objects.get().pk)
    change(share)
    later()
    person.refresh_from_db()
    assert [sent.to for sent in mail.outbox] == ([[person.email]] if is_sent else [])
    assert not OutgoingMail.objects.exists()


def changed(share, **values):
    Share.objects.filter(pk=share.pk).update(**values)
