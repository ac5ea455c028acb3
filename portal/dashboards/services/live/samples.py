"""Figures of live sessions, minute by minute, for a day: the service itself reports only now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.access.models import Connection
from portal.config import clock
from portal.dashboards.models import LiveSample
from portal.dashboards.services.live.picture import MEETINGS, WEBINARS, LiveList
from portal.mirror.values import integer

KEPT_FOR = timedelta(days=1)
SHOWN = timedelta(hours=6)
_TOTALS = ("meetings", "webinars", "participants", "recordings", "shares")


@dataclass(frozen=True)
class LiveTotals:
    """Sums over sessions; `None` where not a single one of them is known.

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
    """Counts what was read; a list that was never read leaves its count and the sums unknown."""
    known = all(lists[name].read_at for name in (MEETINGS, WEBINARS))
    sessions = [one for each in lists.values() for one in each.sessions]
    return LiveTotals(
        meetings=_count(lists[MEETINGS]),
        webinars=_count(lists[WEBINARS]),
        participants=_sum([one.participants for one in sessions]) if known else None,
        recordings=_sum([one.recording for one in sessions]) if known else None,
        shares=_sum([one.sharing for one in sessions]) if known else None,
        uncounted=sum(one.participants is None for one in sessions),
    )


def store(connection_id: int, lists: Mapping[str, LiveList], at: datetime) -> None:
    """Notes the totals of this minute, if they were read whole just now."""
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


@dataclass(frozen=True)
class Curve:
    """Samples in the order of time; `since` is when the first of those kept was taken."""

    samples: Sequence[LiveSample]
    since: datetime | None


def curve(connection: Connection, back: timedelta = SHOWN) -> Curve:
    own = LiveSample.objects.filter(connection=connection).order_by("minute")
    first = own.values_list("minute", flat=True).first()
    return Curve(list(own.filter(minute__gte=clock.now() - back)), first)


def prune() -> int:
    """Forgets samples of more than a day ago. Returns how many."""
    old = LiveSample.objects.filter(minute__lt=clock.now() - KEPT_FOR)
    return old.delete()[0]


def _count(one: LiveList) -> int | None:
    return len(one.sessions) if one.read_at else None


def _sum(values: Sequence[int | bool | None]) -> int | None:
    known = [int(one) for one in values if one is not None]
    return sum(known) if known or not values else None
