"""Rows of reports (spec 2.10 and 4.8)."""

from datetime import timedelta

from pydantic import Field, model_validator

from portal.contract.choices import TextChoice
from portal.contract.model import Model, unset
from portal.contract.paging import Days, NumberedDaysQuery, NumberedPage, ReportedDays, TokenPage
from portal.contract.problems import BrokenRule
from portal.contract.reading import Count
from portal.contract.sessions import TrackingFieldValue
from portal.contract.times import CalendarDate, Timestamp
from portal.contract.words import gettext

LONGEST_STORAGE_REPORT = timedelta(days=30)


class StorageQuery(Days):
    """At most 30 days apart, and within the recent 6 months."""

    @model_validator(mode="after")
    def _is_short_enough(self) -> "StorageQuery":
        if self.to - self.from_ > LONGEST_STORAGE_REPORT:
            raise BrokenRule("to", gettext("The days are at most 30 days apart."))
        return self


class StorageOnDay(Model):
    date: Timestamp | None = Field(None, title="Day")
    usage: str = Field("", title="Used")
    free_usage: str = Field("", title="Free storage")
    plan_usage: str = Field("", title="Storage of the plan")


class StorageReport(ReportedDays):
    cloud_recording_storage: list[StorageOnDay] = Field(title="Days")


class MonthQuery(Model):
    """One month of the recent 6; the present one by default."""

    year: int | None = unset("Year", "The present one unless said.", ge=1970, le=9999)
    month: int | None = unset("Month", "From 1 to 12; the present one unless said.", ge=1, le=12)


class UseOnDay(Model):
    date: CalendarDate | None = Field(None, title="Day")
    new_users: Count = Field(None, title="New people")
    meetings: Count = Field(None, title="Meetings")
    participants: Count = Field(None, title="Participants")
    meeting_minutes: Count = Field(None, title="Meeting minutes")


class DailyReport(Model):
    year: int | None = Field(None, title="Year")
    month: int | None = Field(None, title="Month")
    dates: list[UseOnDay] = Field(title="Days")


class EndedSession(Model):
    """A meeting or webinar that has ended (spec: ended-meeting item)."""

    uuid: str = Field("", title="UUID")
    id: int | str | None = Field(None, title="Number")
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


class SessionReport(EndedSession):
    """An ended session with its tracking fields (spec: meeting and webinar detail report)."""

    tracking_fields: list[TrackingFieldValue] = Field(default_factory=list, title="Tracking fields")


class EndedSessionPage(TokenPage, ReportedDays):
    meetings: list[EndedSession] = Field(title="Meetings")


class Attendance(Model):
    """A participant's time in a meeting or webinar."""

    id: str = Field("", title="Participant ID")
    user_id: str = Field("", title="User ID")
    name: str = Field("", title="Name")
    user_email: str = Field("", title="Email")
    join_time: Timestamp | None = Field(None, title="Joined")
    leave_time: Timestamp | None = Field(None, title="Left")
    duration: Count = Field(None, title="Duration", description="Seconds.")
    attentiveness_score: int | str | None = Field(
        None, title="Attentiveness", description="A number for meetings, text for webinars."
    )

    @property
    def status(self) -> str:
        """Returns where a service of today has the participant: in the meeting, or waiting."""
        return str(self.undeclared("status") or "")


class AttendancePage(TokenPage):
    participants: list[Attendance] = Field(title="Participants")


class GivenAnswer(Model):
    question: str = Field("", title="Question")
    answer: str = Field("", title="Answer")


class AnswersOfParticipant(Model):
    name: str = Field("", title="Name")
    email: str = Field("", title="Email")
    question_details: list[GivenAnswer] = Field(default_factory=list, title="Answers")


class AnswersReport(Model):
    """Answers or questions of participants (spec: polls and Q&A reports)."""

    id: int | str | None = Field(None, title="Number")
    uuid: str = Field("", title="UUID")
    start_time: Timestamp | None = Field(None, title="Start")
    questions: list[AnswersOfParticipant] = Field(default_factory=list, title="Participants")


class TelephoneUse(TextChoice):
    TOLL_FREE = "1", "Toll-free call-in and call-out"


class TelephoneQuery(NumberedDaysQuery):
    type: TelephoneUse = Field(
        TelephoneUse.TOLL_FREE, title="Which calls", description="The kind of calls to list."
    )


class TelephoneCall(Model):
    meeting_id: int | str | None = Field(None, title="Meeting")
    meeting_type: str = Field("", title="Meeting type")
    host_name: str = Field("", title="Host")
    host_email: str = Field("", title="Host's email")
    dept: str = Field("", title="Department")
    phone_number: str = Field("", title="Telephone number")
    call_in_number: str = Field("", title="Called number")
    country_name: str = Field("", title="Country")
    start_time: Timestamp | None = Field(None, title="Start")
    end_time: Timestamp | None = Field(None, title="End")
    duration: Count = Field(None, title="Duration", description="Minutes.")
    total: float | None = Field(None, title="Charge")


class TelephonePage(NumberedPage, ReportedDays):
    telephony_usage: list[TelephoneCall] = Field(title="Calls")


class HostActivity(TextChoice):
    ACTIVE = "active", "Active hosts", "Those who hosted a meeting on these days."
    INACTIVE = "inactive", "Inactive hosts", "Those who hosted none."


class HostsQuery(NumberedDaysQuery):
    type: HostActivity | None = unset("Which people", "Active hosts unless said.")


class HostUse(Model):
    id: str = Field("", title="User ID")
    user_name: str = Field("", title="Name")
    email: str = Field("", title="Email")
    dept: str = Field("", title="Department")
    type: int | None = Field(None, title="Licence")
    meetings: Count = Field(None, title="Meetings")
    participants: Count = Field(None, title="Participants")
    meeting_minutes: Count = Field(None, title="Meeting minutes")


class HostsPage(NumberedPage, ReportedDays):
    total_meetings: Count = Field(None, title="Meetings in all")
    total_participants: Count = Field(None, title="Participants in all")
    total_meeting_minutes: Count = Field(None, title="Meeting minutes in all")
    users: list[HostUse] = Field(title="People")
