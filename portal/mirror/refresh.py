"""Refreshes the mirrored lists.

A wanted refresh stands in the database, as a state that `REFRESHES` gives to one worker at a time.
"""

from datetime import timedelta
from typing import Any

import structlog
from django.db import DatabaseError
from django.db.models import Case, F, When
from django.utils.translation import gettext_noop

from portal.access.http import in_words as unread_in_words
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.client import ApiError
from portal.config import clock
from portal.config.celery import app
from portal.config.database_errors import Trouble, trouble_of
from portal.connections.api import api_for
from portal.mirror.mirrored_list import (
    MIRRORED_LISTS,
    REFRESHES,
    ListChangedError,
    ListReading,
    MirroredList,
    OnProgress,
    nothing_else,
)
from portal.mirror.models import MirrorState
from portal.mirror.values import CHANGING, INTERRUPTED, NO_TOKEN
from portal.translation.stored import in_english
from portal.work.leases import LeaseLost, release_soon

_RETRY_AFTER_FAILURE = timedelta(minutes=1)
_ATTEMPTS = 3
_log = structlog.get_logger(__name__)


@app.task(name=REFRESHES.task)
def refresh(state_id: int) -> bool:
    """Reads a connection's list into its mirror; what stops it stands in the state. False where
    there is nothing to do."""
    try:
        return read_now(state_id)
    except (ApiError, TokenUnreadable, DatabaseError, ListChangedError):
        return True


def read_now(state_id: int, on_progress: OnProgress = nothing_else) -> bool:
    """Refreshes for work that needs the list: raises what stops it, too, as `ApiError`,
    `TokenUnreadable`, `DatabaseError` or `ListChangedError`. `on_progress` is called at least every
    quarter of a minute; where it raises `LeaseLost`, the list is left to another worker."""
    state = REFRESHES.acquire(state_id, read=0, expected=0)
    if state is None:
        return False
    kind, began = MIRRORED_LISTS[state.kind], clock.now()
    try:
        notes = _read_until_steady(state, kind, on_progress)
    except LeaseLost:
        release_soon(state)
        return False
    except ApiError as error:
        _log.warning("mirror refresh failed", connection=state.connection.key, failure=str(error))
        with in_english():
            _close(state, failure=error.message)
        raise
    except TokenUnreadable as unreadable:
        _log.error(
            "mirror refresh failed", connection=state.connection.key, failure=str(unreadable)
        )
        _close(state, failure=NO_TOKEN)
        raise
    except DatabaseError as error:
        _log.exception("mirror refresh failed", connection=state.connection.key)
        _close(state, failure=_in_words(error))
        raise
    except ListChangedError:
        _close(state, failure=CHANGING % {"what": kind.noun})
        raise
    except BaseException:
        _close(state, failure=INTERRUPTED)
        raise
    took = (clock.now() - began).total_seconds()
    _close(state, failure="", notes=notes, took=took)
    return True


def _in_words(error: DatabaseError) -> str:
    """Returns the reason why the portal's own database refused the rows."""
    trouble = trouble_of(error)
    if trouble is Trouble.FULL:
        return gettext_noop("Switchboard could not save the rows: its disk is full.")
    if trouble is Trouble.BUSY:
        return gettext_noop("Switchboard could not save the rows: its database is busy.")
    return gettext_noop("Switchboard could not save the rows: its database refused them.")


def _close(state: MirrorState, *, failure: str, notes: str = "", took: float = 0.0) -> None:
    """Gives the lease back; where even that cannot be written, as soon as it can be."""
    now = clock.now()
    if failure:
        # The old copy stays, with its age; the next try waits a little.
        again = now + _RETRY_AFTER_FAILURE if state.is_watched else None
        release_soon(state, failure=failure, requested_at=again)
    else:
        # It may have been requested again in between.
        is_answered = When(requested_at=state.requested_at, then=None)
        still_wanted = Case(is_answered, default=F("requested_at"))
        values: dict[str, Any] = {
            "notes": notes,
            "took": took,
            "refreshed_at": now,
            "requested_at": still_wanted,
        }
        release_soon(state, failure="", **values)


def _read_until_steady(state: MirrorState, kind: MirroredList, on_progress: OnProgress) -> str:
    """Returns what the reading found odd, a line each."""
    scope = Scope.whole(state.connection, "a list is copied whole, and narrowed when it is shown")
    with ListReading(state, api_for(scope), on_progress) as reading:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                reading.begin()
                kind.read(reading)
                with in_english():
                    return "\n".join([*reading.notes, *unread_in_words(reading.left_out)])
            except ListChangedError:
                if attempt == _ATTEMPTS:
                    raise
    return ""
