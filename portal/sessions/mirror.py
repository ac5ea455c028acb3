"""The mirror of sessions, read host by host, since the interface lists no others.

A job reads them (`jobs/reading.py`); here is what becomes of what was read.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.config import clock
from portal.contract.sessions import SessionDetails, SessionSummary
from portal.directory.models import MirroredUser
from portal.directory.scope_rules import of_visible_people
from portal.directory.users import people_by_id
from portal.mirror import rows
from portal.mirror.models import MirrorState
from portal.mirror.searching import contains_words
from portal.mirror.values import integer, moment, text
from portal.sessions.kinds import kind_of, registered_families
from portal.sessions.models import MirroredSession, Occurrence, RecordedSession
from portal.translation import folded

NAME = "sessions"
KEY = MirroredSession.KEY
_SORTS = {
    "topic": "sort_topic",
    "start_time": "start_time",
    "host": "host_name",
    "duration": "duration",
    "created_at": "created_at",
}
SORTS = frozenset(_SORTS)
STALE_AFTER = timedelta(minutes=30)
_BATCH = 500
_TRACKING = TypeAdapter(list[tuple[str, str]])
_MOST_VALUES = 200
_PARTED = re.compile(r"\s*\d{3}[\d\s-]{6,}")  # a number as invitations write it
ListedSession = SessionSummary | SessionDetails


@dataclass(frozen=True)
class SessionFilter:
    """Filter of a list of sessions; empty values narrow nothing.

    `when` is `upcoming`, `past` or `unscheduled`. `registration` and `recorded` ask for those with,
    or without. `tracking` are pairs of a field and a value. `ids` is a selection of rows by their
    primary key: no other is listed, and none at all if it is empty but not `None`.
    """

    search: str = ""
    kinds: Sequence[str] = ()
    types: Sequence[int] = ()
    hosts: Collection[str] = ()
    when: str = ""
    registration: bool | None = None
    recorded: bool | None = None
    tracking: Sequence[tuple[str, str]] = ()
    numbers: Collection[str] | None = None
    ids: Collection[int] | None = None


def state_of(connection: Connection) -> MirrorState:
    """Returns the state of the copy of this connection's sessions, such as its age."""
    return rows.state_of(connection, NAME)


def listed(scope: Scope) -> QuerySet[MirroredSession]:
    """All sessions that the scope shows: those of its people, and of its families."""
    sessions = of_visible_people(scope, MirroredSession.objects.filter(connection=scope.connection))
    return sessions.filter(kind__in=_families(scope))


def _families(scope: Scope) -> list[str]:
    registered = registered_families()
    return [one for one in registered if not scope.families or one in scope.families]


def topic_of(kind: str, scope: Scope, session_id: str) -> str:
    """Returns the topic of a session; empty if the list does not contain it."""
    sessions = listed(scope).filter(kind=kind, session_id=session_id)
    return sessions.values_list("topic", flat=True).first() or ""


def host_of(connection: Connection, kind: str, session_id: str) -> str:
    """Returns the id of a session's host; empty if the list does not contain the session."""
    rows = MirroredSession.objects.filter(connection=connection, kind=kind, session_id=session_id)
    return rows.values_list("host_id", flat=True).first() or ""


def find(
    scope: Scope, wanted: SessionFilter, sort: str = "start_time"
) -> QuerySet[MirroredSession]:
    """Sessions of a connection. `sort` is a key of `SORTS`, with `-` before it for the reverse.

    Those that are upcoming have a `next_time`, when they take place next, or do just now; it is
    what sorting by `start_time` means for them, since a series may have begun long ago.
    """
    sessions = listed(scope)
    for name, values in (
        ("kind", wanted.kinds),
        ("type", wanted.types),
        ("host_id", wanted.hosts),
    ):
        if values:
            sessions = sessions.filter(**{f"{name}__in": values})
    if wanted.ids is not None:
        sessions = sessions.filter(pk__in=wanted.ids)
    if wanted.numbers is not None:
        sessions = sessions.filter(session_id__in=wanted.numbers)
    sessions = sessions.filter(contains_words("search", _searched(wanted.search)))
    for number, (field, value) in enumerate(wanted.tracking):
        name = f"tracked{number}"
        tracked = Cast(KeyTextTransform(field, "tracking"), TextField())
        sessions = sessions.alias(**{name: tracked}).filter(**{name: value})
    sessions = _when(sessions, wanted.when)
    if wanted.registration is not None:
        with_it = Q(approval_type__in=(0, 1))
        sessions = sessions.filter(with_it if wanted.registration else ~with_it)
    if wanted.recorded is not None:
        recorded = RecordedSession.objects.filter(
            connection=scope.connection, kind=OuterRef("kind"), session_id=OuterRef("session_id")
        )
        sessions = sessions.filter(Exists(recorded) if wanted.recorded else ~Exists(recorded))
    by = _SORTS[sort.removeprefix("-")]
    column = F("next_time" if (by, wanted.when) == ("start_time", "upcoming") else by)
    order = column.desc(nulls_last=True) if sort[0] == "-" else column.asc(nulls_last=True)
    return sessions.order_by(order, "id")


