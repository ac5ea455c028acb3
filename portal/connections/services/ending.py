"""Shares and elevations that end by themselves: what is due is swept, each by a task of its own.

From its end on a share gives nothing, swept or not (`ShareQuerySet.current`). The sweep takes the
row away, once however many processes do it at the same time, and reminds both before.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from portal.access.models import Connection, Elevation, Share, User
from portal.audit.acts import Act
from portal.config import clock
from portal.config.celery import enqueue
from portal.connections import mails
from portal.connections.services import elevation, shares

TASK = "connections.end_share"


@dataclass(frozen=True)
class EndedAccess:
    """The access of a user to the connection of this name, which ended by itself at a moment."""

    connection: str
    ended_at: datetime


def ended_access(user: User, key: str) -> EndedAccess | None:
    """Returns what the user had over the connection with this key, if that ended by itself and
    nothing came after it."""
    over = Share.objects.over().filter(user=user, connection__key=key).select_related("connection")
    if (share := over.first()) and share.ends_at:
        return EndedAccess(share.connection.name, share.ends_at)
    for entry in shares.entries_of(key).order_by("-sequence"):
        if (entry.sent or {}).get("colleague") == user.email:
            until = (entry.before or {}).get("until")
            if entry.operation != Act.SHARE_ENDED or not until:
                return None
            return EndedAccess(entry.connection_name, datetime.fromisoformat(until))
    return None


def sweep() -> None:
    """Has the workers end the shares and elevations whose time is over, and remind of shares that
    end soon."""
    elevated = Elevation.objects.over().values("share")
    due = Share.objects.filter(Q(remind_at__lte=clock.now()) | Q(pk__in=elevated))
    due |= Share.objects.over()
    for pk in due.order_by("pk").values_list("pk", flat=True):
        enqueue(TASK, pk)


def end_or_remind(pk: int) -> None:
    """Does what is due of a share; nothing where another process has, or its end was changed."""
    with transaction.atomic():
        key = Share.objects.filter(pk=pk).values("connection")
        if Connection.objects.select_for_update().filter(pk__in=key).first() is None:
            return
        share = Share.objects.select_related("user", "connection__owner").filter(pk=pk).first()
        if share is None:
            return
        if share.ends_at is not None and share.ends_at <= clock.now():
            shares.end(share)
            return
        for over in Elevation.objects.over().filter(share=share):
            over.share = share
            elevation.end(over)
        if share.remind_at is not None and share.remind_at <= clock.now():
            share.remind_at = None
            share.save(update_fields=["remind_at"])
            mails.remind_of_end(share, shares.running_by)
