"""Conference rooms, with what they are doing (spec 4.7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import TextChoices
from django.utils.dateparse import parse_datetime

from portal.contract.dashboards import ConferenceRoom
from portal.mirror.values import moment, text
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.states import State


class RoomState(TextChoices):
    """The statuses in the order in which they need attention."""

    OFFLINE = "offline", gettext_lazy("Offline")
    OTHER = "other", gettext_lazy("Other")
    IN_MEETING = "in-meeting", gettext_lazy("In a meeting")
    AVAILABLE = "available", gettext_lazy("Available")


_ORDER = list(RoomState)
_STATES: dict[RoomState, State] = {
    RoomState.OFFLINE: "bad",
    RoomState.OTHER: "warning",
    RoomState.IN_MEETING: "running",
    RoomState.AVAILABLE: "good",
}
_KNOWN = {
    "offline": RoomState.OFFLINE,
    "in meeting": RoomState.IN_MEETING,  # untranslated: as the service writes it
    "available": RoomState.AVAILABLE,
}


@dataclass(frozen=True)
class Room:
    """A room with its equipment; `status` is in the service's own words."""

    id: str
    name: str
    status: str
    state: RoomState
    last_started: datetime | None
    email: str
    calendar: str
    address: str
    camera: str
    microphone: str
    speaker: str
    account_type: str

    @property
    def state_order(self) -> int:
        return _ORDER.index(self.state)

    @property
    def status_words(self) -> str:
        is_other = self.state is RoomState.OTHER
        return (self.status or _("Unknown")) if is_other else self.state.label

    @property
    def look(self) -> State:
        return _STATES[self.state]


def room_of(one: ConferenceRoom) -> Room:
    """A room as the service reports it."""
    status = text(one.status)
    return Room(
        id=text(one.id),
        name=text(one.room_name) or text(one.email) or text(one.id) or _("Without a name"),
        status=status,
        state=_KNOWN.get(status.casefold().strip(), RoomState.OTHER),
        last_started=_moment(one.last_start_time),
        email=text(one.email),
        calendar=text(one.calender_name),
        address=text(one.device_ip),
        camera=text(one.camera),
        microphone=text(one.microphone),
        speaker=text(one.speaker),
        account_type=text(one.account_type),
    )


def offline(rooms: Iterable[Room]) -> int:
    return sum(room.state is RoomState.OFFLINE for room in rooms)


def _moment(value: str) -> datetime | None:
    """A time that the service writes as text; one of another century is none."""
    try:
        found = moment(parse_datetime(value))
    except (ValueError, OverflowError):
        return None
    return found if found and 1990 <= found.year < 3000 else None
