"""Webinars and their panelists (spec 2.8, 4.4 and 4.6)."""

from typing import Self

from pydantic import Field, model_validator

from portal.contract.choices import NumberChoice
from portal.contract.inverse import Deletes, NoWayBack, PutsBack, Restores, TakesOut
from portal.contract.methods import DELETE, GET, PATCH, POST, PUT
from portal.contract.model import Model, off, unset
from portal.contract.operation import Effect, Family, by_number
from portal.contract.paging import NumberedPage, NumberedQuery
from portal.contract.problems import BrokenRule
from portal.contract.reading import Count
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
from portal.contract.types import EmailAddress
from portal.contract.words import gettext

_PANELISTS = PutsBack(
    "panelists.add",
    "panelists",
    listing="panelists.list",
    fields=("email", "name"),
    words="They get new links.",
)


class WebinarType(NumberChoice):
    WEBINAR = 5, "Once", "Takes place once, at a fixed time."
    RECURRING = 6, "Recurring without a fixed time", "Can be started again at any time."
    RECURRING_FIXED = 9, "Recurring at fixed times", "Takes place at the times of its recurrence."


class WebinarPage(NumberedPage):
    webinars: list[SessionSummary] = Field(title="Webinars")


class WebinarSettings(SessionSettings):
    panelists_video: bool | None = unset(
        "Panelists' video on", "Starts with the panelists' video on."
    )
    practice_session: bool = off(
        "Practice session", "Lets host and panelists prepare before attendees are let in."
    )
    hd_video: bool = off("HD video", "Sends video in high definition.")
    on_demand: bool = off("On demand", "Registrants can watch the recording afterwards.")
    allow_multiple_devices: bool | None = unset(
        "Several devices", "Lets attendees join from more than one device."
    )
    show_share_button: bool | None = unset(
        "Share buttons", "Shows social share buttons on the registration page."
    )


class WebinarSettingsUpdate(ConfirmationSetting, WebinarSettings):
    """Settings in a change of a webinar."""


class _WebinarPlan(SessionPlan):
    type: WebinarType | None = unset("Type", "When it takes place.")

    @model_validator(mode="after")
    def _recurs_if_it_has_a_recurrence(self) -> Self:
        if self.recurrence and self.type is WebinarType.WEBINAR:
            raise BrokenRule("recurrence", gettext("Only a recurring webinar has a recurrence."))
        return self


class NewWebinar(_WebinarPlan):
    """A webinar to create (spec: SessionWebinar)."""

    type: WebinarType = Field(WebinarType.WEBINAR, title="Type", description="When it takes place.")
    settings: WebinarSettings | None = unset("Settings", "How the webinar runs.")


class WebinarUpdate(_WebinarPlan):
    """Changes to a webinar (spec: SessionWebinarUpdate)."""

    settings: WebinarSettingsUpdate | None = unset("Settings", "How the webinar runs.")


class WebinarDetails(SessionDetails):
    """One webinar as the service reports it (spec: WebinarInfo with its ids)."""

    type: WebinarType = Field(WebinarType.WEBINAR, title="Type")
    settings: WebinarSettings | None = Field(None, title="Settings")


class Panelist(Model):
    """A speaker of a webinar."""

    email: EmailAddress = Field(title="Email", description="Where their own join link is sent.")
    name: str | None = unset("Name", "As attendees see it.")


class NewPanelists(Model):
    """Panelists to add (spec: WebinarPanelist)."""

    panelists: list[Panelist] = Field(
        max_length=30, title="Panelists", description="At most 30 at a time."
    )


class AddedPanelists(Model):
    id: str = Field("", title="Panelist ID")
    join_url: str = Field("", title="Join link")


class PanelistDetails(Model):
    """A panelist as lists contain them; the join link is theirs alone."""

    id: str = Field(title="Panelist ID")
    name: str = Field("", title="Name")
    email: str = Field("", title="Email")
    join_url: str = Field("", title="Join link")


class PanelistList(Model):
    panelists: list[PanelistDetails] = Field(title="Panelists")
    total_records: Count = Field(None, title="Panelists in all")


class Webinars(Family, name="webinars"):
    """Webinars of people on the account."""

    of_user = GET(
        "/users/{userId}/webinars",
        "List a person's webinars",
        query=NumberedQuery,
        returns=WebinarPage,
        pages=by_number("webinars", SessionSummary, *SESSION_KEY),
    )
    create = POST(
        "/users/{userId}/webinars",
        "Create a webinar",
        body=NewWebinar,
        returns=WebinarDetails,
        locates=True,
        inverse=Deletes("webinars.delete", "Its link stops working."),
    )
    get = GET("/webinars/{webinarId}", "Read a webinar", returns=WebinarDetails)
    update = PATCH(
        "/webinars/{webinarId}",
        "Change a webinar",
        body=WebinarUpdate,
        before=get,
        inverse=Restores(),
    )
    delete = DELETE(
        "/webinars/{webinarId}",
        "Delete a webinar",
        query=OccurrenceQuery,
        before=get,
        inverse=NoWayBack("A deleted webinar cannot be restored with its number."),
    )
    end = PUT(
        "/webinars/{webinarId}/status",
        "End a webinar",
        body=SessionStatusChange,
        effect=Effect.DESTRUCTIVE,
        before=get,
        inverse=NoWayBack("A webinar that was ended has to be started again by its host."),
    )


class Panelists(Family, name="panelists"):
    """Those who speak in webinars."""

    list = GET("/webinars/{webinarId}/panelists", "List panelists", returns=PanelistList)
    add = POST(
        "/webinars/{webinarId}/panelists",
        "Add panelists",
        body=NewPanelists,
        returns=AddedPanelists,
        before=list,
        inverse=TakesOut("panelists.remove", "panelists", listing="panelists.list"),
    )
    remove_all = DELETE(
        "/webinars/{webinarId}/panelists",
        "Remove all panelists",
        before=list,
        inverse=_PANELISTS,
    )
    remove = DELETE(
        "/webinars/{webinarId}/panelists/{panelistId}",
        "Remove a panelist",
        effect=Effect.WRITE,
        before=list,
        inverse=_PANELISTS,
    )
