"""Recorded files, those in the trash, and taking files there and back."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.utils.dateparse import parse_datetime

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.audit.models import Outcome
from portal.audit.reading import entries_for
from portal.client import Api, NotFound
from portal.config import clock
from portal.contract.meetings import Meetings
from portal.contract.recordings import (
    RecordedMeeting,
    RecordingAction,
    RecordingFile,
    RecordingRemoval,
    RecordingRemovalQuery,
    Recordings,
    RecordingsQuery,
    RecordingStatusChange,
    format_in_words,
    view_in_words,
)
from portal.recordings import mirror
from portal.recordings.models import days_left
from portal.translation import gettext as _

# The service lists the trash by when a meeting began, and no list goes without its days.
_TRASH_RANGE = timedelta(days=365)
_DAY = timedelta(days=1)
PLAY, DOWNLOAD = "play", "download"
_SIGNS_IN = {"access_token", "token", "zak", "zpk"}  # parameters, of the service or of a person
_PAGE = 300
_REMOVED = (Recordings.delete.name, Recordings.delete_file.name)


@dataclass(frozen=True)
class File:
    """A recorded file as a page shows it. `watch` is a web address, or empty; `can_download` says
    whether there is one to download it from.

    A file in the trash has been there since `deleted`; its `id` is empty if it is unknown.
    """

    id: str
    name: str
    type: str
    size: int | None
    start: datetime | None
    end: datetime | None
    watch: str
    deleted: datetime | None
    can_download: bool = False

    @property
    def format(self) -> str:
        """Returns the format in words; empty if the name is the same."""
        words = format_in_words(self.type)
        return "" if words == self.name else words

    @property
    def days_left(self) -> int | None:
        """Returns the whole days that are left in the trash."""
        return days_left(self.deleted)


@dataclass(frozen=True)
class Trashed:
    """Files in the trash of one time that a session was held."""

    uuid: str
    start: datetime | None
    files: list[File]


def recorded(api: Api, name: str) -> RecordedMeeting | None:
    """Returns the recording of a session's number (its last time) or of the UUID of one time.

    `None` where nothing was, or all of it is in the trash. Raises `ApiError`.
    """
    try:
        return api.recordings.get(name)
    except NotFound:
        return None


def files(recording: RecordedMeeting | None) -> list[File]:
    """Returns the files that are not in the trash."""
    return _ordered(_file(one, one.id) for one in recording.recording_files) if recording else []


def trash(api: Api, scope: Scope, host_id: str, session_id: str) -> list[Trashed]:
    """Returns the trash of a session's times, the latest first. Raises `ApiError`."""
    today = clock.now().date()
    listed = _listed_trash(api, host_id, today - _TRASH_RANGE, today)
    own = [one for one in listed if str(one.id) == session_id]
    return [Trashed(one.uuid, one.start_time, _in_trash(scope, one)) for one in own]


def trash_of(api: Api, scope: Scope, host_id: str, uuid: str, start: datetime | None) -> list[File]:
    """Returns the files in the trash of one time that began then. Raises `ApiError`."""
    if start is None:
        return []
    day = start.astimezone(UTC).date()
    try:
        own = [one for one in _listed_trash(api, host_id, day - _DAY, day) if one.uuid == uuid]
    except NotFound:
        return []
    return [file for one in own for file in _in_trash(scope, one)]


def _listed_trash(api: Api, host_id: str, first: date, last: date) -> list[RecordedMeeting]:
    """Returns a host's trash of these days, and of a day more: the service's days are in GMT."""
    days = {"from": first, "to": last + _DAY}
    query = RecordingsQuery(trash=True, page_size=_PAGE, **days)
    return list(api.recordings.of_user.all(host_id, query))


