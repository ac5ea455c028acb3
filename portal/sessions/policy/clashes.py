"""Which sessions of one host take place at the same time."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet
from pydantic import TypeAdapter

from portal.access.scope import Scope
from portal.config import clock
from portal.directory.visible import of_visible_people
from portal.mirror import rows
from portal.mirror.models import MirrorState
from portal.sessions.mirror import state_of
from portal.sessions.models import Occurrence

_MOST = 5  # others that are named for each; as many running at once are kept in mind


@dataclass(frozen=True)
class Clash:
    """With which other session, and when the later of both begins."""

    session: int
    at: datetime


SettingField = tuple[str, int, datetime, datetime]  # host, session, start, end
_KEPT = TypeAdapter(dict[int, list[Clash]])


def clashes(scope: Scope) -> dict[int, list[Clash]]:
    """By session, those of the same host that overlap with one of its coming times.

    It is worked out once until a session of the mirror is written.
    """
    state = state_of(scope.connection)
    return rows.remembered(scope, state, "clashes", lambda: _look(scope), _KEPT)


def clashing_of(states: Mapping[int, MirrorState]) -> dict[int, list[int]]:
    """The sessions that overlap with another, of several whole connections at once: by the primary
    keys of these, whose states of the mirror they are."""

    def look(connections: list[int]) -> dict[int, list[int]]:
        coming = Occurrence.objects.filter(connection__in=connections)
        found: dict[int, list[int]] = {one: [] for one in connections}
        for connection, times in groupby(_times(coming, "connection"), key=itemgetter(4)):
            found[connection] = list(overlapping(each[:4] for each in times))
        return found

    return rows.remembered_of(states, "clashing", look)


def _look(scope: Scope) -> dict[int, list[Clash]]:
    own = Occurrence.objects.filter(connection=scope.connection)
    return overlapping(_times(of_visible_people(scope, own, "session__host_id")))


def _times(occurrences: QuerySet[Occurrence], *first: str) -> Iterator[Any]:
    """Those to come, as `overlapping` takes them, in the order of what comes `first`."""
    coming = occurrences.filter(end_time__gt=clock.now(), session__host_id__gt="")
    columns = ("session__host_id", "session_id", "start_time", "end_time", *first)
    ordered = coming.order_by(*first, "session__host_id", "start_time")
    return ordered.values_list(*columns).iterator(chunk_size=2000)


def overlapping(times: Iterable[SettingField]) -> dict[int, list[Clash]]:
    """Returns the clashes of rows in the order of host and start.

    Of those that run at once, the ones that last longest are kept in mind: whatever begins later
    and overlaps with any, overlaps with them.
    """
    found: dict[int, dict[int, Clash]] = {}
    running: dict[int, datetime] = {}
    current = ""
    for host, session, start, end in times:
        if host != current:
            current, running = host, {}
        running = {one: until for one, until in running.items() if until > start}
        for other in running:
            if other != session:
                _note(found, session, other, start)
                _note(found, other, session, start)
        running[session] = max(end, running.get(session, end))
        if len(running) > _MOST:
            del running[min(running, key=running.__getitem__)]
    return {session: list(others.values()) for session, others in found.items()}


def _note(found: dict[int, dict[int, Clash]], session: int, other: int, at: datetime) -> None:
    others = found.setdefault(session, {})
    if len(others) < _MOST:
        others.setdefault(other, Clash(other, at))
