"""Cloud recordings of a person (spec 2.9 and 4.4), of the account as today's services list them,
and of one meeting: files, trash, recovery, deletion and sharing settings."""

from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any

import orjson
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from portal.contract.recordings import (
    OF_ACCOUNT,
    RecordingRemoval,
    RecordingRemovalQuery,
    Recordings,
    RecordingSettings,
    RecordingSharing,
    RecordingsQuery,
    RecordingStatusChange,
    ViewerApproval,
)
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound, invalid
from portal.sandbox.families.account import ACCOUNT_ID
from portal.sandbox.families.lookup import user_called
from portal.sandbox.identifiers import timestamp
from portal.sandbox.models import RecordedMeeting, RecordingFile
from portal.sandbox.options import options
from portal.sandbox.paging import issue_token, read_token
from portal.sandbox.serving import serves, serves_today

_OF_ACCOUNT = replace(OF_ACCOUNT, path="/accounts/{accountId}/recordings")
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


_GIVEN = {
    "share_recording": RecordingSharing.PUBLICLY.value,
    "viewer_download": True,
    "password": "",
    "on_demand": False,
    "approval_type": ViewerApproval.NONE.value,
    "send_email_to_host": False,
    "show_social_share_buttons": False,
}


@serves(Recordings.get)
def get(meeting_id: str) -> bytes:
    """Returns the files that are not in the trash; only lists contain those that are."""
    recorded = _recording_called(meeting_id)
    kept = list(recorded.files.filter(deleted_time=None).order_by("recording_start", "id"))
    if not kept:
        raise NotFound("recording")
    return orjson.dumps(recording_document(recorded, kept))


@serves(Recordings.delete)
def delete(meeting_id: str, query: RecordingRemovalQuery) -> None:
    recorded = _recording_called(meeting_id)
    _remove(recorded, recorded.files.all(), query)


@serves(Recordings.recover)
def recover(meeting_id: str, body: RecordingStatusChange) -> None:  # noqa: ARG001 - it has one value
    _recording_called(meeting_id).files.update(deleted_time=None)


@serves(Recordings.delete_file)
def delete_file(meeting_id: str, recording_id: str, query: RecordingRemovalQuery) -> None:
    recorded = _recording_called(meeting_id)
    _remove(recorded, _file_called(recorded, recording_id), query)


@serves(Recordings.recover_file)
def recover_file(
    meeting_id: str,
    recording_id: str,
    body: RecordingStatusChange,  # noqa: ARG001 - it has one value
) -> None:
    _file_called(_recording_called(meeting_id), recording_id).update(deleted_time=None)


@serves(Recordings.settings)
def settings(meeting_id: str) -> RecordingSettings:
    return RecordingSettings(**{**_GIVEN, **_recording_called(meeting_id).settings})


@serves(Recordings.update_settings)
def update_settings(meeting_id: str, body: RecordingSettings) -> None:
    recorded = _recording_called(meeting_id)
    sent = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    recorded.settings = {**recorded.settings, **sent}
    recorded.save()


def _recording_called(name: str) -> RecordedMeeting:
    """Returns the recording with this UUID, or the last recorded instance of a number."""
    by: dict[str, str | int] = {"uuid": name}
    if name.isascii() and name.isdigit() and len(name) < 19:
        by = {"number": int(name)}
    found = RecordedMeeting.objects.filter(**by).order_by("start_time").last()
    if found is None:
        raise NotFound("recording")
    return found


def _file_called(recorded: RecordedMeeting, recording_id: str) -> QuerySet[RecordingFile]:
    found = recorded.files.filter(id=recording_id)
    if not found.exists():
        raise NotFound("recording")
    return found


def _remove(
    recorded: RecordedMeeting, files: QuerySet[RecordingFile], query: RecordingRemovalQuery
) -> None:
    """Moves files to the trash, or deletes them. Files in the trash keep their time of deletion."""
    if query.action == RecordingRemoval.TRASH:
        files.filter(deleted_time=None).update(deleted_time=now())
        return
    files.delete()
    if not recorded.files.exists():
        recorded.delete()
