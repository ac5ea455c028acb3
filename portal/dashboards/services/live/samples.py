"""Figures of live sessions, minute by minute, for a day: the service itself reports only now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import TypeAdapter

from portal.access.models import Connection
from portal.config import cache, clock
from portal.dashboards.models import LiveSample
from portal.dashboards.services.live.picture import MEETINGS, WEBINARS, LiveList
from portal.mirror.values import integer

STORED_FOR = timedelta(days=1)
SHOWN = timedelta(hours=6)
_TOTALS = ("meetings", "webinars", "participants", "recordings", "shares")
_POINTS = 60  # of a small curve: more would not be seen


@dataclass(frozen=True)
class LiveTotals:
    """Sums over sessions; `None` if none of the values is known.

    `uncounted` sessions have no number of participants, so that there are more than that.
    """

    meetings: int | None
    webinars: int | None
    participants: int | None
    recordings: int | None
    shares: int | None
    uncounted: int = 0

    @property
    def sessions(self) -> int | None:
        return (
            None
            if self.meetings is None or self.webinars is None
            else (self.meetings + self.webinars)
        )


def totals(lists: Mapping[str, LiveList]) -> LiveTotals:
    """Returns the totals. Without a reading of a list, its count and the sums are unknown."""
    were_read = all(lists[name].read_at for name in (MEETINGS, WEBINARS))
    sessions = [one for each in lists.values() for one in each.sessions]
    return LiveTotals(
        meetings=_count(lists[MEETINGS]),
        webinars=_count(lists[WEBINARS]),
        participants=_sum([one.participants for one in sessions]) if were_read else None,
        recordings=_sum([one.recording for one in sessions]) if were_read else None,
        shares=_sum([one.sharing for one in sessions]) if were_read else None,
        uncounted=sum(one.participants is None for one in sessions),
    )


def store(connection_id: int, lists: Mapping[str, LiveList], at: datetime) -> None:
    """Stores the totals of this minute, if both lists were read just now."""
    if any(one.failure for one in lists.values()):
        return
    made = totals(lists)
    sample = LiveSample(
        connection_id=connection_id,
        minute=at.replace(second=0, microsecond=0),
        **{name: integer(getattr(made, name)) for name in _TOTALS},
    )
    LiveSample.objects.bulk_create(
        [sample],
        update_conflicts=True,
        unique_fields=["connection", "minute"],
        update_fields=list(_TOTALS),
    )


def since(connection: Connection, back: timedelta) -> list[LiveSample]:
    """Returns the samples of this time until now, in their order."""
    own = LiveSample.objects.filter(connection=connection, minute__gte=clock.now() - back)
    return list(own.order_by("minute"))


def sparks(connection: Connection) -> dict[str, list[int]]:
    """Returns the totals of the last hours by their names, thinned to what a small curve shows, and
    at the end the greatest of all.

    They are cached for a minute, for all viewers.
    """
    key = f"live-sparks:{connection.pk}:{clock.now():%H%M}"
    found: dict[str, list[int]] | None = cache.get(key)
    if found is None:
        taken = since(connection, SHOWN)
        counted = {name: [getattr(one, name) for one in taken] for name in _TOTALS}
        found = {
            name: [*thinned(counts), max(counts, default=0)]
            for name, own in counted.items()
            for counts in [[count for count in own if count is not None]]
        }
        cache.set(key, found, 120)
    return found


@dataclass(frozen=True)
class Day:
    """The participants of the last day, as a small curve, and the most of them with their time."""

    curve: Sequence[int] = ()
    most: int = 0
    at: datetime | None = None


_DAY = TypeAdapter(Day)


def last_day(connection: Connection, asked_at: datetime) -> Day:
    """Returns the day as it was when the service was last asked, which is when it is counted."""
    key = f"live-day:{connection.pk}:{asked_at.timestamp()}"
    stored = cache.get(key)
    if stored is not None:
        return _DAY.validate_python(stored)
    own = LiveSample.objects.filter(connection=connection).exclude(participants=None)
    lately = own.filter(minute__gte=clock.now() - STORED_FOR).order_by("minute")
    counted = list(lately.values_list("participants", "minute"))
    most, at = max(counted, key=lambda one: one[0] or 0, default=(0, None))
    day = Day(thinned([count or 0 for count, _minute in counted]), most or 0, at)
    cache.set(key, _DAY.dump_python(day, mode="json"), 300)
    return day


def thinned(values: Sequence[int]) -> list[int]:
    """Returns as many values as a small curve shows, with the last one."""
    step = max(len(values) // _POINTS, 1)
    return list(values[::-1][::step][::-1])


def prune() -> int:
    """Deletes samples of more than a day ago. Returns their number."""
    old = LiveSample.objects.filter(minute__lt=clock.now() - STORED_FOR)
    return old.delete()[0]


def _count(one: LiveList) -> int | None:
    return len(one.sessions) if one.read_at else None


def _sum(values: Sequence[int | bool | None]) -> int | None:
    numbers = [int(one) for one in values if one is not None]
    return sum(numbers) if numbers or not values else None
