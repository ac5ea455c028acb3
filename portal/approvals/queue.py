"""The queue of requests: approved calls, those that lapse, and mails that are to be sent."""

from datetime import timedelta

from django.conf import settings
from django.db.models import DateTimeField, Q
from django.db.models.functions import Coalesce

from portal.approvals.models import UNDER_WAY, ApprovalRequest, Mail, RequestState
from portal.config import clock
from portal.work.queue import WorkQueue


def _waiting() -> Q:
    now = clock.now()
    return (
        Q(state__in=UNDER_WAY)
        | Q(mail__in=(Mail.ASKED, Mail.ENDED))
        | Q(state=RequestState.WAITING, lapses_at__lte=now)
    )


def lease_length() -> timedelta:
    """Long enough for a call that waits for its turn, is repeated, and ends."""
    return timedelta(seconds=120 + 2 * settings.API_TIMEOUT)


REQUESTS = WorkQueue(
    model=ApprovalRequest,
    task="approvals.work_on",
    waiting=_waiting,
    since=Coalesce(
        "ended_at", "decided_at", "asked_at", "created_at", output_field=DateTimeField()
    ),
    length=lease_length,
    related=("connection", "connection__owner", "requester", "approver"),
    swept_every=5.0,
    options={"expires": 30},
)