def _searched(text: str) -> str:
    return re.sub(r"[\s-]", "", text) if _PARTED.fullmatch(text) else text


def tracking_values(scope: Scope) -> list[tuple[str, str]]:
    """The tracking fields that are filled in anywhere, each with the values that stand there."""

    def compute() -> list[tuple[str, str]]:
        tracked = listed(scope).exclude(tracking={})
        values = {
            pair
            for tracking in tracked.values_list("tracking", flat=True).distinct().order_by()
            for pair in tracking.items()
            if pair[1]
        }
        return sorted(values)[:_MOST_VALUES]

    return rows.cached_result(scope, NAME, "tracking", compute, _TRACKING)


def beginning(
    scope: Scope, begin: datetime, end: datetime, wanted: SessionFilter | None = None
) -> QuerySet[Occurrence]:
    """The times from `begin` up to `end` at which sessions begin, in their order."""
    occurrences = of_visible_people(
        scope,
        Occurrence.objects.filter(
            connection=scope.connection,
            start_time__gte=begin,
            start_time__lt=end,
            session__kind__in=_families(scope),
        ),
        "session__host_id",
    )
    if wanted is not None and wanted != SessionFilter():
        occurrences = occurrences.filter(session__in=find(scope, wanted).order_by())
    return occurrences.order_by("start_time", "id")


def put(connection: Connection, kind: str, details: SessionDetails) -> None:
    """Takes over one session as the service reported it just now."""
    row = _row(connection, kind, details, people_by_id(connection, [details.host_id]))
    rows.put(state_of(connection), row, _link)


def put_written(connection: Connection, kind: str, details: Sequence[SessionDetails]) -> None:
    """Takes over sessions of a kind as the service reported them after a write."""
    hosts = people_by_id(connection, {each.host_id for each in details})
    made = [_row(connection, kind, each, hosts) for each in details]
    rows.put_written(state_of(connection), made, _link)


def drop(connection: Connection, kind: str, session_id: str) -> None:
    """Forgets one session, also for a reading that is under way."""
    rows.drop(state_of(connection), MirroredSession, (kind, str(session_id)))


def replace_sessions(
    connection: Connection,
    data: Mapping[str, Iterable[tuple[str, ListedSession]]],
    began: datetime,
    partly: Collection[str] = (),
) -> None:
    """Takes over all sessions of some hosts: by the host's id, pairs of a kind and a session, as
    they were read in a reading that began then. Other rows of these hosts are deleted, except of
    hosts with sessions that could not be read: the rows may be these."""
    hosts = people_by_id(connection, data)
    made = [
        _row(connection, kind, each, hosts) for sessions in data.values() for kind, each in sessions
    ]
    own = MirroredSession.objects.filter(host_id__in=data.keys() - set(partly))
    state = state_of(connection)
    for start in range(0, len(made), _BATCH):
        rows.store(state, made[start : start + _BATCH], began, _link, leased=False)
    rows.forget_unseen(state, own, {row.key for row in made}, began, leased=False)


def forget_sessions_of(connection: Connection, user_ids: Collection[str], **_: object) -> None:
    """Forgets the sessions of people who have just been removed: receives `users_removed`."""
    hosted = MirroredSession.objects.filter(connection=connection, host_id__in=user_ids)
    for kind, session_id in list(hosted.values_list(*KEY)):
        drop(connection, kind, session_id)


