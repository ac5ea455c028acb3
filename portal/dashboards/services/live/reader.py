"""Reads the live sessions, once per interval and connection, for everyone who watches.

Viewers get the stored picture and only cause a reading to begin (`watch`). Readings run on a few
threads of the web server, not in the worker: they end soon, have to begin at once, and long jobs or
services that do not answer must not delay each other. While viewers ask, the next reading begins
when it is due, not when the next of them comes. The worker reads only connections without viewers
(`portal.dashboards.tasks`).
"""

import os
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache, partial

import structlog
from django.conf import settings
from django.db import connections, transaction

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.client import Answered, Api, ApiError, RetryPolicy, ServerFault
from portal.config import cache, clock
from portal.config.logs import with_log_context
from portal.connections.api import caller_for
from portal.contract.dashboards import SessionMetric, SessionsQuery, SessionsShown
from portal.dashboards.models import LiveSnapshot
from portal.dashboards.services.live import alerts, losses, picture, samples
from portal.dashboards.services.live.pace import EVERY, pace_of
from portal.dashboards.services.live.picture import (
    LISTS,
    LiveAlert,
    LiveList,
    LiveSession,
    MeasuredQuality,
    dumped,
    loaded,
    unique,
    version_of,
)
from portal.directory.colleagues import NOBODY, mirrored_by_email
from portal.mirror.mirrored_list import ListReading, MirroredList
from portal.translation import gettext_lazy, in_all_languages, lazily
from portal.ui.error_messages import cause_of
from portal.work import leases

_THREADS = 8
_LONGEST_WAIT = 60.0  # seconds until the next reading; for a later one viewers begin it
_FORGOTTEN = 60  # seconds after which a waiting viewer has given up
# The next interval asks anyway.
_ONCE_MORE = RetryPolicy(attempts=2, seconds=2.0)
_UNREADABLE = gettext_lazy("The token of this connection cannot be read. Enter it again.")
_log = structlog.get_logger(__name__)
_under_way: set[int] = set()
_asked: dict[int, float] = {}  # when a viewer asked this process last, by the steady clock
_next: dict[int, threading.Timer] = {}
_changing = threading.Lock()


def watch(connection: Connection, asked_at: datetime | None) -> datetime | None:
    """Begins a reading once this request is over, if the last one is too old.

    Returns the time since which viewers wait for that reading: without viewers the service is not
    asked, so the age of a picture does not show that the service is slow.
    """
    _asked[connection.pk] = time.monotonic()
    if not _is_due(asked_at, pace_of(connection).every):
        return None
    transaction.on_commit(lambda: _begin(connection.pk))
    now = clock.now()
    stored = cache.get_or_set(waiting_key(connection.pk), now.timestamp(), _FORGOTTEN)
    since: float = now.timestamp() if stored is None else stored  # None if the cache is away
    return datetime.fromtimestamp(since, tz=now.tzinfo)


def read_if_due(
    connection_id: int,
    every: timedelta = EVERY,
    *,
    is_watched: bool = False,
) -> bool:
    """Reads the live sessions, unless they were read within `every` or the pace of the service's
    limits, or another process reads them.

    Evaluates the rules for alerts afterwards. Returns whether the service was asked.
    """
    snapshot, _ = LiveSnapshot.objects.get_or_create(connection_id=connection_id)
    connection = Connection.objects.select_related("owner").get(pk=connection_id)
    every = max(every, pace_of(connection).every)
    if not _is_due(snapshot.asked_at, every):
        return False
    with leases.short_lease(LiveSnapshot.objects.all(), snapshot.pk) as leased:
        if leased is None:
            return False
        snapshot.refresh_from_db()
        if not _is_due(snapshot.asked_at, every):
            return False  # another was faster
        asked_at = clock.now()
        scope = Scope.whole(connection, "the live picture is kept for all, and narrowed when shown")
        lists = fetched(scope, loaded("", snapshot.content).lists, asked_at)
        if not leases.still_leased(leased):
            return False  # the lease was lost
        raised = alerts.evaluate(scope, lists, asked_at)
        _store(snapshot, lists, raised, asked_at, is_watched=is_watched)
        cache.delete(waiting_key(connection_id))
    if is_watched:  # what viewers see; the figures do not wait for it
        losses.read(scope, [one for each in lists.values() for one in each.sessions], [])
    return True


def measure(connection: Connection, session: LiveSession) -> None:
    """Has the quality of a session that a viewer opens measured out of its turn, once a minute."""
    if losses.is_due(connection, session):
        _threads(os.getpid()).submit(with_log_context(_measure), connection, session)


def _measure(connection: Connection, session: LiveSession) -> None:
    try:
        scope = Scope.whole(connection, "measurements are stored for all, and narrowed when shown")
        losses.read_one(scope, session)
    except Exception:
        _log.exception("quality not read")
    finally:
        connections.close_all()


def waiting_key(connection_id: int) -> str:
    """Returns the key of the cache for the time since which viewers wait for a reading."""
    return f"live:waiting:{connection_id}"


