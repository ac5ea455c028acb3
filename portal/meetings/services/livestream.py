"""Streaming a meeting to an outside video service.

The interface takes where a meeting is streamed and whether it is, and reports neither. What is
known is what was last sent through this portal, which the audit trail has without the stream's key.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.access.audit import entries_for
from portal.access.models import AuditEntry, Outcome
from portal.access.scope import Scope
from portal.client import Api
from portal.contract.meetings import (
    LiveStreamAction,
    LiveStreamDisplay,
    MeetingLiveStreamStatus,
    Meetings,
)


@dataclass(frozen=True)
class LastSent:
    """Last write through this portal, with its author and time."""

    sent: dict[str, Any]
    email: str
    time: datetime


@dataclass(frozen=True)
class Stream:
    """A meeting's stream as far as it is known here; either part is `None` if nothing was sent."""

    place: LastSent | None
    status: LastSent | None

    @property
    def is_started(self) -> bool | None:
        """Returns whether it was last started or stopped from here; `None` if neither."""
        if self.status is None:
            return None
        return bool(self.status.sent.get("action") == LiveStreamAction.START)

    @property
    def address(self) -> str:
        return str(self.place.sent.get("stream_url", "")) if self.place else ""

    @property
    def page(self) -> str:
        return str(self.place.sent.get("page_url", "")) if self.place else ""

    @property
    def display(self) -> dict[str, Any]:
        """Returns the display of the stream at its last start."""
        return dict(self.status.sent.get("settings") or {}) if self.status else {}


def known(scope: Scope, meeting_id: str) -> Stream:
    """Returns a meeting's stream as far as the audit trail has it."""
    entries: Any = entries_for(scope, Meetings.name, meeting_id)
    entries = entries.filter(result=Outcome.DONE)
    return Stream(
        _last(entries, Meetings.update_livestream.name),
        _last(entries, Meetings.change_livestream_status.name),
    )


def _last(entries: Any, operation: str) -> LastSent | None:
    entry: AuditEntry | None = entries.filter(operation=operation).order_by("-sequence").first()
    return LastSent(entry.sent or {}, entry.email, entry.time) if entry else None


def start(api: Api, meeting_id: str, display: LiveStreamDisplay | None) -> None:
    """Starts the stream, with what it is to show. Raises `ApiError`."""
    change = MeetingLiveStreamStatus(action=LiveStreamAction.START)
    if display is not None:
        change = MeetingLiveStreamStatus(action=LiveStreamAction.START, settings=display)
    api.meetings.change_livestream_status(meeting_id, change)
