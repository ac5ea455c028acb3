"""Leases: one worker at a time works on a row, and renews its lease while it does.

A lease runs out if its worker dies. One whose process is known to be dead is taken away at once.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, connection
from django.db.models import Q, QuerySet

from portal.config import clock
from portal.work.holders import holder
from portal.work.models import Leased

M = TypeVar("M", bound=Leased)


class LeaseLost(Exception):
    """Another worker has taken the row over, or it is gone."""


def free(now: datetime) -> Q:
    return Q(leased_until=None) | Q(leased_until__lt=now)


def take(
    rows: QuerySet[M], pk: int, length: timedelta, related: Sequence[str] = (), **values: object
) -> M | None:
    """One of these rows under a lease of the caller, with these values stored.

    None where it is not among them, or another worker has it.
    """
    now, lease = clock.now(), uuid.uuid4()
    leased = {"lease": lease, "leased_until": now + length, "holder": holder()}
    if not rows.filter(free(now), pk=pk).update(**leased, **values):
        return None
    taken = rows.model._default_manager.filter(pk=pk, lease=lease)
    return (taken.select_related(*related) if related else taken).first()


def renew(row: Leased, length: timedelta, **values: Any) -> None:
    """Keeps the row for another while, and stores these values. Raises `LeaseLost`."""
    if not _held(row).update(leased_until=clock.now() + length, **values):
        raise LeaseLost


def release(row: Leased, **values: object) -> bool:
    """Gives the row up, for whoever takes it next. Returns whether the lease was still this one.

    With `leased_until` among the values nobody takes it before then. Where the connection to the
    database was lost in the meantime, it is given up by a new one.
    """
    ended = {"lease": None, "leased_until": None, "holder": ""}
    try:
        return bool(_held(row).update(**ended | values))
    except (InterfaceError, OperationalError):
        if connection.in_atomic_block or connection.is_usable():
            raise
        connection.close()
        return bool(_held(row).update(**ended | values))


def _held(row: Leased) -> QuerySet[Leased]:
    return type(row)._default_manager.filter(pk=row.pk, lease=row.lease)
