"""Webhooks: where the service reports what happens (spec 2.11, 4.3 and 6)."""

from typing import Annotated

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.inverse import Deletes, NoWayBack, Restores
from portal.contract.methods import DELETE, GET, PATCH, POST
from portal.contract.model import Model, Sensitive, unset
from portal.contract.operation import Family
from portal.contract.reading import Count
from portal.contract.times import Timestamp
from portal.contract.types import WebAddress

HookAddress = Annotated[WebAddress, Field(max_length=256)]
HookUser = Annotated[str, Field(max_length=128)]
HookPassword = Annotated[str, Sensitive(), Field(max_length=64)]


class WebhookEvent(TextChoice):
    MEETING_STARTED = "meeting_started", "Meeting started"
    MEETING_ENDED = "meeting_ended", "Meeting ended"
    MEETING_JBH = (
        "meeting_jbh",
        "Joined before host",
        "An attendee has joined before the host.",
    )
    MEETING_JOIN = (
        "meeting_join",
        "Attendee waiting",
        "An attendee waits, and the host has not launched the meeting.",
    )
    RECORDING_COMPLETED = (
        "recording_completed",
        "Recordings ready",
        "All cloud recordings of a meeting can be watched.",
    )
    PARTICIPANT_JOINED = "participant_joined", "Participant joined"
    PARTICIPANT_LEFT = "participant_left", "Participant left"
    MEETING_REGISTERED = (
        "meeting_registered",
        "Attendee registered",
        "Someone registered for a meeting or webinar.",
    )
    RECORDING_TRANSCRIPT_COMPLETED = (
        "recording_transcript_completed",
        "Transcript ready",
        "The audio transcript of a recording can be read.",
    )


# Those about a session of any kind: the service calls each of them a meeting here.
SESSION_EVENTS = frozenset(
    {
        WebhookEvent.MEETING_STARTED,
        WebhookEvent.MEETING_ENDED,
        WebhookEvent.MEETING_REGISTERED,
    }
)


class WebhookVersion(TextChoice):
    V1 = "v1", "Version 1"
    V2 = "v2", "Version 2", "The version that subscriptions with events belong to."


class WebhookUpdate(Model):
    """Changes to a subscription; what is left out stays as it is."""

    url: HookAddress | None = unset("Address", "Where notifications are sent.")
    auth_user: HookUser | None = unset(
        "User name", "The service signs in with it when it sends notifications."
    )
    auth_password: HookPassword | None = unset(
        "Password", "The service signs in with it when it sends notifications."
    )
    events: list[WebhookEvent] | None = unset("Events", "What is reported.")


class Webhook(WebhookUpdate):
    """A subscription to create; for version 2 webhooks only."""

    url: HookAddress = Field(title="Address", description="Where notifications are sent.")
    auth_user: HookUser = Field(
        title="User name",
        description="The service signs in with it when it sends notifications.",
    )
    auth_password: HookPassword = Field(
        title="Password",
        description="The service signs in with it when it sends notifications.",
    )
    events: list[WebhookEvent] = Field(title="Events", description="What is reported.")


class WebhookDetails(WebhookUpdate):
    """A subscription as the service reports it."""

    webhook_id: str = Field(title="Webhook ID")
    created_at: Timestamp | None = Field(None, title="Created")


class WebhookList(Model):
    webhooks: list[WebhookDetails] = Field(title="Webhooks")
    total_records: Count = Field(None, title="Webhooks in all")


class WebhookOptions(Model):
    version: WebhookVersion = Field(
        title="Version", description="Which kind of webhooks the whole account uses."
    )


class Webhooks(Family, name="webhooks"):
    """Subscriptions to events."""

    list = GET("/webhooks", "List webhooks", returns=WebhookList, errors=(404,))
    create = POST(
        "/webhooks",
        "Create a webhook",
        body=Webhook,
        returns=WebhookDetails,
        locates=True,
        errors=(404,),
        inverse=Deletes("webhooks.delete"),
    )
    get = GET("/webhooks/{webhookId}", "Read a webhook", returns=WebhookDetails)
    update = PATCH(
        "/webhooks/{webhookId}",
        "Change a webhook",
        body=WebhookUpdate,
        before=get,
        inverse=Restores(),
    )
    delete = DELETE(
        "/webhooks/{webhookId}",
        "Delete a webhook",
        before=get,
        inverse=NoWayBack("Its password is not recorded, and no webhook is without one."),
    )
    choose_version = PATCH(
        "/webhooks/options",
        "Choose the webhook version",
        body=WebhookOptions,
        errors=(404,),
        inverse=NoWayBack("The service does not report which version was used before."),
    )
