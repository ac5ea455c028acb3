"""Rows of the mirror from lists of the whole account, which services of today have.

One list has the available files of a month, the other the whole trash. Each is taken over without
the other, and leaves the files that the other listed as they are.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Q, QuerySet

from portal.access.models import Connection
from portal.client import Api, Invalid, NotAvailable, NotFound, Unauthorized
from portal.config.database import batches
from portal.contract.model import JsonDict
from portal.contract.reading import LeftOut, all_left_out_of
from portal.contract.recordings import OF_ACCOUNT, RecordedMeeting, RecordingPage, RecordingsQuery
from portal.directory.users import people_by_id
from portal.mirror import rows
from portal.mirror.values import moment, text
from portal.recordings.mirror import IN_TRASH, state_of
from portal.recordings.models import MirroredRecording, RecordingStatus
from portal.recordings.rows import ListedRecording, months_of, row_of, sum_up

_PAGE = 300
_DAY = timedelta(days=1)


def lists_whole_account(api: Api, day: date) -> bool:
    """Returns whether the service lists the recordings of all hosts together. Raises `ApiError` if
    it does not answer at all."""
    days = {"from": day, "to": day}
    try:
        api.caller(OF_ACCOUNT.call(RecordingsQuery(page_size=1, **days)))
    except (Invalid, NotAvailable, NotFound, Unauthorized):
        return False
    return True


def available_of_account(
    api: Api, first: date, last: date, left_out: list[LeftOut]
) -> list[ListedRecording]:
    """Returns the available files of all recordings that began on these days of GMT; `left_out`
    gets those that cannot be read. A list that the service cuts is read on from there.

    Raises `ApiError`.
    """
    by_uuid: dict[str, ListedRecording] = {}
    end = last
    while end >= first:
        begin = first
        for page in _pages(api, first, end, is_trash=False, left_out=left_out):
            begin = min(max(page.from_ or first, begin), end)
            for one in page.meetings:
                listed = by_uuid.setdefault(text(one.uuid), ListedRecording(one))
                listed.available.extend(one.recording_files)
        end = begin - _DAY
    return list(by_uuid.values())


def trash_of_account(
    api: Api, first: date, last: date, left_out: list[LeftOut]
) -> list[ListedRecording]:
    """Returns the files in the trash of recordings that began on these days, as
    `available_of_account` does. A service that lists them whatever the days is asked once."""
    found: dict[str, ListedRecording] = {}
    for one in _trash(api, first, last, left_out):
        began = moment(one.start_time)
        if began is None or first <= began.date() <= last:
            listed = found.setdefault(text(one.uuid), ListedRecording(one))
            known = {file.id for file in listed.trashed if file.id}
            listed.trashed.extend(file for file in one.recording_files if file.id not in known)
    return list(found.values())


def _trash(api: Api, first: date, last: date, left_out: list[LeftOut]) -> Iterator[RecordedMeeting]:
    reported = first
    is_beyond = False
    for page in _pages(api, first, last, is_trash=True, left_out=left_out):
        reported = max(page.from_ or first, reported)
        for one in page.meetings:
            began = moment(one.start_time)
            is_beyond = is_beyond or (began is not None and began.date() < reported)
            yield one
    # Recordings of days before those that were reported are there if the days do not apply.
    if reported <= first or is_beyond:
        return
    for begin, end in months_of(first, reported - _DAY):
        for page in _pages(api, begin, end, is_trash=True, left_out=left_out):
            yield from page.meetings


def _pages(
    api: Api, first: date, last: date, *, is_trash: bool, left_out: list[LeftOut]
) -> Iterator[RecordingPage]:
    days = {"from": first, "to": last}
    query = RecordingsQuery(page_size=_PAGE, trash=is_trash, **days)
    for page in api.caller.pages(OF_ACCOUNT.call(query)):
        left_out += all_left_out_of(page)
        yield page


def replace_available(
    connection: Connection,
    listed: Sequence[ListedRecording],
    days: tuple[date, date],
    began: datetime,
    *,
    is_partial: bool = False,
) -> None:
    """Takes over the available files of all recordings of some days, as a reading that began then
    has listed them; what it did not list is forgotten, unless it `is_partial`."""
    first, last = (datetime.combine(day, time.min, UTC) for day in days)
    own = MirroredRecording.objects.filter(start_time__gte=first, start_time__lt=last + _DAY)
    _replace(connection, listed, own, began, is_trash=False, is_partial=is_partial)


def replace_trash(
    connection: Connection,
    listed: Sequence[ListedRecording],
    first: date,
    began: datetime,
    *,
    is_partial: bool = False,
) -> None:
    """Takes over the trash as `replace_available` does the other files, since the `first` day."""
    since = datetime.combine(first, time.min, UTC)
    of_time = Q(start_time__gte=since) | Q(start_time=None)
    own = MirroredRecording.objects.filter(of_time, status__in=IN_TRASH)
    _replace(connection, listed, own, began, is_trash=True, is_partial=is_partial)


def _replace(
    connection: Connection,
    listed: Sequence[ListedRecording],
    own: QuerySet[MirroredRecording],
    began: datetime,
    *,
    is_trash: bool,
    is_partial: bool,
) -> None:
    hosts = people_by_id(connection, {text(one.data.host_id) for one in listed})
    # Recordings of people who have left are not in the mirror.
    of_people = ((one, hosts.get(text(one.data.host_id))) for one in listed)
    made = [row_of(connection, one, host) for one, host in of_people if host]
    state = state_of(connection)
    of_connection = MirroredRecording.objects.filter(connection=connection)
    for batch in batches(made):
        stored = of_connection.filter(uuid__in=[row.uuid for row in batch])
        files = dict(stored.values_list("uuid", "files"))
        for row in batch:
            _set_files(row, row.files, _of_other(files.get(row.uuid, []), is_trash=is_trash))
        rows.store(state, batch, began, leased=False)
    if is_partial:
        return
    seen = {row.key for row in made}
    partly = own.filter(connection=connection, status=RecordingStatus.PARTLY.value)
    for batch in batches([row for row in partly.iterator(chunk_size=500) if row.key not in seen]):
        for row in batch:
            row.pk, row.connection = None, connection
            _set_files(row, [], _of_other(row.files, is_trash=is_trash))
        rows.store(state, batch, began, leased=False)
    status = RecordingStatus.TRASHED if is_trash else RecordingStatus.AVAILABLE
    rows.forget_unseen(state, own.filter(status=status.value), seen, began, leased=False)


def _of_other(files: Sequence[JsonDict], *, is_trash: bool) -> list[JsonDict]:
    """Returns the files of the other list."""
    return [one for one in files if bool(one["deleted"]) != is_trash]


def _set_files(row: MirroredRecording, own: list[JsonDict], other: list[JsonDict]) -> None:
    """Sets the files of both lists, each once: the list that was read last has moved ones."""
    ids = {one["id"] for one in own if one["id"]}
    row.files = [*own, *(one for one in other if one["id"] not in ids)]
    sum_up(row)
    row.stamp()
