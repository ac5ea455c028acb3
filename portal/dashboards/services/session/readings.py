"""Readings of one session on dashboards, by its board, cached for all viewers."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2s
from typing import Any, Generic, Literal, TypeVar

from django.core.cache import cache as django_cache
from django.utils.translation import get_language
from pydantic import TypeAdapter, ValidationError
from redis import RedisError

from portal.access.models import Connection
from portal.client import ApiError, NotFound
from portal.config import cache, clock
from portal.contract.dashboards import (
    ParticipantQuality,
    ParticipantQualityPage,
    SessionMetric,
    SessionParticipantPage,
    SharingPage,
)
from portal.contract.metrics import Metrics
from portal.contract.model import JsonDict
from portal.contract.operation import Call, Operation
from portal.ui.error_messages import Fault, explain

R = TypeVar("R")
V = TypeVar("V")
Which = Literal["live", "past"]
LIVE: Which = "live"
PAST: Which = "past"
_STORED_FOR = 3600
_FRESH = {"live": 8.0, "past": 120.0}  # seconds
_LOCKED = 15  # seconds after which a reader is taken for dead
_WAIT, _STEP = 3.0, 0.1


@dataclass(frozen=True)
class Board:
    """The operations of dashboards on one family of sessions, and the noun in its URL names."""

    family: str
    noun: str
    get: Operation[Any, SessionMetric]
    participants: Operation[Any, SessionParticipantPage]
    sharing: Operation[Any, SharingPage]
    qualities: Operation[Any, ParticipantQualityPage]
    quality: Operation[Any, ParticipantQuality]

    def url_name(self, endpoint: str = "") -> str:
        return f"dashboards:{self.noun}-{endpoint}" if endpoint else f"dashboards:{self.noun}"


@dataclass(frozen=True)
class Place:
    """A session by its UUID or its number, among those that run or those that ended."""

    board: Board
    id: str
    which: Which

    @property
    def is_live(self) -> bool:
        return self.which == LIVE

    def call(self, operation: Operation[Any, R], *ids: str, **query: object) -> Call[R]:
        """Returns the call of one of the board's operations."""
        made: Any = operation.query  # one with a `type`, as all of a board have
        return operation.call(self.id, *ids, made(type=self.which, **query))


MEETINGS = Board(
    "meetings",
    "meeting",
    Metrics.meeting,
    Metrics.meeting_participants,
    Metrics.meeting_sharing,
    Metrics.meeting_qualities,
    Metrics.meeting_quality,
)
WEBINARS = Board(
    "webinars",
    "webinar",
    Metrics.webinar,
    Metrics.webinar_participants,
    Metrics.webinar_sharing,
    Metrics.webinar_qualities,
    Metrics.webinar_quality,
)
BOARDS = {one.family: one for one in (MEETINGS, WEBINARS)}


@dataclass(frozen=True)
class StoredReading(Generic[V]):
    """A value as of `read_at`; `fault` is why it is not newer."""

    value: V
    read_at: datetime
    fault: Fault | None = None


def cached(
    connection: Connection,
    place: Place,
    aspect: str,
    shape: TypeAdapter[V],
    read: Callable[[], V],
) -> StoredReading[V]:
    """Returns the result of `read`, which is called once in a while for all viewers. Raises
    `ApiError` if there is no older result to show, and `NotFound` whenever the session is not
    there."""
    key = _key(connection, place, aspect)
    before = _load(key, shape)
    if before and _age(before) < _FRESH[place.which]:
        return before
    if not _lock(key):
        earlier = before or _awaited(key, shape)
        if earlier:
            return earlier
    try:
        result = StoredReading(read(), clock.now())
    except NotFound:
        raise
    except ApiError as error:
        if before is None:
            raise
        # For a while others need not wait for the same.
        result = replace(before, fault=explain(error))
    finally:
        cache.delete(f"{key}:lock")
    _save(key, shape, result)
    return result


def peek(connection: Connection, place: Place, aspect: str, shape: TypeAdapter[V]) -> V | None:
    """Returns the cached value, whatever its age; None if there is none."""
    reading = _load(_key(connection, place, aspect), shape)
    return reading.value if reading else None


def _key(connection: Connection, place: Place, aspect: str) -> str:
    identity = repr((connection.key, place.board.family, place.id, place.which, aspect))
    return f"session-reading:{blake2s(identity.encode(errors='replace')).hexdigest()}"


def _age(reading: StoredReading[V]) -> float:
    return (clock.now() - reading.read_at).total_seconds() if reading.fault is None else 0.0


def _load(key: str, shape: TypeAdapter[V]) -> StoredReading[V] | None:
    data: JsonDict | None = cache.get(key)
    if data is None:
        return None
    fault = None
    # The words of a failure are in the language of its viewer: readers of another one read anew.
    if data.get("failed_at") and data.get("language") == get_language():
        since = clock.now() - datetime.fromisoformat(data["failed_at"])
        if since.total_seconds() < _FRESH["live"]:
            fault = Fault(data["title"], data["text"], retry=True)
    with suppress(ValidationError):  # another release stored it otherwise
        value = shape.validate_python(data["value"])
        return StoredReading(value, datetime.fromisoformat(data["read_at"]), fault)
    return None


def _save(key: str, shape: TypeAdapter[V], reading: StoredReading[V]) -> None:
    value = shape.dump_python(reading.value, mode="json")
    data = {"value": value, "read_at": reading.read_at.isoformat()}
    if fault := reading.fault:
        words = {"title": fault.title, "text": fault.text, "language": get_language()}
        data |= {"failed_at": clock.now().isoformat(), **words}
    cache.set(key, data, _STORED_FOR)


def _lock(key: str) -> bool:
    with suppress(RedisError, OSError):
        return bool(django_cache.add(f"{key}:lock", 1, _LOCKED))
    return True


def _awaited(key: str, shape: TypeAdapter[V]) -> StoredReading[V] | None:
    """Returns the value that another process reads, if that does not take too long."""
    until = time.monotonic() + _WAIT
    while time.monotonic() < until:
        time.sleep(_STEP)
        if reading := _load(key, shape):
            return reading
    return None
