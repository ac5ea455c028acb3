"""Timeline of a session: a lane for each person, with their stays and shares.

Places and widths are per cent of the whole time, as attributes of SVG take them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.dateformat import format as formatted
from django.utils.dateparse import parse_datetime
from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.client import Api
from portal.config import clock
from portal.contract.dashboards import SharedContent, SharingParticipant
from portal.dashboards.services.session.people import SessionStay, called, grouped
from portal.dashboards.services.session.readings import Place, StoredReading, cached
from portal.mirror.values import moment, text
from portal.translation import gettext as _

_PAGE = 300
_LONGEST = timedelta(days=7)
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440)  # minutes between two ticks
_MOST_TICKS = 7
_LEAST = 0.4  # per cent, so that a short stay is seen


@dataclass(frozen=True)
class ParticipantShare:
    """A share of the screen; `raw_start` and `raw_end` are the texts of the service."""

    id: str
    user_id: str
    name: str
    content: str
    start: datetime | None
    end: datetime | None
    raw_start: str
    raw_end: str

    @property
    def lasts(self) -> bool:
        return self.start is not None and not self.raw_end


_SHARES = TypeAdapter(list[ParticipantShare])


def shares(api: Api, connection: Connection, place: Place) -> StoredReading[list[ParticipantShare]]:
    """Returns the shares of a session in the order of time. Raises `ApiError`."""

    def read() -> list[ParticipantShare]:
        call = place.call(place.board.sharing, page_size=_PAGE)
        listed = [one for page in api.caller.pages(call) for one in page.participants]
        made = [_share(one, each) for one in listed for each in one.details]
        return sorted(made, key=lambda one: (one.start is None, str(one.start), one.name))

    return cached(connection, place, "sharing", _SHARES, read)


def _share(one: SharingParticipant, shared: SharedContent) -> ParticipantShare:
    raw_start, raw_end = text(shared.start_time, 40).strip(), text(shared.end_time, 40).strip()
    start, end = read_moment(raw_start), read_moment(raw_end)
    return ParticipantShare(
        id=text(one.id),
        user_id=text(one.user_id),
        name=text(one.user_name),
        content=text(shared.content),
        start=start,
        end=None if start and end and end < start else end,
        raw_start=raw_start,
        raw_end=raw_end,
    )


def read_moment(words: str) -> datetime | None:
    """Returns a moment that the service writes as text; `None` for an impossible one."""
    try:
        at = moment(parse_datetime(words))
    except (ValueError, OverflowError):
        return None
    return at if at and at.year >= 2000 and at <= clock.now() else None


@dataclass(frozen=True)
class TimelineBar:
    """A bar of a lane with its title; one that `lasts` has not ended."""

    at: str
    width: str
    title: str
    lasts: bool


@dataclass(frozen=True)
class Lane:
    """The stays and shares of one person. `says` is all of it in words."""

    name: str
    stays: list[TimelineBar]
    shares: list[TimelineBar]
    says: str
    untimed: int


@dataclass(frozen=True)
class Tick:
    at: str
    text: str


@dataclass(frozen=True)
class Timeline:
    """The lanes of a session; `start` and `end` are unset if no time is known."""

    lanes: list[Lane]
    ticks: list[Tick]
    start: datetime | None = None
    end: datetime | None = None


def timeline(
    stays: Sequence[SessionStay],
    shares: Iterable[ParticipantShare],
    start: datetime | None,
    end: datetime | None,
) -> Timeline:
    """Returns lanes of these people; `end` is now for a session that runs."""
    beginnings = [one.joined for one in stays if one.joined] + ([start] if start else [])
    last = max(
        [*[one.ended for one in stays if one.ended], *beginnings, *([end] if end else [])],
        default=None,
    )
    if last is None:
        return Timeline([_lane(group, [], None) for group in grouped(stays)], [])
    first = min((at for at in beginnings if at >= last - _LONGEST), default=last)
    span = _Span(first, max(last, first + timedelta(minutes=1)))
    own: dict[str, list[ParticipantShare]] = {}
    for share in shares:
        for name in {share.id, share.user_id} - {""}:
            own.setdefault(name, []).append(share)
    lanes = []
    for group in grouped(stays):
        names = {name for one in group for name in (one.id, one.user_id) if name}
        of_group = {id(share): share for name in names for share in own.get(name, ())}
        lanes.append(_lane(group, list(of_group.values()), span))
    return Timeline(lanes, list(span.ticks()), span.start, span.end)


@dataclass(frozen=True)
class _Span:
    start: datetime
    end: datetime

    def place(self, at: datetime) -> float:
        share = (at - self.start) / (self.end - self.start)
        return min(100.0, max(0.0, share * 100))

    def bar(self, start: datetime, end: datetime | None, title: str) -> TimelineBar:
        at = min(self.place(start), 100 - _LEAST)
        width = max(self.place(end or self.end) - at, _LEAST)
        return TimelineBar(_percent(at), _percent(width), title, end is None)

    def ticks(self) -> Iterator[Tick]:
        minutes = (self.end - self.start) / timedelta(minutes=1)
        step = next((one for one in _STEPS if minutes / one <= _MOST_TICKS), _STEPS[-1])
        local = timezone.localtime(self.start)
        # From the hour, or the day, of the viewer's clock.
        hour = 0 if step > 60 else local.hour
        at = local.replace(hour=hour, minute=0, second=0, microsecond=0)
        every = timedelta(minutes=step)
        moment = at.astimezone(timezone.get_fixed_timezone(0))
        while moment <= self.end:
            if moment >= self.start:
                shape = _("j M") if step >= 1440 else "H:i"
                text = formatted(timezone.localtime(moment), shape)
                yield Tick(_percent(self.place(moment)), text)
            moment += every


def _lane(
    group: Sequence[SessionStay], shares: Sequence[ParticipantShare], span: _Span | None
) -> Lane:
    stays, shown, sentences = [], [], []
    for one in group:
        words = in_words(one)
        sentences.append(words)
        if span and one.joined and one.joined >= span.start:
            stays.append(span.bar(one.joined, one.ended, words))
    for share in shares:
        words = _shared_in_words(share)
        sentences.append(words)
        if span and share.start and share.start >= span.start:
            shown.append(span.bar(share.start, share.end or _end_of(group), words))
    untimed = sum(one.joined is None for one in group)
    return Lane(called(group[0].name), stays, shown, "; ".join(sentences), untimed)


def _end_of(group: Sequence[SessionStay]) -> datetime | None:
    """Returns the end of a person's stays, at which a share without an end ends; None if one
    lasts."""
    ends = [one.ended for one in group]
    return None if None in ends else max((at for at in ends if at), default=None)


def in_words(one: SessionStay) -> str:
    if one.joined is None:
        return _("In it at an unknown time")
    if one.left:
        return _("%(first)s to %(last)s") % {
            "first": clock_time(one.joined),
            "last": clock_time(one.left),
        }
    if one.gone_by:
        times = {"first": clock_time(one.joined), "last": clock_time(one.gone_by)}
        return _("%(first)s to about %(last)s") % times
    return _("Since %(time)s") % {"time": clock_time(one.joined)}


def _shared_in_words(share: ParticipantShare) -> str:
    values = {"what": share.content or _("something")}
    if share.start is None:
        return _("Shared %(what)s at an unknown time") % values
    values["first"] = clock_time(share.start)
    if share.end:
        return _("Shared %(what)s %(first)s to %(last)s") % {
            **values,
            "last": clock_time(share.end),
        }
    return _("Shared %(what)s since %(first)s") % values


def clock_time(at: datetime) -> str:
    return formatted(timezone.localtime(at), "H:i:s")


def _percent(value: float) -> str:
    return f"{value:.2f}%"
