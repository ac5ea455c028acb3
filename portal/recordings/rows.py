"""From what the service lists of a recording to its row in the mirror."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.utils.dateparse import parse_datetime

from portal.access.models import Connection
from portal.client import Api, Invalid
from portal.contract.model import JsonDict
from portal.contract.reading import LeftOut, all_left_out_of
from portal.contract.recordings import RecordedMeeting, RecordingFile, RecordingsQuery
from portal.directory.models import MirroredUser
from portal.mirror.values import minutes, moment, text
from portal.recordings.models import MirroredRecording, RecordingStatus
from portal.translation import folded

_LARGEST = 2**62
_SEARCHED = 400  # characters; an index of PostgreSQL takes 2,700 bytes a row
_PAGE = 300
_DAY = timedelta(days=1)
_MONTH = 30 * _DAY


@dataclass
class ListedRecording:
    """A recording as it is listed: `data` of either list, and the files of both."""

    data: RecordedMeeting
    available: list[RecordingFile] = field(default_factory=list)
    trashed: list[RecordingFile] = field(default_factory=list)


def row_of(
    connection: Connection, listed: ListedRecording, host: MirroredUser | None
) -> MirroredRecording:
    data = listed.data
    name, email, dept = (host.name, host.email, host.dept) if host else ("", "", "")
    topic = text(data.topic)
    row = MirroredRecording(
        connection=connection,
        uuid=text(data.uuid),
        session_id=text(data.id),
        host_id=text(data.host_id),
        host_name=name or email,
        host_email=email,
        dept=dept,
        topic=topic,
        start_time=moment(data.start_time),
        duration=minutes(data.duration),
        files=_files(listed),
        sort_topic=topic.casefold()[:200],
        search=folded(f"{topic} {name} {email} {data.id}")[:_SEARCHED],
    )
    sum_up(row)
    row.stamp()
    return row


def sum_up(row: MirroredRecording) -> None:
    """Brings what follows from the files in line with them."""
    trashed = row.trashed_files
    row.file_count = len(row.files)
    row.size = min(sum(one["size"] for one in row.files), _LARGEST)
    row.trashed_size = min(sum(one["size"] for one in trashed), _LARGEST)
    moments = filter(None, (_moment(one["deleted"]) for one in trashed))
    row.trashed_at = max(moments, default=None)
    kinds = sorted({one["type"] for one in row.files if one["type"]})
    row.kinds = f" {' '.join(kinds)} " if kinds else ""
    if not trashed:
        row.status = RecordingStatus.AVAILABLE.value
    else:
        is_whole = len(trashed) == len(row.files)
        row.status = (RecordingStatus.TRASHED if is_whole else RecordingStatus.PARTLY).value


def _files(listed: ListedRecording) -> list[JsonDict]:
    """Returns the files of both lists, each once: one that is in both was moved in between."""
    by_key: dict[str, dict[str, object]] = {}
    for files, is_trash in ((listed.available, False), (listed.trashed, True)):
        for number, one in enumerate(files):
            file = _file(one, is_trash=is_trash)
            by_key[file["id"] or f"{is_trash} {number}"] = file
    return list(by_key.values())


def _file(one: RecordingFile, *, is_trash: bool) -> JsonDict:
    return {
        "id": text(one.id),
        "type": "".join(text(one.file_type, 20).upper().split()),
        "kind": text(one.recording_type, 80),
        "size": min(max(int(one.file_size or 0), 0), _LARGEST),
        "start": text(one.recording_start, 40),
        "end": text(one.recording_end, 40),
        "deleted": (text(one.deleted_time, 40) or "unknown") if is_trash else "",
    }


def _moment(text: str) -> datetime | None:
    try:
        return moment(parse_datetime(text))
    except ValueError:
        return None


def recordings_of(
    api: Api, host: str, first: date, last: date, left_out: list[LeftOut] | None = None
) -> list[ListedRecording]:
    """Returns all recordings of a host that began on these days of GMT, in the trash or not;
    `left_out` gets those that cannot be read.

    Raises `ApiError`.
    """
    left_out = [] if left_out is None else left_out
    by_uuid: dict[str, ListedRecording] = {}
    for is_trash in (False, True):
        for one in _listed(api, host, first, last, is_trash=is_trash, left_out=left_out):
            listed = by_uuid.setdefault(text(one.uuid), ListedRecording(one))
            (listed.trashed if is_trash else listed.available).extend(one.recording_files)
    return list(by_uuid.values())


def _listed(
    api: Api, host: str, first: date, last: date, *, is_trash: bool, left_out: list[LeftOut]
) -> Iterable[RecordedMeeting]:
    """Reads the range at once; month by month if the service cuts or refuses it."""
    try:
        whole = _pages(api, host, first, last, is_trash=is_trash, left_out=left_out)
    except Invalid:
        if last - first <= _MONTH:
            raise
        whole = None
    if whole is not None:
        return whole
    return [
        one
        for begin, end in months_of(first, last)
        for one in _pages(api, host, begin, end, is_trash=is_trash, left_out=left_out) or ()
    ]


def _pages(
    api: Api, host: str, first: date, last: date, *, is_trash: bool, left_out: list[LeftOut]
) -> Sequence[RecordedMeeting] | None:
    """Returns the recordings of these days; None if the service covered fewer days."""
    days = {"from": first, "to": last}
    query = RecordingsQuery(page_size=_PAGE, trash=is_trash, **days)
    meetings: list[RecordedMeeting] = []
    for page in api.recordings.of_user.pages(host, query):
        if page.from_ is not None and page.from_ > first and last - first > _MONTH:
            return None
        meetings += page.meetings
        left_out += all_left_out_of(page)
    return meetings


def months_of(first: date, last: date) -> Iterator[tuple[date, date]]:
    """Yields windows of at most a month, the latest first, without gaps or overlaps."""
    end = last
    while end >= first:
        begin = max(end - _MONTH + _DAY, first)
        yield begin, end
        end = begin - _DAY
