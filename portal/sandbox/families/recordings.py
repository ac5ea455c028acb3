"""Cloud recordings of a person (spec 2.9 and 4.4), and of the account, as today's services list
them."""

from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any

import orjson
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from portal.contract.recordings import Recordings, RecordingsQuery
from portal.sandbox.errors import NotFound, invalid
from portal.sandbox.families.account import ACCOUNT_ID
from portal.sandbox.families.lookup import user_called
from portal.sandbox.identifiers import timestamp
from portal.sandbox.models import RecordedMeeting, RecordingFile
from portal.sandbox.options import options
from portal.sandbox.paging import issue_token, read_token
from portal.sandbox.serving import serves, serves_today

_OF_ACCOUNT = replace(Recordings.of_user, path="/accounts/{accountId}/recordings")
_FILE_URL = "https://conf.example/recording/{}/{}"


@serves(Recordings.of_user)
def recordings_of_user(user_id: str, query: RecordingsQuery) -> bytes:
    user = user_called(user_id)
    return _page(RecordedMeeting.objects.filter(host=user), query, user.id)


@serves_today(_OF_ACCOUNT)
def recordings_of_account(account_id: str, query: RecordingsQuery) -> bytes:
    if account_id not in {"me", ACCOUNT_ID}:
        raise NotFound("account")
    return _page(RecordedMeeting.objects.all(), query, ACCOUNT_ID)


def _page(whose: QuerySet[RecordedMeeting], query: RecordingsQuery, scope: str) -> bytes:
    """Returns a page, the latest first. A token names the last recording of its page, so none is
    lost or repeated."""
    if query.to < query.from_:
        raise invalid("to", "This must not be before the first day.")
    key = options().token
    rows = _recorded(whose, query)
    left = _after(read_token(query, scope, key), rows)
    found = list(left.order_by("-start_time", "uuid")[: query.page_size + 1])
    page, token = found[: query.page_size], ""
    if len(found) > query.page_size:
        last = page[-1]
        token = issue_token([last.start_time.isoformat(), last.uuid], query, scope, key)
    return orjson.dumps(
        {
            "from": query.from_,
            "to": query.to,
            "page_count": len(page),
            "page_size": query.page_size,
            "total_records": rows.count(),
            "next_page_token": token,
            "meetings": [_shown(recorded) for recorded in page],
        }
    )


def _recorded(
    whose: QuerySet[RecordedMeeting], query: RecordingsQuery
) -> QuerySet[RecordedMeeting]:
    """Returns those recordings that began on these days, GMT: those in the trash, or the others."""
    files = RecordingFile.objects.filter(deleted_time__isnull=not query.trash)
    began = (
        datetime.combine(query.from_, time.min, UTC),
        datetime.combine(query.to, time.max, UTC),
    )
    rows = whose.filter(start_time__range=began)
    shown = Prefetch("files", files.order_by("recording_start", "id"), "shown")
    return rows.filter(Exists(files.filter(meeting=OuterRef("pk")))).prefetch_related(shown)


def _after(
    position: list[str] | None, rows: QuerySet[RecordedMeeting]
) -> QuerySet[RecordedMeeting]:
    if position is None:
        return rows
    moment, uuid = datetime.fromisoformat(position[0]), position[1]
    return rows.filter(Q(start_time__lt=moment) | Q(start_time=moment, uuid__gt=uuid))


def _shown(recorded: RecordedMeeting) -> dict[str, Any]:
    return recording_document(recorded, recorded.shown)  # type: ignore[attr-defined]


def recording_document(recorded: RecordedMeeting, files: list[RecordingFile]) -> dict[str, Any]:
    """Returns the fields of a recorded meeting, with these of its files."""
    return {
        "uuid": recorded.uuid,
        "id": str(recorded.number),
        "account_id": ACCOUNT_ID,
        "host_id": recorded.host_id,
        "topic": recorded.topic,
        "start_time": timestamp(recorded.start_time),
        "duration": recorded.duration,
        "total_size": str(sum(file.file_size for file in files)),
        "recording_count": str(len(files)),
        "recording_files": [_file(recorded, file) for file in files],
    }


def _file(recorded: RecordedMeeting, file: RecordingFile) -> dict[str, Any]:
    """Returns a file. Only a file in the trash has a time of deletion; only one outside of it has a
    play URL. Both have their id, which recovery needs."""
    data: dict[str, Any] = {
        "id": file.id,
        "meeting_id": recorded.uuid,
        "recording_start": timestamp(file.recording_start),
        "file_type": file.file_type,
        "file_size": file.file_size,
        "recording_type": file.recording_type,
    }
    if file.deleted_time:
        return {**data, "deleted_time": timestamp(file.deleted_time)}
    return {
        **data,
        "recording_end": timestamp(file.recording_end),
        "status": "completed",
        "download_url": _FILE_URL.format("download", file.id),
        "play_url": _FILE_URL.format("play", file.id),
    }
