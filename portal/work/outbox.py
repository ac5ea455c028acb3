"""Mails that are sent whatever happens to the process that writes them.

A mail is a row, written in the transaction of its subject, and a worker sends it. A worker that is
killed in between may send it again, under the same Message-ID; no mail is lost. A mail about a
connection is dropped if its recipient sees less of it by the time that a server accepts it, and its
writer is notified by the signal `dropped`. Mails with a secret are no rows: they are sent at once.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal

from portal.access.grants import scope_of
from portal.access.roles import CUSTOM, Role
from portal.access.scope import Scope
from portal.config import clock
from portal.config.celery import app
from portal.work.leases import release_soon
from portal.work.models import OutgoingMail
from portal.work.queue import WorkQueue

_TRY_AGAIN = timedelta(minutes=1)
_TRIED_FOR = timedelta(days=1)
_log = structlog.get_logger(__name__)
# Sent for a mail that is dropped, with its subject `about` and its `user`, in the same transaction.
dropped = Signal()


def _supported() -> Q:
    """Returns the condition of mails whose limits this release can hold against a scope."""
    is_role = Q(limits__0__in=["", *Role.values]) | Q(limits__0__startswith=CUSTOM)
    is_readable = is_role & Q(limits__4__isnull=True)
    return Q(limits__isnull=True) | is_readable


OUTBOX = WorkQueue(
    model=OutgoingMail,
    task="work.mail",
    supported=_supported,
    length=lambda: timedelta(seconds=60 + 2 * settings.EMAIL_TIMEOUT),
    since="created_at",
    swept_every=10.0,
)


class OutboxBackend(BaseEmailBackend):
    """Email backend that stores mails for the worker, see `portal.access.mails.post`."""

    def __init__(self, *, scope: Scope | None, if_dropped: object = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._about: dict[str, object] = {"if_dropped": if_dropped}
        if scope is not None:
            self._about.update(user=scope.user, connection=scope.connection, limits=scope.limits)

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for each in email_messages:
            alternatives = getattr(each, "alternatives", ())
            html = str(alternatives[0].content) if alternatives else ""
            text, subject = str(each.body), str(each.subject)
            for to in each.to:
                row = OutgoingMail.objects.create(
                    to=to, subject=subject, text=text, html=html, **self._about
                )
                OUTBOX.wake(row.pk)
        return len(email_messages)


@app.task(name=OUTBOX.task)
def deliver(pk: int) -> None:
    """Sends a mail, unless another worker does; one that no server accepts in a day is given up."""
    row = OUTBOX.acquire(pk)
    if row is None:
        return
    if clock.now() - row.created_at > _TRIED_FOR:
        _log.error("mail given up", subject=row.subject)
        row.delete()
        return
    if not _may_be_seen(row):
        _log.info("mail dropped: its recipient has lost access", subject=row.subject)
        with transaction.atomic():
            row.delete()
            if row.if_dropped is not None:
                dropped.send(OutgoingMail, about=row.if_dropped, user=row.user)
        return
    headers = {"Message-ID": f"<mail-{row.key}@switchboard.invalid>"}
    to = row.user.email if row.user else row.to  # which may have changed since
    made = EmailMultiAlternatives(row.subject, row.text, None, [to], headers=headers)
    if row.html:
        made.attach_alternative(row.html, "text/html")
    try:
        made.send()
    except OSError:  # smtplib's errors too
        _log.warning("mail not sent", subject=row.subject, exc_info=True)
        release_soon(row, leased_until=clock.now() + _TRY_AGAIN)
    else:
        row.delete()


def _may_be_seen(row: OutgoingMail) -> bool:
    """Returns whether the recipient's scope still covers that of the time of writing."""
    if row.limits is None:
        return True
    if row.user is None or row.connection is None:
        return False
    return scope_of(row.user, row.connection).covers(row.limits)