def _load(reading: ListReading) -> None:
    """Reads the live sessions before the first viewer."""
    read_if_due(reading.connection.pk)


def _is_due(asked_at: datetime | None, every: timedelta) -> bool:
    return asked_at is None or not timedelta() <= clock.now() - asked_at < every


def fetched(
    scope: Scope, before: Mapping[str, LiveList], asked_at: datetime
) -> dict[str, LiveList]:
    """Returns both lists as the service reports them. For a list that cannot be read, returns the
    one before, with the failure."""
    try:
        api = Api(caller_for(scope, retry_policy=_ONCE_MORE))
    except TokenUnreadable:
        return {
            name: before[name].failed(_in_each_language(_UNREADABLE), asked_at) for name in LISTS
        }
    made: dict[str, LiveList] = {}
    away: ApiError | None = None
    for name in LISTS:
        try:
            if away is not None:
                raise away  # the service does not answer, so waiting once is enough
            made[name] = LiveList(_read(api, scope, name, asked_at), asked_at)
        except ApiError as error:
            _log.warning(
                "live sessions not read", connection=scope.connection.key, failure=str(error)
            )
            why = _in_each_language(lazily(partial(cause_of, error)))
            made[name] = before[name].failed(why, asked_at)
            away = None if _answers(error) else error
    return made


def _in_each_language(words: str) -> dict[str, str]:
    codes = (code for code, _name in settings.LANGUAGES)
    return dict(zip(codes, in_all_languages(words), strict=True))


def _answers(error: ApiError) -> bool:
    """Returns whether the service answers, and may still report another list."""
    return isinstance(error, Answered) and not isinstance(error, ServerFault)


def _read(api: Api, scope: Scope, name: str, now: datetime) -> tuple[LiveSession, ...]:
    """Returns the live sessions, with the departments and ids of hosts that the mirror has."""
    # The days are required and mean nothing for live ones.
    days = {"from": now.date() - timedelta(days=1), "to": now.date()}
    query = SessionsQuery(type=SessionsShown.LIVE, page_size=300, **days)
    metrics: Iterable[SessionMetric] = getattr(api.metrics, name).all(query)
    sessions = unique([LiveSession.of(name, one, now) for one in metrics])
    qualities = picture.measured(scope.connection, [one.uuid for one in sessions if one.uuid])
    people = mirrored_by_email(scope, (one.email for one in sessions))
    return tuple(
        replace(
            one,
            quality=quality.level,
            poor=quality.poor,
            measured=quality.measured,
            department=host.department,
            user_id=host.id,
        )
        for one in sessions
        for host in [people.get(one.email, NOBODY)]
        for quality in [qualities.get(one.uuid, MeasuredQuality())]
    )


def _store(
    snapshot: LiveSnapshot,
    lists: dict[str, LiveList],
    raised: Sequence[LiveAlert],
    asked_at: datetime,
    *,
    is_watched: bool,
) -> None:
    snapshot.version, snapshot.content = version_of(lists, raised), dumped(lists, raised)
    snapshot.asked_at = asked_at
    written = ["version", "content", "asked_at"]
    if is_watched:
        snapshot.watched_at = asked_at
        written.append("watched_at")
    with transaction.atomic():
        snapshot.save(update_fields=written)
        samples.store(snapshot.connection_id, lists, asked_at)


LIVE = MirroredList("live", gettext_lazy("live sessions"), _load)


def _begin(connection_id: int) -> None:
    """Reads on a thread; a process reads each connection once at a time."""
    with _changing:
        if connection_id in _under_way:
            return
        _under_way.add(connection_id)
    _threads(os.getpid()).submit(with_log_context(_read_on_a_thread), connection_id)


@lru_cache(1)
def _threads(_process: int) -> ThreadPoolExecutor:
    """Returns the threads of this process: a forked process has none of its parent's."""
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="live")


def _read_on_a_thread(connection_id: int) -> None:
    try:
        try:
            read_if_due(connection_id, is_watched=True)
        finally:
            with _changing:
                _under_way.discard(connection_id)
            _follow(connection_id)
    except Exception:
        # No request waits for the result; the next viewer begins another reading.
        _log.exception("live sessions not read")
    finally:
        connections.close_all()


def _follow(connection_id: int) -> None:
    """Has the next reading begin when it is due, if a viewer asked within an interval."""
    snapshot = (
        LiveSnapshot.objects.filter(connection=connection_id).select_related("connection").first()
    )
    if snapshot is None or snapshot.asked_at is None:
        return
    every = pace_of(snapshot.connection).every
    is_watched = time.monotonic() - _asked.get(connection_id, 0.0) < every.total_seconds() * 1.5
    due_in = (snapshot.asked_at + every - clock.now()).total_seconds()
    if is_watched and due_in <= _LONGEST_WAIT:
        timer = threading.Timer(max(due_in, 0.0), _begin, [connection_id])
        timer.daemon = True
        with _changing:
            before = _next.get(connection_id)
            _next[connection_id] = timer
        if before:
            before.cancel()
        timer.start()
