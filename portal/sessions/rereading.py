"""Sessions that are to be read again by the worker, above all those that the service tells of.

It is read once, however much is told of it meanwhile. What is to be read stands in the database,
and a message to the worker only wakes it: if it is lost, the sweep sends another.
"""

from typing import Any

import structlog
from django.db import DataError, transaction
from django.utils import timezone

from portal.access.api import api_for
from portal.access.models import Connection
from portal.access.tokens import TokenUnreadable
from portal.client import Api, ApiError, Invalid, NotFound, ServerFault, Unexpected
from portal.config.celery import ring
from portal.contract.path import NotAnId
from portal.mirror import sessions as mirror
from portal.mirror.models import SessionKind
from portal.sessions.models import SessionToRead

_GATHERED_FOR = 3  # seconds in which what is told of a session leads to one read of it
_AT_ONCE = 200
_MOST_FAILURES = 5  # of a run, after which it is the service that fails
_log = structlog.get_logger(__name__)


def request_reread(connection: Connection, kind: SessionKind, number: str) -> None:
    """Has the worker read one session again."""
    _, is_new = SessionToRead.objects.update_or_create(
        connection=connection,
        kind=kind.value,
        session_id=number,
        defaults={"told_at": timezone.now()},
    )
    if is_new:
        transaction.on_commit(lambda: _wake_worker(connection.pk))


def reread(connection: Connection) -> None:
    """Reads what was told of.

    What the service, or the database, refuses is set aside at once, so that it holds nothing up.
    What cannot be read now stays for the next sweep.
    """
    waiting = SessionToRead.objects.filter(connection=connection).order_by("told_at")
    failed = 0
    try:
        api = api_for(connection)
        for each in waiting[:_AT_ONCE]:
            try:
                _read(api, each)
            except (NotAnId, Invalid, OverflowError, DataError) as problem:
                _set_aside(each, f"{type(problem).__name__}: {problem}")
            except (ServerFault, Unexpected) as error:
                # That may be about this one alone.
                failed += 1
                _log.warning("session not read again", number=each.session_id, failure=str(error))
                if failed >= _MOST_FAILURES:
                    return
    except (ApiError, TokenUnreadable) as error:
        _log.warning("sessions not read again", connection=connection.key, failure=str(error))
        return
    if not failed and waiting.exists():
        _wake_worker(connection.pk)


def sweep() -> int:
    """Wakes a worker for all that is to be read; what is older is read with all others. Returns
    for how many connections."""
    SessionToRead.objects.filter(told_at__lt=timezone.now() - mirror.STALE_AFTER).delete()
    waiting = SessionToRead.objects.values_list("connection", flat=True).distinct()
    for connection_id in waiting:
        _wake_worker(connection_id)
    return len(waiting)


def _read(api: Api, wanted: SessionToRead) -> None:
    family: Any = getattr(api, wanted.kind)
    try:
        details = family.get(wanted.session_id)
    except NotFound:
        mirror.drop(wanted.connection, wanted.kind, wanted.session_id)
    else:
        mirror.put(wanted.connection, wanted.kind, details)
    # What was told while it was read is to be read again.
    SessionToRead.objects.filter(pk=wanted.pk, told_at=wanted.told_at).delete()


def _set_aside(wanted: SessionToRead, reason: str) -> None:
    _log.warning(
        "session set aside",
        connection=wanted.connection.key,
        kind=wanted.kind,
        number=wanted.session_id,
        reason=reason,
    )
    SessionToRead.objects.filter(pk=wanted.pk).delete()


def _wake_worker(connection_id: int) -> None:
    ring("sessions.reread", connection_id, countdown=_GATHERED_FOR)
