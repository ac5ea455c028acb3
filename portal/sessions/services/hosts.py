"""Planned sessions of a host, and the largest session that they may host, for planning another.

Both are asked of the service and cached for a short while, for a preview asks at every change.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.client import Api, NotFound
from portal.config import cache
from portal.contract.meetings import MeetingListType, MeetingsQuery
from portal.contract.model import JsonDict
from portal.contract.sessions import SessionSummary
from portal.contract.webinars import WebinarDetails, WebinarType
from portal.sessions.specs import SessionSpec
from portal.ui.times import aware

_CACHED_FOR = 60  # seconds
_USUAL_LENGTH = 60  # minutes, if the list has none
_WEBINARS_READ = 20


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


@dataclass(frozen=True)
class Capacity:
    """The number of people who may join a host's session; `None` if it is not reported."""

    most: int | None
    may_hold: bool = True


def planned_by(api: Api, connection: Connection, host_id: str) -> list[Planned]:
    """All coming times at which the host holds a meeting or a webinar. Raises `ApiError`."""

    def read() -> Any:
        coming = MeetingsQuery(type=MeetingListType.UPCOMING)
        planned = [
            _planned("meetings", one, one.start_time, one.duration)
            for one in api.meetings.of_user.all(host_id, coming)
            if one.start_time
        ]
        planned += _webinars(api, host_id)
        return _PLANNED.dump_python(planned, mode="json")

    key = f"planned:{connection.key}:{host_id}"
    return _PLANNED.validate_python(cache.cached(key, _CACHED_FOR, read))


def clear(connection: Connection, host_id: str) -> None:
    """Deletes the cached times of a host, whose sessions have changed."""
    cache.delete(f"planned:{connection.key}:{host_id}")


def capacity(api: Api, connection: Connection, host_id: str, spec: SessionSpec) -> Capacity:
    """Returns the number of people who may join a session of this kind. Raises `ApiError`."""

    def read() -> JsonDict:
        feature = api.users.settings(host_id).feature
        return feature.model_dump(mode="json", warnings=False) if feature else {}

    data = cache.cached(f"capacity:{connection.key}:{host_id}", _CACHED_FOR, read)
    if spec.family == "webinars":
        return Capacity(_number(data, "webinar_capacity"), data.get("webinar") is not False)
    sizes = [_number(data, "meeting_capacity")]
    if data.get("large_meeting"):
        sizes.append(_number(data, "large_meeting_capacity"))
    return Capacity(max((size for size in sizes if size), default=None))


def _webinars(api: Api, host_id: str) -> Iterator[Planned]:
    """The list of webinars contains no times, so each is read; the latest ones of very many."""
    loose = WebinarType.RECURRING
    listed = [one for one in api.webinars.of_user.all(host_id) if one.type != loose]
    for one in listed[-_WEBINARS_READ:]:
        try:
            answer = api.webinars.get(str(one.id))
        except NotFound:
            continue
        for _id, start, minutes in answer.times:
            yield _planned("webinars", answer, start, minutes)


def _planned(
    family: str, details: SessionSummary | WebinarDetails, start: datetime, minutes: int | None
) -> Planned:
    length = minutes or _USUAL_LENGTH
    return Planned(str(details.id), family, details.topic, aware(start), length)


def _number(data: JsonDict, name: str) -> int | None:
    value = data.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
