"""Fields that meetings and webinars have in common (spec 2.7 and 2.8)."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import Model, Sensitive, unset
from portal.contract.reading import Count
from portal.contract.recurrence import Recurrence
from portal.contract.times import SessionTime, Timestamp
from portal.contract.types import OccurrenceId, SessionPassword, TimeZone
from portal.contract.user_settings import AutoRecording
from portal.contract.words import pgettext_noop

# Together they identify an entry of a list: those that recur have one number for all times.
SESSION_KEY = ("id", "uuid", "start_time")


class ApprovalType(NumberChoice):
    AUTOMATIC = 0, "Automatic approval", "Registrants receive the join link immediately."
    MANUAL = 1, "Manual approval", "Registrants must be approved before they can join."
    NONE = 2, "No registration", "Anyone with the link can join."


class RegistrationType(NumberChoice):
    ONCE_FOR_ALL = 1, "Once, for all occurrences"
    FOR_EACH = 2, "For each occurrence"
    ONCE_FOR_CHOSEN = 3, "Once, for the occurrences they choose"


class SessionAudio(TextChoice):
    BOTH = "both", "Telephone and computer audio"
    TELEPHONY = "telephony", "Telephone only"
    VOIP = "voip", "Computer audio only"


class SessionAction(TextChoice):
    END = "end", pgettext_noop("verb", "End"), "Everyone who is in it is sent out."


class TrackingFieldValue(Model):
    field: str | None = unset("Tracking field", "Its name.")
    value: str | None = unset("Value", "What is filled in.")


class Occurrence(Model):
    """One time that a recurring meeting or webinar takes place."""

    occurrence_id: int | str = Field(title="Occurrence ID")
    start_time: Timestamp | None = Field(None, title="Start")
    duration: Count = Field(None, title="Duration", description="Minutes.")
    status: str = Field("", title="Status")

    @property
    def is_deleted(self) -> bool:
        """Returns whether it was deleted alone; some services go on listing those."""
        return self.status.casefold() == "deleted"


class SessionSummary(Model):
    """A meeting or a webinar in a list."""

    id: str | int = Field(title="Number")
    uuid: str = Field("", title="UUID")
    host_id: str = Field("", title="Host ID")
    topic: str = Field("", title="Topic")
    type: int | None = Field(None, title="Type")
    start_time: Timestamp | None = Field(None, title="Start")
    duration: Count = Field(None, title="Duration", description="Minutes.")
    timezone: str = Field("", title="Time zone")
    created_at: Timestamp | None = Field(None, title="Created")
    join_url: str = Field("", title="Join link")


class SessionDetails(Model):
    """One meeting or webinar as the service reports it."""

    id: str | int = Field(title="Number")
    uuid: str = Field("", title="UUID")
    host_id: str = Field("", title="Host ID")
    topic: str = Field("", title="Topic")
    agenda: str = Field("", title="Agenda")
    start_time: Timestamp | None = Field(None, title="Start")
    duration: Count = Field(None, title="Duration", description="Minutes.")
    timezone: str = Field("", title="Time zone")
    occurrences: list[Occurrence] = Field(default_factory=list, title="Occurrences")
    tracking_fields: list[TrackingFieldValue] = Field(default_factory=list, title="Tracking fields")
    created_at: Timestamp | None = Field(None, title="Created")
    join_url: str = Field("", title="Join link")
    start_url: Annotated[str, Sensitive()] = Field("", title="Start link")

    @property
    def remaining(self) -> list[Occurrence]:
        """Returns the occurrences that were not deleted."""
        return [one for one in self.occurrences if not one.is_deleted]

    @property
    def times(self) -> list[tuple[str, datetime, int | None]]:
        """Returns the id, start and minutes of each occurrence that was not deleted; those of a
        session without occurrences have no id."""
        if self.occurrences:
            dated = [(one, one.start_time) for one in self.remaining if one.start_time]
            return [(str(one.occurrence_id), start, one.duration) for one, start in dated]
        return [("", self.start_time, self.duration)] if self.start_time else []

    @property
    def starts(self) -> list[datetime]:
        return [start for _id, start, _minutes in self.times]


class SessionPlan(Model):
    """A plan of a meeting or a webinar; in a change, what is left out stays as it is. If a new one
    has no time zone, a local start is in that of its host."""

    topic: str | None = unset("Topic", "What invitations and lists call it.")
    agenda: str | None = unset("Agenda", "A description.")
    start_time: SessionTime | None = unset(
        "Start",
        "Local to its time zone, or in GMT. Only for those with a fixed time.",
    )
    duration: int | None = unset("Duration", "Minutes. Only for those with a fixed time.", ge=1)
    timezone: TimeZone | None = unset("Time zone", "The zone of the start, as in Europe/Berlin.")
    password: SessionPassword | None = unset(
        "Password", "At most 10 letters, digits and the characters @ - _ *"
    )
    recurrence: Recurrence | None = unset("Recurrence", "When it takes place again.")
    tracking_fields: list[TrackingFieldValue] | None = unset(
        "Tracking fields", "Fields defined by the account."
    )


class SessionSettings(Model):
    """Settings that meetings and webinars share."""

    host_video: bool | None = unset("Host video on", "Starts with the host's video on.")
    audio: SessionAudio = Field(
        SessionAudio.BOTH, title="Audio", description="How people can join the audio."
    )
    auto_recording: AutoRecording = Field(
        AutoRecording.NONE, title="Automatic recording", description="Where recordings are saved."
    )
    approval_type: ApprovalType = Field(
        ApprovalType.NONE, title="Registration", description="Whether registration is required."
    )
    registration_type: RegistrationType = Field(
        RegistrationType.ONCE_FOR_ALL,
        title="Registration for occurrences",
        description="Only for those that recur with a fixed time.",
    )
    close_registration: bool | None = unset(
        "Close registration", "Registration is closed after this date."
    )
    alternative_hosts: str | None = unset(
        "Alternative hosts", "Emails or user IDs, separated by commas."
    )
    enforce_login: bool | None = unset(
        "Sign-in required", "Only people who are signed in can join."
    )
    enforce_login_domains: str | None = unset(
        "Sign-in domains", "Only people signed in with these domains can join."
    )


class ConfirmationSetting(Model):
    """A setting that only a change of a meeting or a webinar can have."""

    registrants_confirmation_email: bool | None = unset(
        "Confirm registrations by email", "Registrants receive a confirmation email."
    )


class OccurrenceQuery(Model):
    occurrence_id: OccurrenceId | None = unset(
        "Occurrence", "Only this one of those that recur; all of them unless said."
    )


class SessionStatusChange(Model):
    action: SessionAction = Field(title="Action", description="What happens to it.")
