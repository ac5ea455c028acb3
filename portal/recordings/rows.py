"""From what the service lists of a recording to its row in the mirror."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from portal.access.models import Connection
from portal.contract.recordings import RecordedMeeting, RecordingFile
from portal.directory.models import MirroredUser
from portal.mirror.values import minutes, moment, text
from portal.recordings.models import MirroredRecording, RecordingStatus
from portal.translation import folded

_LARGEST = 2**62
_SEARCHED = 400  # characters; an index of PostgreSQL takes 2,700 bytes a row


@dataclass
class ListedRecording:
    """A recording as it is listed: `data` of either list, and the files of both."""

    data: RecordedMeeting
    kept: list[RecordingFile] = field(default_factory=list)
    trashed: list[RecordingFile] = field(default_factory=list)


def hosts_of(connection: Connection, ids: Iterable[str]) -> dict[str, MirroredUser]:
    """Returns the mirrored people who are hosts of recordings, by id."""
    people = MirroredUser.objects.filter(connection=connection, user_id__in=list(ids))
    known = people.only("user_id", "name", "email", "dept")
    return {person.user_id: person for person in known}


def row_of(
    connection: Connection, listed: ListedRecording, host: MirroredUser | None
) -> MirroredRecording:
    """The row of a recording, stamped."""
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
    row.trashed_at = max((_moment(one["deleted"]) for one in trashed), key=_order, default=None)
    kinds = sorted({one["type"] for one in row.files if one["type"]})
    row.kinds = f" {' '.join(kinds)} " if kinds else ""
    if not trashed:
        row.status = RecordingStatus.AVAILABLE.value
    else:
        is_whole = len(trashed) == len(row.files)
        row.status = (RecordingStatus.TRASHED if is_whole else RecordingStatus.PARTLY).value


def _files(listed: ListedRecording) -> list[dict[str, Any]]:
    """The files of both lists, each once; one that is in both was moved in between."""
    found: dict[str, dict[str, Any]] = {}
    for files, is_trash in ((listed.kept, False), (listed.trashed, True)):
        for number, one in enumerate(files):
            file = _file(one, is_trash=is_trash)
            found[file["id"] or f"{is_trash} {number}"] = file
    return list(found.values())


def _file(one: RecordingFile, *, is_trash: bool) -> dict[str, Any]:
    return {
        "id": text(one.id),
        "type": "".join(text(one.file_type, 20).upper().split()),
        "kind": text(one.recording_type, 80),
        "size": min(max(int(one.file_size or 0), 0), _LARGEST),
        "start": text(one.recording_start, 40),
        "end": text(one.recording_end, 40),
        "deleted": (text(one.deleted_time, 40) or "unknown") if is_trash else "",
    }


def _moment(said: str) -> datetime | None:
    try:
        return moment(parse_datetime(said))
    except ValueError:
        return None


def _order(at: datetime | None) -> float:
    return at.timestamp() if at else 0.0
