"""Bringing a mirror up to date.

A wanted refresh stands in the database, and a message to the worker only wakes it: if it is
lost, the sweep sends another. One worker at a time holds the lease of a mirror; a lease that is not
renewed, because its worker died, can be taken over.
"""

import uuid
from datetime import timedelta

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone

from portal.access.api import api_for
from portal.access.models import Connection
from portal.access.tokens import TokenUnreadable
from portal.client import ApiError
from portal.config.celery import ring
from portal.mirror.mirrored_list import MirroredList
from portal.mirror.models import KEPT_FRESH_FOR, MirrorState
from portal.mirror.reading import LEASE, ListChangedError, Reading
from portal.mirror.registry import MIRRORED_LISTS
from portal.mirror.rows import LeaseLostError, state_of
from portal.mirror.users import KIND as USERS

STALE_AFTER = timedelta(minutes=10)
_RETRY_AFTER_FAILURE = timedelta(minutes=1)
_ATTEMPTS = 3
_log = structlog.get_logger(__name__)


def request_refresh(connection: Connection, kind: MirroredList = USERS) -> MirrorState:
    """Asks for a newer copy of a connection's people, or of another list; wakes a worker.

    While one is being read, another is read after it: the wish may be about what is read already.
    """
    state = state_of(connection, kind.name)
    now = timezone.now()
    MirrorState.objects.filter(pk=state.pk).update(requested_at=now)
    state.requested_at = now
    transaction.on_commit(lambda: _wake_worker(state.pk))
    return state


def looked_at(connection: Connection, kind: MirroredList = USERS) -> MirrorState:
    """How fresh a list is that somebody looks at just now; an old one is asked for anew.

    Lists that nobody looks at are not kept fresh.
    """
    state = state_of(connection, kind.name)
    if state.is_older_than(STALE_AFTER) and not state.is_wanted and not state.failure:
        state = request_refresh(connection, kind)
    now = timezone.now()
    if state.viewed_at is None or now - state.viewed_at > timedelta(minutes=1):
        MirrorState.objects.filter(pk=state.pk).update(viewed_at=now)
    return state


def sweep() -> int:
    """Wakes a worker for every refresh that is wanted and not under way, or due. Returns how
    many."""
    now = timezone.now()
    due = Q(refreshed_at__lt=now - STALE_AFTER, viewed_at__gt=now - KEPT_FRESH_FOR)
    known = MirrorState.objects.filter(kind__in=MIRRORED_LISTS)
    known.filter(due, requested_at=None).update(requested_at=now)
    free = Q(leased_until=None) | Q(leased_until__lt=now)
    keys = list(known.filter(free, requested_at__lte=now).values_list("pk", flat=True))
    for key in keys:
        _wake_worker(key)
    return len(keys)


def refresh(state_id: int) -> bool:
    """Reads a connection's list into its mirror. False where there is nothing to do."""
    lease = uuid.uuid4()
    if not _take(state_id, lease):
        return False
    state = MirrorState.objects.select_related("connection__owner").get(pk=state_id)
    kind = MIRRORED_LISTS[state.kind]
    try:
        _read_until_steady(state, kind)
    except LeaseLostError:
        return False
    except ApiError as error:
        _log.warning("mirror refresh failed", connection=state.connection.key, failure=str(error))
        _close(state, failure=error.message)
    except TokenUnreadable as unreadable:
        _log.error(
            "mirror refresh failed", connection=state.connection.key, failure=str(unreadable)
        )
        _close(state, failure="The token of this connection cannot be read. Enter it again.")
    except DatabaseError as error:
        _log.exception("mirror refresh failed", connection=state.connection.key)
        _close(state, failure=_in_words(error))
    except ListChangedError:
        _close(state, failure=f"The list of {kind.noun} kept changing while it was being updated.")
    except BaseException:
        _close(state, failure="The update was interrupted.")
        raise
    else:
        _close(state, failure="")
    return True


def _wake_worker(state_id: int) -> None:
    ring("mirror.refresh", state_id)


def _take(state_id: int, lease: uuid.UUID) -> bool:
    now = timezone.now()
    free = Q(leased_until=None) | Q(leased_until__lt=now)
    wanted = MirrorState.objects.filter(
        free, pk=state_id, kind__in=MIRRORED_LISTS, requested_at__lte=now
    )
    taken = wanted.update(lease=lease, leased_until=now + LEASE, read=0, expected=0)
    return taken == 1


def _in_words(error: DatabaseError) -> str:
    """Why Switchboard's own database took no rows, as far as it says."""
    said = str(error).lower()
    if "full" in said or "no space" in said:
        why = "its disk is full"
    elif "locked" in said or "lock timeout" in said:
        why = "its database is busy"
    else:
        why = "its database refused them"
    return f"Switchboard could not save the rows: {why}."


def _close(state: MirrorState, *, failure: str) -> None:
    """Gives the lease back. Where even that cannot be written it runs out, and the sweep wakes a
    worker."""
    try:
        _write_end(state, failure)
    except DatabaseError:
        _log.exception("mirror state not written", connection=state.connection.key)


def _write_end(state: MirrorState, failure: str) -> None:
    now = timezone.now()
    held = MirrorState.objects.filter(pk=state.pk, lease=state.lease)
    if failure:
        # The old copy stays, with its age; the next try waits a little.
        held.update(
            lease=None,
            leased_until=None,
            failure=failure,
            requested_at=now + _RETRY_AFTER_FAILURE if state.is_watched else None,
        )
    else:
        answered = held.filter(requested_at=state.requested_at)
        done = {"lease": None, "leased_until": None, "failure": "", "refreshed_at": now}
        if not answered.update(**done, requested_at=None):
            held.update(**done)  # asked for again meanwhile


def _read_until_steady(state: MirrorState, kind: MirroredList) -> None:
    with Reading(state, api_for(state.connection)) as reading:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                reading.begin()
                return kind.read(reading)
            except ListChangedError:
                if attempt == _ATTEMPTS:
                    raise
    return None
