"""Recordings of all sessions of one host, as the service lists them: a month at most."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.urls import reverse

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.client import Api
from portal.contract.meetings import MeetingType
from portal.contract.recordings import RecordedMeeting, RecordingsQuery
from portal.contract.webinars import WebinarType
from portal.mirror.values import text
from portal.sessions import mirror
from portal.sessions.mirror import SessionFilter
from portal.sessions.models import MirroredSession
from portal.ui.times import aware

LAST_DAYS = timedelta(days=30)
_PAGE = 300
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_RECURRING = {
    MeetingType.RECURRING.value,
    MeetingType.RECURRING_FIXED.value,
    WebinarType.RECURRING.value,
    WebinarType.RECURRING_FIXED.value,
}


@dataclass(frozen=True)
class RecordingPeriod:
    """Days of GMT, both of them included, as the service counts them."""

    first: date
    last: date

    @classmethod
    def until(cls, today: date) -> "RecordingPeriod":
        """The last 30 days."""
        return cls(today - LAST_DAYS, today)

    @classmethod
    def month(cls, first: date, today: date) -> "RecordingPeriod":
        """The month that begins then, as far as it has come."""
        following = (first + timedelta(days=32)).replace(day=1)
        return cls(first, max(first, min(following - timedelta(days=1), today)))


@dataclass(frozen=True)
class PersonSession:
    """One time that was recorded. `url` is the page about it, and empty where there is none.

    `size` is in bytes.
    """

    topic: str
    start: datetime | None
    minutes: int | None
    files: int
    size: int | None
    url: str


def recorded_by(
    api: Api, scope: Scope, user_id: str, period: RecordingPeriod
) -> list[PersonSession]:
    """Returns the recordings of these days that are not in the trash, the latest first.

    Raises `ApiError`.
    """
    days = {"from": period.first, "to": period.last}
    query = RecordingsQuery(page_size=_PAGE, **days)
    answer = list(api.recordings.of_user.all(user_id, query))
    answer.sort(
        key=lambda one: aware(one.start_time) if one.start_time else _EARLIEST, reverse=True
    )
    return list(_shown(scope, answer))


def _shown(scope: Scope, recording: Iterable[RecordedMeeting]) -> Iterator[PersonSession]:
    recording = list(recording)
    numbers = {text(one.id) for one in recording}
    known = {row.session_id: row for row in mirror.find(scope, SessionFilter(numbers=numbers))}
    for one in recording:
        session = known.get(text(one.id))
        yield PersonSession(
            one.topic or (session.topic if session else "") or str(one.id or ""),
            aware(one.start_time) if one.start_time else None,
            one.duration,
            len(one.recording_files) or _number(one.recording_count) or 0,
            _size(one),
            _page_of(scope.connection, session, one) if session else "",
        )


def _page_of(connection: Connection, session: MirroredSession, recording: RecordedMeeting) -> str:
    """That of the one time where a session takes place again, else the session's recordings.

    Whether it is a meeting or a webinar, only the list of sessions shows.
    """
    key, number = connection.key, session.session_id
    if recording.uuid and session.type in _RECURRING:
        return reverse(f"{session.kind}:held-one", args=[key, number, recording.uuid])
    return reverse(f"{session.kind}:recordings", args=[key, number])


def _size(recording: RecordedMeeting) -> int | None:
    whole = _number(recording.total_size)
    sizes = [int(one.file_size) for one in recording.recording_files if one.file_size is not None]
    return sum(sizes) if whole is None and sizes else whole


def _number(data: str | int | None) -> int | None:
    """A count that the service reports as text."""
    if isinstance(data, str):
        return int(data) if data.isdecimal() and len(data) < 19 else None
    return data