def _in_trash(scope: Scope, recording: RecordedMeeting) -> list[File]:
    existing_ids = _existing_ids(scope, recording.uuid)
    alike = Counter(_marks(one.model_dump()) for one in recording.recording_files)
    trashed = []
    for one in recording.recording_files:
        marks = _marks(one.model_dump())
        trashed.append(
            _file(one, one.id or (existing_ids.get(marks, "") if alike[marks] == 1 else ""))
        )
    return _ordered(trashed)


def _ordered(listed: Iterable[File]) -> list[File]:
    """Sorts files by their beginning, then the largest first: the video before its chat."""
    return sorted(listed, key=lambda one: (str(one.start or ""), -(one.size or 0)))


def _existing_ids(scope: Scope, uuid: str) -> dict[tuple[str, ...], str]:
    """Returns the ids of files by their marks, as the audit trail has them from removals through
    this portal: the service reports no id of a file in the trash."""
    entries: Any = entries_for(scope, Meetings.name, uuid)
    entries = entries.filter(operation__in=_REMOVED, result=Outcome.DONE).order_by("sequence")
    ids_by_marks: dict[tuple[str, ...], set[str]] = {}
    for before in entries.values_list("before", flat=True):
        for one in (before or {}).get("recording_files") or []:
            ids_by_marks.setdefault(_marks(one), set()).add(str(one.get("id") or ""))
    return {marks: ids.pop() for marks, ids in ids_by_marks.items() if len(ids) == 1}


def _marks(one: dict[str, object]) -> tuple[str, ...]:
    """Returns marks that identify the files of one instance, in the trash and out of it."""
    return tuple(str(one.get(name)) for name in ("recording_type", "file_type", "recording_start"))


def _file(file: RecordingFile, file_id: str) -> File:
    size = file.file_size
    return File(
        file_id,
        view_in_words(file.recording_type) or _("Recording"),
        file.file_type.upper(),
        None if size is None else int(size),
        _moment(file.recording_start),
        _moment(file.recording_end),
        web_address(file.play_url),
        _moment(file.deleted_time),
        bool(web_address(file.download_url)),
    )


def _moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None


def web_address(text: str) -> str:
    """Returns the address as a link, without credentials; empty if it is not a web address.

    The service may report any address; only those of the web are made links.
    """
    try:
        address = urlsplit(text)
        if address.scheme not in {"http", "https"} or not address.hostname:
            return ""
        query = parse_qsl(address.query, keep_blank_values=True)
        lasting = [(name, value) for name, value in query if name.casefold() not in _SIGNS_IN]
        if len(lasting) != len(query):
            address = address._replace(query=urlencode(lasting))
        return address._replace(netloc=address.netloc.rpartition("@")[2]).geturl()
    except ValueError:
        return ""


def link_of(api: Api, uuid: str, file_id: str, how: str) -> str:
    """Returns the address at which a file is played or downloaded; empty if the service reports
    none.

    Raises `ApiError`.
    """
    answer = recorded(api, uuid)
    for file in answer.recording_files if answer else ():
        if file.id == file_id:
            return web_address(file.play_url if how == PLAY else file.download_url)
    return ""


def send_change(
    api: Api, uuid: str, change: RecordingRemoval | RecordingAction, file_id: str = ""
) -> None:
    """Removes or recovers one file of a time, or all of them. Raises `ApiError`."""
    if isinstance(change, RecordingRemoval):
        query = RecordingRemovalQuery(action=change)
        if file_id:
            api.recordings.delete_file(uuid, file_id, query)
        else:
            api.recordings.delete(uuid, query)
        return
    body = RecordingStatusChange(action=change)
    if file_id:
        api.recordings.recover_file(uuid, file_id, body)
    else:
        api.recordings.recover(uuid, body)


def change_files(
    api: Api,
    connection: Connection,
    uuid: str,
    change: RecordingRemoval | RecordingAction,
    file_id: str = "",
) -> None:
    """Sends a change of files, and records it in the list. Raises `ApiError`."""
    send_change(api, uuid, change, file_id)
    mirror.record_files(connection, {uuid: [file_id] if file_id else ()}, change)
