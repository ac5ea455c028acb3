"""Meetings and webinars that have ended (spec 2.7, 2.8, 4.5 and 4.6)."""

from pydantic import Field

from portal.contract.methods import GET
from portal.contract.model import Model
from portal.contract.operation import Family, by_token
from portal.contract.paging import TokenPage, TokenQuery
from portal.contract.reading import Count
from portal.contract.times import Timestamp


class SessionInstance(Model):
    """One time that a meeting or webinar took place."""

    uuid: str = Field(title="UUID")
    start_time: Timestamp | None = Field(None, title="Start")


class MeetingInstances(Model):
    meetings: list[SessionInstance] = Field(title="Past instances")


class WebinarInstances(Model):
    webinars: list[SessionInstance] = Field(title="Past instances")


class PastMeeting(Model):
    """A meeting that has ended."""

    uuid: str = Field("", title="UUID")
    id: int | str | None = Field(None, title="Number")
    host_id: str | int = Field("", title="Host ID")
    type: int | None = Field(None, title="Type")
    topic: str = Field("", title="Topic")
    user_name: str = Field("", title="Host")
    user_email: str = Field("", title="Host's email")
    start_time: Timestamp | None = Field(None, title="Start")
    end_time: Timestamp | None = Field(None, title="End")
    duration: Count = Field(None, title="Duration", description="Minutes.")
    total_minutes: Count = Field(
        None, title="Total minutes", description="Of all participants together."
    )
    participants_count: Count = Field(None, title="Participants")


class PastParticipant(Model):
    id: str = Field("", title="Participant ID")
    name: str = Field("", title="Name")


class PastParticipantPage(TokenPage):
    participants: list[PastParticipant] = Field(title="Participants")


class PastMeetings(Family, name="past_meetings"):
    """Meetings that have ended."""

    instances = GET(
        "/past_meetings/{meetingId}/instances",
        "List the times a meeting was held",
        returns=MeetingInstances,
    )
    get = GET("/past_meetings/{meetingUUID}", "Read a past meeting", returns=PastMeeting)
    participants = GET(
        "/past_meetings/{meetingUUID}/participants",
        "List a past meeting's participants",
        query=TokenQuery,
        returns=PastParticipantPage,
        pages=by_token("participants", PastParticipant, "id", "name"),
    )


class PastWebinars(Family, name="past_webinars"):
    """Webinars that have ended."""

    instances = GET(
        "/past_webinars/{webinarId}/instances",
        "List the times a webinar was held",
        returns=WebinarInstances,
    )
