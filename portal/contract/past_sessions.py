"""Meetings and webinars that have ended (spec 2.7, 2.8, 4.5 and 4.6)."""

from pydantic import Field

from portal.contract.methods import GET
from portal.contract.model import Model
from portal.contract.operation import Family, by_token
from portal.contract.paging import TokenPage, TokenQuery
from portal.contract.times import Timestamp
from portal.contract.usage import EndedSession


class SessionInstance(Model):
    """One time that a meeting or webinar took place."""

    uuid: str = Field(title="UUID")
    start_time: Timestamp | None = Field(None, title="Start")


class MeetingInstances(Model):
    meetings: list[SessionInstance] = Field(title="Past instances")


class WebinarInstances(Model):
    webinars: list[SessionInstance] = Field(title="Past instances")


class PastMeeting(EndedSession):
    """A meeting that has ended."""

    host_id: str | int = Field("", title="Host ID")


class PastParticipant(Model):
    id: str = Field("", title="Participant ID")
    name: str = Field("", title="Name")

    @property
    def status(self) -> str:
        """Returns where a service of today has the participant: in the meeting, or waiting."""
        return str(self.undeclared("status") or "")


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
