"""Starts: a wall time in a zone as the service understands it (spec 2.7).

A start with a trailing `Z` is GMT; without it, it is local to `timezone`. Clocks that change make
local times that do not exist, and others that come twice; the person is shown what a service makes
of these, and nothing is changed in silence.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import dateformat, timezone

from portal.config import clock
from portal.contract.types import time_zone_ids
from portal.translation import gettext as _
from portal.translation.phrases import phrase


@dataclass(frozen=True)
class Start:
    """A wall time that was typed, the zone it is local to, and the moment in GMT that it means."""

    typed: datetime
    zone: str
    moment: datetime

    @property
    def local(self) -> datetime:
        """The moment in its zone; another wall time than typed if that does not exist."""
        return self.moment.astimezone(ZoneInfo(self.zone))

    @property
    def is_missing(self) -> bool:
        """Returns whether clocks go forward over the typed time."""
        return self.local.replace(tzinfo=None) != self.typed

    @property
    def is_doubled(self) -> bool:
        """Returns whether clocks go back, so that the typed time comes twice."""
        zone = ZoneInfo(self.zone)
        first, second = (self.typed.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
        return not self.is_missing and first.utcoffset() != second.utcoffset()

    @property
    def remark(self) -> str:
        """Returns words on an odd time; empty for almost all of them."""
        clock, day = f"{self.typed:%H:%M}", dateformat.format(self.typed, _("j F Y"))
        if self.is_missing:
            return _(
                "%(clock)s does not exist on %(day)s in %(zone)s, because the clocks go forward. "
                "It starts at %(local)s."
            ) % {"clock": clock, "day": day, "zone": self.zone, "local": f"{self.local:%H:%M}"}
        if self.is_doubled:
            return _(
                "%(clock)s comes twice on %(day)s in %(zone)s, because the clocks go back. It "
                "starts at the first of them, in %(offset)s."
            ) % {"clock": clock, "day": day, "zone": self.zone, "offset": offset(self.local)}
        return ""


def start_of(typed: datetime, zone: str) -> Start:
    """Returns the start that was typed. `typed` is aware if it came in GMT; `zone` exists."""
    if typed.tzinfo is not None:
        moment = typed.astimezone(UTC)
        return Start(local_time(moment, zone), zone, moment)
    # A time that comes twice is the first of the two, one that does not exist is as much later.
    return Start(typed, zone, typed.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC))


def next_hour(zone: str) -> datetime:
    """Returns the next full hour on the clocks of a zone, at which a new session starts."""
    now = local_time(clock.now(), zone)
    return now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)


def local_time(moment: datetime, zone: str) -> datetime:
    """The wall time of a moment in a zone, without the zone."""
    return moment.astimezone(ZoneInfo(zone_or_utc(zone))).replace(tzinfo=None)


def zone_or_utc(zone: str) -> str:
    """The zone, or `UTC` for one that is not of the tz database."""
    return zone if zone in time_zone_ids() else "UTC"


def offset(moment: datetime) -> str:
    """`GMT+5:30` of an aware time."""
    minutes = int((moment.utcoffset() or timedelta()).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    if not minutes:
        return "GMT"
    return f"GMT{'-' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"


def in_words(moment: datetime, zone: str, minutes: int | None = None) -> str:
    """`Mon 7 Dec 2026, 09:00 to 10:00` in the zone; `minutes` is how long it takes."""
    local = moment.astimezone(ZoneInfo(zone_or_utc(zone)))
    begins = day_and_time(local)
    if not minutes:
        return begins
    end = (moment + timedelta(minutes=minutes)).astimezone(local.tzinfo)
    ends = "H:i" if end.date() == local.date() else _("D j M, H:i")
    return _("%(begins)s to %(ends)s") % {"begins": begins, "ends": dateformat.format(end, ends)}


@phrase
def listed_time(moment: datetime) -> str:
    """Returns `Mon 7 Dec, 09:00` in the viewer's zone, with the year if it is another one."""
    local, today = timezone.localtime(moment), timezone.localtime(clock.now())
    if local.year == today.year:
        return dateformat.format(local, _("D j M, H:i"))
    return day_and_time(local)


def day_and_time(local: datetime) -> str:
    """`Mon 7 Dec 2026, 09:00`, as its own clock shows it."""
    return dateformat.format(local, _("D j M Y, H:i"))
