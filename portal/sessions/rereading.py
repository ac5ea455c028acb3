"""Sessions that the worker reads again, above all those that the service sends events about.

A session is read once, however many events arrive before that. What is to be read stands in the
database, and `REREADS` gives each of it to one worker at a time.
"""

from datetime import timedelta

import structlog
from django.db import DataError
from django.db.models import Q

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.client import Api, ApiError, Invalid, NotAvailable, NotFound, ServerFault, Unexpected
from portal.config import clock
from portal.config.celery import app
from portal.connections.api import api_for
from portal.contract.path import NotAnId
from portal.sessions import mirror
from portal.sessions.kinds import BY_FAMILY, kind_of
from portal.sessions.models import SessionToRead
from portal.work.leases import release_soon
from portal.work.queue import WorkQueue

_GATHERED_FOR = 3  # seconds in which events about a session lead to one read of it
_AT_ONCE = 200
_MOST_FAILURES = 5  # of a run, after which it is the service that fails
_TRY_AGAIN = timedelta(minutes=5)
_LEASE = timedelta(minutes=1)  # longer than one read, with its retries, may take
_log = structlog.get_logger(__name__)


def request_reread(connection: Connection, kind: str, number: str) -> None:
    _, is_new = SessionToRead.objects.update_or_create(
        connection=connection,
        kind=kind,
        session_id=number,
        defaults={"notified_at": clock.now()},
    )
    if is_new:
        REREADS.wake(connection.pk)


@app.task(name="sessions.reread")
def reread(connection_id: int) -> None:
    """Reads the sessions that events were about, if the connection is still there.

    What the service, or the database, refuses is set aside at once, so that it holds nothing up.
    What cannot be read now stays for the next sweep.
    """
    connection = Connection.objects.filter(pk=connection_id).select_related("owner").first()
    if connection is None:
        return
    waiting = REREADS.free_rows().filter(connection=connection).order_by("notified_at")
    failed = 0
    try:
        api = api_for(Scope.whole(connection, "what an event was about is read for its list"))
        for pk in list(waiting.values_list("pk", flat=True)[:_AT_ONCE]):
            failed += not _reread(api, pk)
            if failed >= _MOST_FAILURES:
                return
    except (ApiError, TokenUnreadable) as error:
        _log.warning("sessions not read again", connection=connection.key, failure=str(error))
        return
    if not failed and REREADS.free_rows().filter(connection=connection).exists():
        REREADS.wake(connection.pk)


def _forget_what_is_old() -> None:
    """Deletes old entries: their sessions are read with all others."""
    old = clock.now() - mirror.STALE_AFTER
    REREADS.supported_rows().filter(notified_at__lt=old).delete()


REREADS = WorkQueue(
    model=SessionToRead,
    task="sessions.reread",
    key="connection_id",
    supported=lambda: Q(kind__in=list(BY_FAMILY)),
    length=lambda: _LEASE,
    since="notified_at",
    related=("connection",),
    swept_every=60.0,
    options={"countdown": _GATHERED_FOR},
    before_sweep=_forget_what_is_old,
)


def _reread(api: Api, pk: int) -> bool:
    """Reads one session; False if the service failed, perhaps at this one alone."""
    wanted = REREADS.acquire(pk)
    if wanted is None:
        return True  # another worker reads it
    try:
        _read(api, wanted)
    except (NotAnId, Invalid, NotAvailable, OverflowError, DataError) as problem:
        _log.warning(
            "session set aside",
            connection=wanted.connection.key,
            kind=wanted.kind,
            number=wanted.session_id,
            reason=f"{type(problem).__name__}: {problem}",
        )
        SessionToRead.objects.filter(pk=wanted.pk).delete()
    except (ServerFault, Unexpected) as error:
        _log.warning("session not read again", number=wanted.session_id, failure=str(error))
        return False
    except (ApiError, TokenUnreadable):
        raise
    except Exception:  # the fault of this one alone: the next go on, and it is tried later
        _log.exception("session not read again", number=wanted.session_id)
        release_soon(wanted, leased_until=clock.now() + _TRY_AGAIN)
    finally:
        release_soon(wanted)
    return True


def _read(api: Api, wanted: SessionToRead) -> None:
    try:
        details = kind_of(wanted.kind).calls(api).get(wanted.session_id)
    except NotFound:
        mirror.drop(wanted.connection, wanted.kind, wanted.session_id)
    else:
        mirror.put(wanted.connection, wanted.kind, details)
    # An event that arrived while it was read is to be read again.
    SessionToRead.objects.filter(pk=wanted.pk, notified_at=wanted.notified_at).delete()
