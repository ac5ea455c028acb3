"""Streaming a meeting to an outside video service (spec 2.7)."""

from typing import Annotated

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.fields import unset
from portal.contract.model import Model, Sensitive
from portal.contract.words import pgettext_noop


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
