"""The recordings of one meeting: files, trash, recovery, deletion and sharing settings."""

import orjson
from django.db.models import QuerySet

from portal.contract.recordings import (
    RecordingRemoval,
    RecordingRemovalQuery,
    Recordings,
    RecordingSettings,
    RecordingSharing,
    RecordingStatusChange,
    ViewerApproval,
)
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound
from portal.sandbox.families.recordings import recording_document
from portal.sandbox.models import RecordedMeeting, RecordingFile
from portal.sandbox.serving import serves

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
    recorded = _recorded(meeting_id)
    kept = list(recorded.files.filter(deleted_time=None).order_by("recording_start", "id"))
    if not kept:
        raise NotFound("recording")
    return orjson.dumps(recording_document(recorded, kept))


@serves(Recordings.delete)
def delete(meeting_id: str, query: RecordingRemovalQuery) -> None:
    recorded = _recorded(meeting_id)
    _remove(recorded, recorded.files.all(), query)


@serves(Recordings.recover)
def recover(meeting_id: str, body: RecordingStatusChange) -> None:  # noqa: ARG001 - it has one value
    _recorded(meeting_id).files.update(deleted_time=None)


@serves(Recordings.delete_file)
def delete_file(meeting_id: str, recording_id: str, query: RecordingRemovalQuery) -> None:
    recorded = _recorded(meeting_id)
    _remove(recorded, _file(recorded, recording_id), query)


@serves(Recordings.recover_file)
def recover_file(
    meeting_id: str,
    recording_id: str,
    body: RecordingStatusChange,  # noqa: ARG001 - it has one value
) -> None:
    _file(_recorded(meeting_id), recording_id).update(deleted_time=None)


@serves(Recordings.settings)
def settings(meeting_id: str) -> RecordingSettings:
    return RecordingSettings(**{**_GIVEN, **_recorded(meeting_id).settings})


@serves(Recordings.update_settings)
def update_settings(meeting_id: str, body: RecordingSettings) -> None:
    recorded = _recorded(meeting_id)
    sent = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    recorded.settings = {**recorded.settings, **sent}
    recorded.save()


def _recorded(name: str) -> RecordedMeeting:
    """Returns the recording with this UUID, or the last recorded instance of a number."""
    by: dict[str, str | int] = {"uuid": name}
    if name.isascii() and name.isdigit() and len(name) < 19:
        by = {"number": int(name)}
    found = RecordedMeeting.objects.filter(**by).order_by("start_time").last()
    if found is None:
        raise NotFound("recording")
    return found


def _file(recorded: RecordedMeeting, recording_id: str) -> QuerySet[RecordingFile]:
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
