"""Mails that wait in the outbox, sent as the worker sends them."""

from typing import Any

from django.core import mail

from portal.work import outbox
from portal.work.models import OutgoingMail


def delivered() -> list[Any]:
    """Sends what waits. Returns the mails of the test so far."""
    for row in OutgoingMail.objects.order_by("pk"):
        outbox.deliver(row.pk)
    return mail.outbox
