"""Participants of live sessions with a quality that breaks a rule, and its beginning.

The service reports quality for one session at a time, ten participants a page, and measures once a
minute. To read all participants of a large account each minute would take over a hundred requests,
so at most thirty pages are read a minute, fewer if the service's limits require it: first sessions
with a participant that broke a rule lately, then those that were read longest ago. In a busy
account it takes some minutes until a session's turn comes; a session that a user has open is read
anyway, and not once more for this. The same is done while a user watches, without any rule.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2s

import structlog

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.access.tokens import TokenUnreadable
from portal.client import Answered, Api, ApiError, RetryPolicy, ServerFault
from portal.config import cache, clock
from portal.connections.api import caller_for
from portal.dashboards.models import AlertKind, AlertRule, StoredSample
from portal.dashboards.services.live.pace import pace_of
from portal.dashboards.services.live.picture import LiveSession
from portal.dashboards.services.session.measures import Content, Thresholds, every_measure, level
from portal.dashboards.services.session.people import stored_stays
from portal.dashboards.services.session.quality import QualityReader, thresholds
from portal.dashboards.services.session.readings import BOARDS, LIVE, Place

_PATIENCE = 5.0  # seconds; the picture of live sessions waits for it
_EVERY = 50  # seconds
_STORED_FOR = 3600  # seconds
LATELY = timedelta(minutes=3)  # an older measurement is not of now
_BATCH = 500
# Returns whether a sample breaks a rule; `None` if it has no value for it.
Breaks = Callable[[Content], bool | None]
_ONCE = RetryPolicy(attempts=1, seconds=2.0)
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class DegradedParticipant:
    """A participant with a quality that breaks a rule without interruption `since` then."""

    subject: str
    name: str
    session: LiveSession
    since: datetime


def read(scope: Scope, sessions: Sequence[LiveSession], rules: Sequence[Breaks]) -> None:
    """Reads and stores the quality of some of these sessions, once a minute."""
    key = f"live-losses:{scope.connection.key}"
    if not sessions or cache.get(f"{key}:read"):
        return
    cache.set(f"{key}:read", 1, _EVERY)
    try:
        api = Api(caller_for(scope, retry_policy=_ONCE))
    except TokenUnreadable:
        return
    turns: dict[str, float] = cache.get(key) or {}
    now = clock.now()
    losses = (one for rule in rules for one in losing(scope.connection, sessions, rule, now))
    bad = {one.session.key for one in losses}
    fresh = _measured_now(scope.connection, sessions)
    unread = [one for one in sessions if (one.uuid or one.number) not in fresh]
    queue = sorted(unread, key=lambda one: (one.key not in bad, turns.get(one.key, 0.0)))
    pages, until = pace_of(scope.connection).pages, time.monotonic() + _PATIENCE
    for one in queue:
        if pages <= 0 or time.monotonic() > until:
            break
        turns[one.key] = clock.now().timestamp()
        try:
            pages -= _read_session(scope.connection, api, one, pages)
        except ApiError as error:
            pages -= 1
            _log.warning("quality not read", connection=scope.connection.key, failure=str(error))
            if not isinstance(error, Answered) or isinstance(error, ServerFault):
                break  # the service does not answer
    running = {one.key for one in sessions}
    cache.set(key, {name: at for name, at in turns.items() if name in running}, _STORED_FOR)


def is_due(connection: Connection, session: LiveSession) -> bool:
    """Returns whether a session that is opened is to be read, and that it is not within a minute
    from now."""
    key = f"live-losses:{connection.key}:{session.key}"
    is_first = not cache.get(key) and not _measured_now(connection, [session])
    cache.set(key, 1, _EVERY)
    return is_first


def read_one(scope: Scope, session: LiveSession) -> None:
    """Reads and stores the quality of one session, within the pace of the service's limits."""
    connection = scope.connection
    try:
        api = Api(caller_for(scope, retry_policy=_ONCE))
        _read_session(connection, api, session, pace_of(connection).pages)
    except (TokenUnreadable, ApiError) as error:
        _log.warning("quality not read", connection=connection.key, failure=str(error))


def losing(
    connection: Connection, sessions: Sequence[LiveSession], breaks: Breaks, now: datetime
) -> list[DegradedParticipant]:
    """Returns the participants with a quality that breaks the rule now, as far as measured."""
    by_key = {one.uuid or one.number: one for one in sessions}
    runs: dict[tuple[str, str], tuple[str, datetime, datetime] | None] = {}
    keys = sorted(by_key)
    for start in range(0, len(keys), _BATCH):
        rows = StoredSample.objects.filter(
            connection=connection,
            session__in=keys[start : start + _BATCH],
            measured_at__gte=now - timedelta(hours=1),
        ).order_by("measured_at")
        fields = ("session", "stay", "name", "measured_at", "content")
        for session, stay, name, at, content in rows.values_list(*fields):
            is_broken, before = breaks(content), runs.get((session, stay))
            if is_broken is None:
                continue
            goes_on = before is not None and at - before[2] <= LATELY
            since = before[1] if before and goes_on else at
            runs[session, stay] = (name, since, at) if is_broken else None
    return [
        DegradedParticipant(_subject(session, stay), run[0], by_key[session], run[1])
        for (session, stay), run in runs.items()
        if run and now - run[2] <= LATELY
    ]


def breaks(rule: AlertRule, limits: Thresholds) -> Breaks:
    """Returns the judge of samples by this rule; poor is by the connection's thresholds."""
    if rule.kind == AlertKind.QUALITY:
        return lambda content: (worst := level(content, limits)) and worst == "poor"

    def is_over(content: Content) -> bool | None:
        value = worst_of(content, rule.kind)
        return None if value is None else value > rule.threshold

    return is_over


def worst_of(content: Content, name: str) -> float | None:
    """Returns the greatest value of a measure among a sample's streams; of loss, on average."""
    values = [
        measure.value(content, line)
        for measure in every_measure()
        if measure.name == name
        for line in measure.lines
        if line.is_judged
    ]
    return max((value for value in values if value is not None), default=None)


def _measured_now(connection: Connection, sessions: Sequence[LiveSession]) -> set[str]:
    """Returns the sessions that a viewer's page has read in the present minute."""
    keys = sorted({one.uuid or one.number for one in sessions})
    since = clock.now() - timedelta(seconds=_EVERY)
    measured: set[str] = set()
    for start in range(0, len(keys), _BATCH):
        samples = StoredSample.objects.filter(
            connection=connection, session__in=keys[start : start + _BATCH], measured_at__gt=since
        )
        measured |= set(samples.values_list("session", flat=True).distinct())
    return measured


def _read_session(connection: Connection, api: Api, one: LiveSession, most: int) -> int:
    """Returns how many pages were read. Raises `ApiError`."""
    key = one.uuid or one.number
    place = Place(BOARDS[one.kind], key, LIVE)
    reader = QualityReader(
        api,
        connection,
        place,
        key,
        stays=stored_stays(connection, place),
        thresholds=thresholds(connection),
    )
    token, read_pages = "", 0
    while read_pages < most:
        page = reader.page(token).value
        read_pages += 1
        token = page.next_token
        if not token or not page.qualities:
            break
    return read_pages


def _subject(session: str, stay: str) -> str:
    return blake2s(f"{session} {stay}".encode(errors="replace"), digest_size=16).hexdigest()
