"""Cloud recordings (spec 2.9, 4.4 and 4.5)."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.inverse import PutsBack, Restores, TakesOut
from portal.contract.methods import DELETE, GET, PATCH, PUT
from portal.contract.model import Model, Sensitive, off, unset
from portal.contract.operation import Family, by_token
from portal.contract.paging import ReportedDays, TokenDaysQuery, TokenPage
from portal.contract.path import MEETING_OR_UUID
from portal.contract.reading import COUNTED, Count
from portal.contract.times import Timestamp

_FILES = "recording_files"


class ViewerApproval(NumberChoice):
    AT_ONCE = 0, "Watch immediately", "Registrants can watch immediately."
    AFTER_APPROVAL = 1, "Watch after approval", "Registrants are notified by email."
    NONE = 2, "No registration"


class RecordingSharing(TextChoice):
    PUBLICLY = "publicly", "Everyone with the link"
    INTERNALLY = "internally", "People on the account"
    NONE = "none", "No one"


class RecordingRemoval(TextChoice):
    TRASH = "trash", "Move to trash", "It can be recovered from there."
    DELETE = "delete", "Delete permanently", "This cannot be undone."


class RecordingAction(TextChoice):
    RECOVER = "recover", "Recover", "Takes it out of the trash."


class RecordedView(TextChoice):
    """Contents of files that services are known to record; others have names of their own."""

    SCREEN = "shared_screen", "Shared screen"
    SCREEN_SPEAKER = "shared_screen_with_speaker_view", "Shared screen with speaker view"
    SCREEN_SPEAKER_CAPTIONED = (
        "shared_screen_with_speaker_view(cc)",
        "Shared screen with speaker view and captions",
    )
    SCREEN_GALLERY = "shared_screen_with_gallery_view", "Shared screen with gallery view"
    ACTIVE_SPEAKER = "active_speaker", "Active speaker"
    SPEAKER = "speaker_view", "Speaker view"
    GALLERY = "gallery_view", "Gallery view"
    HOST_VIDEO = "host_video", "Host video"
    AUDIO = "audio_only", "Audio only"
    TRANSCRIPT = "audio_transcript", "Audio transcript"
    CHAT = "chat_file", "Chat messages"
    CAPTIONS = "closed_caption", "Closed captions"
    POLLS = "poll", "Poll results"
    TIMELINE = "timeline", "Timeline"
    THUMBNAIL = "thumbnail", "Preview image"
    SUMMARY = "summary", "Summary"
    NEXT_STEPS = "summary_next_steps", "Next steps"
    CHAPTERS = "summary_smart_chapters", "Chapters"
    SIGNS = "sign_interpretation", "Sign language interpretation"


class RecordedFormat(TextChoice):
    """Formats of files that services are known to record; others are named as they name them."""

    MP4 = "MP4", "Video (MP4)"
    M4A = "M4A", "Audio (M4A)"
    TRANSCRIPT = "TRANSCRIPT", "Transcript"
    CHAT = "CHAT", "Chat messages"
    CC = "CC", "Closed captions"
    CSV = "CSV", "Poll results"
    TIMELINE = "TIMELINE", "Timeline"
    SUMMARY = "SUMMARY", "Summary"
    TB = "TB", "Preview image"


def view_in_words(view: str) -> str:
    """Returns the content of a recorded file; of one that is not known, its name as words."""
    member = RecordedView._value2member_map_.get(view.casefold())
    return getattr(member, "label", "") or view.replace("_", " ").strip().capitalize()


def format_in_words(name: str) -> str:
    """Returns the format of a recorded file; one that is not known stays as it is named."""
    member = RecordedFormat._value2member_map_.get(name.upper())
    return getattr(member, "label", "") or name.replace("_", " ").upper()


def file_in_words(view: str, name: str) -> str:
    """Returns content and format of a file, once if they are called alike."""
    both = (view_in_words(view), format_in_words(name))
    return ", ".join(dict.fromkeys(filter(None, both)))


class RecordingsQuery(TokenDaysQuery):
    mc: str = Field(
        "false", title="Recording-list flag", description="Passed on to the service as it is."
    )
    trash: bool = off("Trashed recordings", "Lists what is in the trash instead.")


class RecordingRemovalQuery(Model):
    action: RecordingRemoval = Field(
        RecordingRemoval.TRASH,
        title="How",
        description="Into the trash unless said.",
    )


class RecordingFile(Model):
    """One file of a recording (spec: Recording)."""

    id: str = Field("", title="File ID")
    meeting_id: str = Field("", title="Meeting ID")
    recording_type: str = Field("", title="What it shows")
    file_type: str = Field("", title="File type")
    file_size: Annotated[int | float | None, COUNTED] = Field(None, title="Size in bytes")
    recording_start: str = Field("", title="Start")
    recording_end: str = Field("", title="End")
    status: str = Field("", title="Status")
    play_url: str = Field("", title="Link to watch")
    download_url: Annotated[str, Sensitive()] = Field("", title="Link to download")
    deleted_time: str = Field("", title="Moved to the trash")


class RecordedMeeting(Model):
    """A meeting with cloud recordings (spec: RecordingMeeting)."""

    uuid: str = Field("", title="UUID")
    id: str | int | None = Field(None, title="Number")
    account_id: str = Field("", title="Account ID")
    host_id: str = Field("", title="Host ID")
    topic: str = Field("", title="Topic")
    start_time: Timestamp | None = Field(None, title="Start")
    duration: Count = Field(None, title="Duration", description="Minutes.")
    recording_count: Annotated[str | int | None, COUNTED] = Field(None, title="Files")
    total_size: Annotated[str | int | None, COUNTED] = Field(None, title="Size in bytes")
    recording_files: list[RecordingFile] = Field(default_factory=list, title="Recording files")


class RecordingPage(TokenPage, ReportedDays):
    meetings: list[RecordedMeeting] = Field(title="Meetings with recordings")


class RecordingSettings(Model):
    """Access to the recordings of a meeting; in a change, what is left out stays."""

    share_recording: RecordingSharing | None = unset("Sharing", "Who can watch.")
    viewer_download: bool | None = unset("Downloads", "Lets viewers download the recording.")
    password: Annotated[str, Sensitive()] | None = unset("Password", "Viewers are asked for it.")
    on_demand: bool | None = unset("Registration required", "Viewers register before they watch.")
    approval_type: ViewerApproval | None = unset(
        "Registration approval", "What happens after someone registers."
    )
    send_email_to_host: bool | None = unset(
        "Notify host", "Emails the host when someone registers."
    )
    show_social_share_buttons: bool | None = unset(
        "Share buttons", "Shows social share buttons on the registration page."
    )


class RecordingStatusChange(Model):
    action: RecordingAction = Field(title="Action", description="What happens to it.")


_FROM_TRASH = PutsBack(
    "recordings.recover_file",
    _FILES,
    listing="recordings.get",
    body={"action": RecordingAction.RECOVER.value},
    only=("action", RecordingRemoval.TRASH.value),
    otherwise="What was deleted permanently cannot be recovered.",
)
_TO_TRASH = TakesOut(
    "recordings.delete_file",
    _FILES,
    listing="recordings.get",
    query={"action": RecordingRemoval.TRASH.value},
)


class Recordings(Family, name="recordings", title="Cloud recordings", addressed=(MEETING_OR_UUID,)):
    """Cloud recordings of meetings."""

    of_user = GET(
        "/users/{userId}/recordings",
        "List a person's cloud recordings",
        query=RecordingsQuery,
        returns=RecordingPage,
        pages=by_token("meetings", RecordedMeeting, "uuid"),
    )
    get = GET(
        "/meetings/{meetingId}/recordings", "Read a meeting's recordings", returns=RecordedMeeting
    )
    delete = DELETE(
        "/meetings/{meetingId}/recordings",
        "Delete a meeting's recordings",
        query=RecordingRemovalQuery,
        before=get,
        inverse=_FROM_TRASH,
    )
    recover = PUT(
        "/meetings/{meetingId}/recordings/status",
        "Recover a meeting's recordings",
        body=RecordingStatusChange,
        before=get,
        inverse=_TO_TRASH,
    )
    delete_file = DELETE(
        "/meetings/{meetingId}/recordings/{recordingId}",
        "Delete a recording file",
        query=RecordingRemovalQuery,
        before=get,
        inverse=_FROM_TRASH,
    )
    recover_file = PUT(
        "/meetings/{meetingId}/recordings/{recordingId}/status",
        "Recover a recording file",
        body=RecordingStatusChange,
        before=get,
        inverse=_TO_TRASH,
    )
    settings = GET(
        "/meetings/{meetingId}/recordings/settings",
        "Read who may watch a meeting's recordings",
        returns=RecordingSettings,
    )
    update_settings = PATCH(
        "/meetings/{meetingId}/recordings/settings",
        "Change who may watch a meeting's recordings",
        body=RecordingSettings,
        before=settings,
        inverse=Restores(),
    )


# The document has no list of all recordings; services of today have one, of a month at most.
OF_ACCOUNT = replace(
    Recordings.of_user,
    path="/accounts/me/recordings",
    words="List the cloud recordings of the account",
    attribute="of_account",
)
