"""Meetings (spec 2.7, 4.4 and 4.5)."""

from dataclasses import replace
from typing import Annotated, Self

from pydantic import Field, model_validator

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.inverse import Deletes, NoWayBack, Opposite, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST, PUT
from portal.contract.model import Model, Sensitive, off, unset
from portal.contract.operation import Effect, Family, Weight, by_number
from portal.contract.paging import NumberedPage, NumberedQuery
from portal.contract.problems import BrokenRule
from portal.contract.sessions import (
    SESSION_KEY,
    ConfirmationSetting,
    OccurrenceQuery,
    SessionDetails,
    SessionPlan,
    SessionSettings,
    SessionStatusChange,
    SessionSummary,
)
from portal.contract.words import gettext, pgettext_noop


class LiveStreamAction(TextChoice):
    START = "start", pgettext_noop("verb", "Start")
    STOP = "stop", pgettext_noop("verb", "Stop")


class MeetingLiveStream(Model):
    """The target of a meeting's live stream."""

    stream_url: str = Field(
        max_length=1024, title="Stream address", description="Where the service sends the stream."
    )
    stream_key: Annotated[str, Sensitive()] = Field(
        max_length=512, title="Stream key", description="From the video service. Keep it secret."
    )
    page_url: str | None = unset("Page address", "Where people watch the stream.", max_length=1024)


class ReportedLiveStream(Model):
    """The target of a meeting's live stream, as services of today report it; empty without one."""

    stream_url: str = Field("", title="Stream address")
    stream_key: Annotated[str, Sensitive()] = Field("", title="Stream key")
    page_url: str = Field("", title="Page address")


class LiveStreamDisplay(Model):
    active_speaker_name: bool | None = unset(
        "Name of the speaker", "Shows who speaks in the stream."
    )
    display_name: str | None = unset(
        "Title", "What the stream is called, from 1 to 50 characters.", min_length=1, max_length=50
    )


class MeetingLiveStreamStatus(Model):
    """Starts or stops the stream of a meeting."""

    action: LiveStreamAction = Field(title="Action", description="Whether it is streamed now.")
    settings: LiveStreamDisplay | None = unset("Settings", "What the stream shows.")


class MeetingType(NumberChoice):
    INSTANT = 1, "Instant", "Starts as soon as it is created."
    SCHEDULED = 2, "Once", "Takes place once, at a fixed time."
    RECURRING = 3, "Recurring without a fixed time", "Can be started again at any time."
    RECURRING_FIXED = 8, "Recurring at fixed times", "Takes place at the times of its recurrence."


class MeetingListType(TextChoice):
    SCHEDULED = "scheduled", "Scheduled"
    LIVE = "live", "Live"
    UPCOMING = "upcoming", "Upcoming"


class MeetingsQuery(NumberedQuery):
    type: MeetingListType = Field(
        MeetingListType.LIVE, title="Which meetings", description="Live ones unless said."
    )


class MeetingPage(NumberedPage):
    meetings: list[SessionSummary] = Field(title="Meetings")


class MeetingSettings(SessionSettings):
    participant_video: bool | None = unset(
        "Participant video on", "Starts with participants' video on."
    )
    join_before_host: bool = off(
        "Join before host",
        "Lets participants join before the host. Not for instant meetings.",
    )
    mute_upon_entry: bool = off("Mute on entry", "Mutes participants as they join.")
    waiting_room: bool = off("Waiting room", "Holds participants until the host admits them.")
    watermark: bool = off("Watermark", "Lays the viewer's email address over shared screens.")
    use_pmi: bool = off(
        "Use the personal meeting ID",
        "For scheduled meetings, and for recurring ones without a fixed time.",
    )
    close_registration: bool = off("Close registration", "Registration is closed after this date.")
    cn_meeting: bool = off("Host in China", "Runs the meeting in a data centre in China.")
    in_meeting: bool = off("Host in India", "Runs the meeting in a data centre in India.")


