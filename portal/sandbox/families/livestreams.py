"""Live streams of meetings: their targets and states (spec 2.7 and 4.5)."""

from portal.contract.meetings import (
    LiveStreamAction,
    MeetingLiveStream,
    MeetingLiveStreamStatus,
    Meetings,
)
from portal.sandbox.errors import invalid
from portal.sandbox.families.meetings import meeting_called
from portal.sandbox.serving import serves


@serves(Meetings.update_livestream)
def update_livestream(meeting_id: str, body: MeetingLiveStream) -> None:
    meeting = meeting_called(meeting_id)
    sent = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    meeting.stream = {**(meeting.stream or {}), **sent}
    meeting.save()


@serves(Meetings.change_livestream_status)
def change_livestream_status(meeting_id: str, body: MeetingLiveStreamStatus) -> None:
    """Starts or stops the stream in any state, if the meeting has an address for it."""
    meeting = meeting_called(meeting_id)
    stream = meeting.stream or {}
    starts = body.action == LiveStreamAction.START
    if starts and not stream.get("stream_url"):
        raise invalid("action", "Say first where the meeting is streamed.")
    settings = (
        body.settings.model_dump(exclude_unset=True, exclude_none=True) if body.settings else {}
    )
    display = {**stream.get("settings", {}), **settings}
    meeting.stream = {**stream, "active": starts, "settings": display}
    meeting.save()
