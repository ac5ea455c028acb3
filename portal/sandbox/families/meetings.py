"""Single meetings and their live streams (spec 2.7 and 4.5)."""

import zlib
from zoneinfo import ZoneInfo

from portal.contract.meetings import (
    LIVE_STREAM,
    LiveStreamAction,
    MeetingDetails,
    MeetingInvitation,
    MeetingLiveStream,
    MeetingLiveStreamStatus,
    Meetings,
    MeetingSettings,
    MeetingUpdate,
    NewMeeting,
    ReportedLiveStream,
)
from portal.contract.sessions import OccurrenceQuery, SessionStatusChange
from portal.sandbox.clock import now
from portal.sandbox.errors import invalid
from portal.sandbox.families.planning import (
    INSTANT,
    change_session,
    end_session,
    host_called,
    plan_session,
    remove_session,
    session_called,
    session_facts,
    settings_of,
)
from portal.sandbox.http import Created, location
from portal.sandbox.models import Session, SessionKind
from portal.sandbox.models.sessions import JOIN_URL
from portal.sandbox.serving import serves, serves_today


def meeting_called(number: str) -> Session:
    return session_called(SessionKind.MEETING, number)


@serves(Meetings.create)
def create(user_id: str, body: NewMeeting) -> Created:
    """Creates a meeting. With `schedule_for` the named person becomes the host."""
    host = host_called(user_id)
    if body.schedule_for:
        host = host_called(body.schedule_for, "schedule_for")
    meeting = plan_session(SessionKind.MEETING, host, body)
    return Created(location(Meetings.get, str(meeting.number)), _document(meeting))


@serves(Meetings.get)
def get(meeting_id: str) -> MeetingDetails:
    return _document(meeting_called(meeting_id))


@serves(Meetings.update)
def update(meeting_id: str, body: MeetingUpdate) -> None:
    meeting = meeting_called(meeting_id)
    if body.schedule_for:
        meeting.host = host_called(body.schedule_for, "schedule_for")
    change_session(meeting, body)


@serves(Meetings.delete)
def delete(meeting_id: str, query: OccurrenceQuery) -> None:
    remove_session(meeting_called(meeting_id), query.occurrence_id)


@serves(Meetings.end)
def end(meeting_id: str, body: SessionStatusChange) -> None:  # noqa: ARG001 - it has one value
    end_session(meeting_called(meeting_id), now())


@serves(Meetings.invitation)
def invitation(meeting_id: str) -> MeetingInvitation:
    meeting = meeting_called(meeting_id)
    return MeetingInvitation(invitation="\r\n".join(_invitation(meeting)))


def _document(meeting: Session) -> MeetingDetails:
    settings = MeetingSettings(**settings_of(meeting, MeetingSettings))
    return MeetingDetails(
        **session_facts(meeting),
        password=meeting.password,
        h323_password=_h323_password(meeting),
        settings=settings,
    )


def _h323_password(meeting: Session) -> str:
    """Returns a password of digits, for devices without letters; it changes with the meeting's
    password."""
    if not meeting.password:
        return ""
    return f"{zlib.crc32(f'{meeting.number}:{meeting.password}'.encode()) % 10**6:06}"


def _invitation(meeting: Session) -> list[str]:
    host = meeting.host
    name = f"{host.first_name} {host.last_name}".strip() or host.email
    lines = [f"{name} is inviting you to a meeting.", "", f"Topic: {meeting.topic}"]
    if meeting.start_time and meeting.type != INSTANT:
        local = meeting.start_time.astimezone(ZoneInfo(meeting.timezone or "UTC"))
        lines.append(f"Time: {local:%b} {local.day}, {local:%Y %H:%M} {meeting.timezone}")
    times = meeting.occurrences.count()
    if times > 1:
        lines.append(f"It takes place {times} times.")
    lines += ["", "Join the meeting", JOIN_URL.format(meeting.number)]
    lines += ["", f"Meeting ID: {meeting.number}"]
    if meeting.password:
        lines.append(f"Password: {meeting.password}")
    stream = meeting.stream or {}
    if stream.get("active") and stream.get("page_url"):
        lines += ["", f"Watch the live stream: {stream['page_url']}"]
    return lines


@serves(Meetings.update_livestream)
def update_livestream(meeting_id: str, body: MeetingLiveStream) -> None:
    meeting = meeting_called(meeting_id)
    sent = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    meeting.stream = {**(meeting.stream or {}), **sent}
    meeting.save()


@serves_today(LIVE_STREAM)
def live_stream(meeting_id: str) -> ReportedLiveStream:
    stream = meeting_called(meeting_id).stream or {}
    names = ReportedLiveStream.model_fields
    return ReportedLiveStream(**{name: stream.get(name) or "" for name in names})


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