def _when(sessions: QuerySet[MirroredSession], when: str) -> QuerySet[MirroredSession]:
    now = clock.now()
    coming = Occurrence.objects.filter(session=OuterRef("pk"), end_time__gt=now)
    if when == "upcoming":
        next_time = coming.order_by("start_time").values("start_time")[:1]
        return sessions.filter(Exists(coming)).annotate(next_time=Subquery(next_time))
    if when == "past":
        return sessions.filter(start_time__lt=now).exclude(Exists(coming))
    return sessions.filter(start_time=None, times=[]) if when == "unscheduled" else sessions


def _link(sessions: Sequence[MirroredSession]) -> None:
    """Writes the times of sessions that were just written."""
    if not sessions:
        return
    connection = sessions[0].connection
    mirrored = MirroredSession.objects.filter(
        connection=connection, session_id__in=[each.session_id for each in sessions]
    )
    keys = {(kind, number): key for key, kind, number in mirrored.values_list("pk", *KEY)}
    Occurrence.objects.filter(
        session__in=[keys[each.kind, each.session_id] for each in sessions]
    ).delete()
    Occurrence.objects.bulk_create(
        (
            Occurrence(
                connection=connection,
                session_id=keys[each.kind, each.session_id],
                occurrence_id=occurrence_id,
                start_time=(start := datetime.fromisoformat(begins)),
                end_time=start + timedelta(minutes=minutes),
            )
            for each in sessions
            for occurrence_id, begins, minutes in each.times
        ),
        batch_size=_BATCH,
    )


def _row(
    connection: Connection, kind: str, data: ListedSession, hosts: Mapping[str, MirroredUser]
) -> MirroredSession:
    host = hosts.get(data.host_id)
    name, email = (host.name, host.email) if host else ("", "")
    topic, kind_of_time = text(data.topic), getattr(data, "type", None)
    row = MirroredSession(
        connection=connection,
        kind=kind,
        session_id=text(data.id),
        uuid=text(data.uuid),
        host_id=text(data.host_id),
        host_name=name or email,
        host_email=email,
        topic=topic,
        type=integer(kind_of_time),
        start_time=_start(data),
        duration=integer(data.duration),
        timezone=text(data.timezone),
        created_at=moment(data.created_at),
        join_url=text(data.join_url, 1000),
        times=times_of(data),
        alternative_hosts="",
        sort_topic=topic.casefold()[:200],
        search=folded(f"{topic} {name} {email} {data.id}"),
    )
    if isinstance(data, SessionDetails):
        _add_details(row, data)
    row.stamp()
    return row


def _add_details(row: MirroredSession, details: SessionDetails) -> None:
    settings: Any = getattr(details, "settings", None)
    row.is_read_alone = True
    password = getattr(details, "password", None)
    is_reported = kind_of(row.kind).reports_password or "password" in details.model_fields_set
    row.has_password = bool(password) if is_reported else None
    row.join_before_host = getattr(settings, "join_before_host", None)
    row.approval_type = integer(getattr(settings, "approval_type", None))
    row.auto_recording = text(getattr(settings, "auto_recording", ""), 10)
    row.alternative_hosts = text(getattr(settings, "alternative_hosts", ""), 2000)
    row.tracking = {
        text(each.field): text(each.value) for each in details.tracking_fields if each.field
    }


def _start(data: ListedSession) -> datetime | None:
    """The first time from now on of those it takes place at, or the last that there was."""
    start = moment(data.start_time)
    if not isinstance(data, SessionDetails):
        return start
    if start is not None and (not data.occurrences or start in data.starts):
        return start
    times = [datetime.fromisoformat(begins) for _, begins, _ in times_of(data)]
    coming = [each for each in times if each >= clock.now()]
    return min(coming, default=max(times, default=None))


def times_of(data: ListedSession) -> list[list[Any]]:
    """Returns `[occurrence id, ISO time in GMT, minutes]` for each time of a session."""
    times = [("", data.start_time, data.duration)] if data.start_time else []
    if isinstance(data, SessionDetails):
        times = data.times
    usual = data.duration or 0
    return [
        [number, (moment(start) or clock.now()).isoformat(), minutes or usual]
        for number, start, minutes in times
    ]