class MeetingSettingsUpdate(ConfirmationSetting, MeetingSettings):
    """Settings in a change of a meeting."""


class _MeetingPlan(SessionPlan):
    schedule_for: str | None = unset(
        "Schedule for", "Email or ID of the person who becomes the host."
    )
    type: MeetingType | None = unset("Type", "When it takes place.")

    @model_validator(mode="after")
    def _recurs_if_it_has_a_recurrence(self) -> Self:
        if self.recurrence and self.type in {MeetingType.INSTANT, MeetingType.SCHEDULED}:
            raise BrokenRule("recurrence", gettext("Only a recurring meeting has a recurrence."))
        return self


class NewMeeting(_MeetingPlan):
    """A meeting to create (spec: Session plus `schedule_for`)."""

    type: MeetingType = Field(
        MeetingType.SCHEDULED, title="Type", description="When it takes place."
    )
    settings: MeetingSettings | None = unset("Settings", "How the meeting runs.")


class MeetingUpdate(_MeetingPlan):
    """Changes to a meeting (spec: SessionUpdate plus `schedule_for`)."""

    settings: MeetingSettingsUpdate | None = unset("Settings", "How the meeting runs.")


class MeetingDetails(SessionDetails):
    """One meeting as the service reports it (spec: MeetingInfo with its ids)."""

    type: MeetingType = Field(MeetingType.SCHEDULED, title="Type")
    password: Annotated[str, Sensitive()] = Field("", title="Password")
    h323_password: Annotated[str, Sensitive()] = Field("", title="H.323 and SIP password")
    settings: MeetingSettings | None = Field(None, title="Settings")


class MeetingInvitation(Model):
    invitation: str = Field("", title="Invitation")


class Meetings(Family, name="meetings"):
    """Meetings of people on the account."""

    of_user = GET(
        "/users/{userId}/meetings",
        "List a person's meetings",
        query=MeetingsQuery,
        returns=MeetingPage,
        pages=by_number("meetings", SessionSummary, *SESSION_KEY),
    )
    create = POST(
        "/users/{userId}/meetings",
        "Create a meeting",
        body=NewMeeting,
        returns=MeetingDetails,
        locates=True,
        inverse=Deletes("meetings.delete", "Its link stops working."),
    )
    get = GET("/meetings/{meetingId}", "Read a meeting", returns=MeetingDetails)
    update = PATCH(
        "/meetings/{meetingId}",
        "Change a meeting",
        body=MeetingUpdate,
        before=get,
        inverse=Restores(),
    )
    delete = DELETE(
        "/meetings/{meetingId}",
        "Delete a meeting",
        query=OccurrenceQuery,
        before=get,
        inverse=NoWayBack("A deleted meeting cannot be restored with its number."),
    )
    end = PUT(
        "/meetings/{meetingId}/status",
        "End a meeting",
        body=SessionStatusChange,
        effect=Effect.DESTRUCTIVE,
        before=get,
        inverse=NoWayBack("A meeting that was ended has to be started again by its host."),
    )
    invitation = GET(
        "/meetings/{meetingId}/invitation",
        "Read an invitation",
        returns=MeetingInvitation,
        errors=(),
    )
    update_livestream = PATCH(
        "/meetings/{meetingId}/livestream",
        "Change where a meeting is streamed",
        body=MeetingLiveStream,
        before=get,
        inverse=NoWayBack("Where a meeting was streamed before is not known."),
    )
    change_livestream_status = PATCH(
        "/meetings/{meetingId}/livestream/status",
        "Start or stop a live stream",
        body=MeetingLiveStreamStatus,
        before=get,
        inverse=Opposite({"start": "stop", "stop": "start"}),
    )


# The document has no way to read it; services of today have.
LIVE_STREAM = replace(
    GET(
        "/meetings/{meetingId}/livestream",
        "Read where a meeting is streamed",
        returns=ReportedLiveStream,
    ),
    family=Meetings.name,
    attribute="live_stream",
    weight=Weight.LIGHT,
)
