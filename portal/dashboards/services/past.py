"""Meetings and webinars that ended, as the service lists them by day (spec 4.7)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import methodcaller

from django.db.models import TextChoices
from django.utils.dateparse import parse_datetime

from portal.access.scope import Scope
from portal.contract.dashboards import ConferenceRoom, ImUse, SessionMetric
from portal.contract.model import fields
from portal.directory.colleagues import NOBODY, PeopleByEmail, mirrored_by_email
from portal.mirror.values import integer, moment, text
from portal.translation import gettext as _, gettext_lazy
from portal.ui.ranges import Range
from portal.ui.states import State

_CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})")
_LONGEST = timedelta(days=7)
FEATURES = {
    "has_video": (gettext_lazy("Video"), "video"),
    "has_screen_share": (gettext_lazy("Screen sharing"), "screen-share"),
    "has_recording": (gettext_lazy("Recording"), "circle-dot"),
    "has_voip": (gettext_lazy("Computer audio"), "headphones"),
    "has_pstn": (gettext_lazy("Telephone"), "phone"),
    "has_3rd_party_audio": (gettext_lazy("Third-party audio"), "phone-forwarded"),
    "has_sip": (gettext_lazy("H.323 or SIP device"), "monitor-speaker"),
}
IM_COUNTS = tuple(name for name, _ in fields(ImUse) if name.endswith(("_send", "_receive")))


@dataclass(frozen=True)
class DashboardSession:
    """A meeting or webinar as a dashboard reports it. `None` is what is not reported, or cannot be.

    `seconds` is how long it took; `features` are names of `FEATURES`. `person_id` and `department`
    are those of the host, if the mirror has them.
    """

    uuid: str
    number: str
    topic: str
    host: str
    email: str
    licence: str
    start: datetime | None
    end: datetime | None
    seconds: int | None
    participants: int | None
    features: tuple[str, ...]
    department: str = ""
    person_id: str = ""

    @classmethod
    def of(
        cls,
        metric: SessionMetric,
        start: datetime | None,
        end: datetime | None,
        person: PeopleByEmail = NOBODY,
    ) -> "DashboardSession":
        return cls(
            uuid=text(metric.uuid),
            number=text(metric.id),
            topic=text(metric.topic),
            host=text(metric.host),
            email=text(metric.email),
            licence=text(metric.user_type),
            start=start,
            end=end,
            seconds=seconds_of(text(metric.duration), start, end),
            participants=integer(metric.participants),
            features=tuple(name for name in FEATURES if getattr(metric, name) is True),
            department=person.department,
            person_id=person.id,
        )

    @property
    def name(self) -> str:
        """Returns the name of the session, whatever the service leaves out."""
        return self.topic or self.number or self.uuid or _("Without a topic")

    @property
    def key(self) -> str:
        return self.uuid or self.number


@dataclass(frozen=True)
class PastList:
    """Sessions of the viewer's days; `odd` is the number of sessions with a start on other days.

    Sessions of the same days of GMT that are not on one of the viewer's days are not odd.
    """

    sessions: list[DashboardSession]
    odd: int


def past_list(scope: Scope, metrics: Sequence[SessionMetric], chosen: Range) -> PastList:
    """Returns the service's list, cut to the viewer's days; a session without a start stays."""
    people = mirrored_by_email(scope, (text(one.email) for one in metrics))
    first, last = chosen.gmt_days
    sessions, odd = [], 0
    for metric in metrics:
        if scope.is_narrow and text(metric.email) not in people:
            continue  # the host left the scope since the list was read
        start = moment(metric.start_time)
        if start and not chosen.has(start):
            odd += not first <= start.date() <= last
            continue
        end = moment(metric.end_time)
        is_possible = start and end and start <= end <= start + _LONGEST
        person = people.get(text(metric.email), NOBODY)
        sessions.append(DashboardSession.of(metric, start, end if is_possible else None, person))
    return PastList(sessions, odd)


def seconds_of(duration: str, start: datetime | None, end: datetime | None) -> int | None:
    """Returns the seconds of "1:02:03" or "02:03"; else from start to end. `None` if impossible."""
    if match := _CLOCK.fullmatch(duration.strip()):
        hours, minutes, seconds = (int(digits or 0) for digits in match.groups())
        if minutes < 60 and seconds < 60:
            return hours * 3600 + minutes * 60 + seconds
    if start and end and start <= end <= start + _LONGEST:
        return int((end - start).total_seconds())
    return None


def total(values: Iterable[int | None]) -> int | None:
    """Returns the sum of the known values; `None` if there is none."""
    numbers = [value for value in values if value is not None]
    return sum(numbers) if numbers else None


@dataclass(frozen=True)
class PersonUse:
    """Messages that a person sent and received; `counts` are the reported ones of `IM_COUNTS`."""

    user_id: str
    name: str
    email: str
    counts: Mapping[str, int | None]
    department: str = ""
    person_id: str = ""

    def count(self, name: str) -> int | None:
        return self.counts[name]


COUNTS = {name: methodcaller("count", name) for name in IM_COUNTS}


def use_by_person(scope: Scope, records: Sequence[ImUse]) -> list[PersonUse]:
    """Returns each person once, with the sums of all windows."""
    people = mirrored_by_email(scope, (text(one.email) for one in records))
    by_person: dict[str, list[ImUse]] = {}
    for one in records:
        if scope.is_narrow and text(one.email) not in people:
            continue  # the host left the scope since the list was read
        by_person.setdefault(one.user_id or one.email or one.user_name, []).append(one)
    made = []
    for windows in by_person.values():
        last = windows[0]
        person = people.get(text(last.email), NOBODY)
        counts = {name: _sum(getattr(one, name) for one in windows) for name in IM_COUNTS}
        name, email = text(last.user_name), text(last.email)
        made.append(
            PersonUse(
                text(last.user_id), name or email, email, counts, person.department, person.id
            )
        )
    return made


def _sum(values: Iterable[int | None]) -> int | None:
    """Returns a sum; without one of its summands it would be too low, so it is unknown."""
    numbers = [integer(value) for value in values]
    return None if None in numbers else sum(value or 0 for value in numbers)


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


_STATE_BY_STATUS = {
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
    def tone(self) -> State:
        return _STATES[self.state]


def room_of(one: ConferenceRoom) -> Room:
    status = text(one.status)
    return Room(
        id=text(one.id),
        name=text(one.room_name) or text(one.email) or text(one.id) or _("Without a name"),
        status=status,
        state=_STATE_BY_STATUS.get(status.casefold().strip(), RoomState.OTHER),
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
    """Returns a time that the service writes as text; None for one of another century."""
    try:
        at = moment(parse_datetime(value))
    except (ValueError, OverflowError):
        return None
    return at if at and 1990 <= at.year < 3000 else None
