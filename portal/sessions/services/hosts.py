"""Planned sessions of a host, and the largest session that they may host, for planning another.

Both are asked of the service and cached for a short while, for a preview asks at every change. What
is cached is for all, so the host has to be within the scope of the user who asks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.access.scope import Outside, Scope
from portal.client import Api, NotFound
from portal.config import cache
from portal.contract.model import JsonDict
from portal.contract.sessions import SessionDetails, SessionSummary
from portal.contract.users import Users
from portal.directory.scope_rules import OUTSIDE, is_within
from portal.sessions.capacity import Capacity
from portal.sessions.kinds import all_kinds
from portal.sessions.specs import SessionSpec
from portal.ui.times import aware

_CACHED_FOR = 60  # seconds
_USUAL_LENGTH = 60  # minutes, if the list has none
_MOST_READ = 20


@dataclass(frozen=True)
class Planned:
    """One time at which a host holds a session."""

    id: str
    family: str
    topic: str
    start: datetime
    minutes: int

    def overlaps(self, start: datetime, minutes: int) -> bool:
        ends = self.start + timedelta(minutes=self.minutes)
        return self.start < start + timedelta(minutes=minutes) and start < ends


_PLANNED = TypeAdapter(list[Planned])


def planned_by(api: Api, scope: Scope, host_id: str) -> list[Planned]:
    """All coming times at which the host holds a session. Raises `ApiError`."""
    _require_within(scope, host_id)

    def read() -> Any:
        planned = [one for spec in all_kinds() for one in _coming(api, spec, host_id)]
        return _PLANNED.dump_python(planned, mode="json")

    key = f"planned:{scope.connection.key}:{host_id}"
    return _PLANNED.validate_python(cache.cached(key, _CACHED_FOR, read))


def clear(connection: Connection, host_id: str) -> None:
    """Deletes the cached times of a host, whose sessions have changed."""
    cache.delete(f"planned:{connection.key}:{host_id}")


def capacity(api: Api, scope: Scope, host_id: str, spec: SessionSpec) -> Capacity:
    """Returns the number of people who may join a session of this kind. Raises `ApiError`."""
    _require_within(scope, host_id)

    def read() -> JsonDict:
        feature = api.users.settings(host_id).feature
        return feature.model_dump(mode="json", warnings=False) if feature else {}

    key = f"capacity:{scope.connection.key}:{host_id}"
    return spec.capacity(cache.cached(key, _CACHED_FOR, read))


def _require_within(scope: Scope, host_id: str) -> None:
    if not is_within(scope, host_id):
        raise Outside(Users.get, OUTSIDE)


def _coming(api: Api, spec: SessionSpec, host_id: str) -> Iterator[Planned]:
    """Yields the coming times of a kind. If its list contains none, each session is read; the
    latest ones of very many."""
    calls = spec.calls(api)
    if spec.hosted.coming:
        for one in calls.of_user.all(host_id, spec.hosted.coming):
            if one.start_time:
                yield _planned(spec.family, one, one.start_time, one.duration)
        return
    listed = calls.of_user.all(host_id, spec.hosted.planned)
    dated = [one for one in listed if one.type not in spec.open_ended]
    for one in dated[-_MOST_READ:]:
        try:
            answer: SessionDetails = calls.get(str(one.id))
        except NotFound:
            continue
        for _id, start, minutes in answer.times:
            yield _planned(spec.family, answer, start, minutes)


def _planned(
    family: str, details: SessionSummary | SessionDetails, start: datetime, minutes: int | None
) -> Planned:
    length = minutes or _USUAL_LENGTH
    return Planned(str(details.id), family, details.topic, aware(start), length)
