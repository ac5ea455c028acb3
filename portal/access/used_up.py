"""Limits of a service that are used up, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from portal.access.host_days import HostDays
from portal.access.lengths import moment_in_words
from portal.access.models import Connection
from portal.access.rate_limits import closures_of
from portal.config import clock
from portal.contract.operation import Weight
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number

_WORTH_SAYING = 0.5  # of what may be asked in a day
_NEARLY = 0.9
_CLASSES = {
    Weight.LIGHT: gettext_lazy("Single objects"),
    Weight.MEDIUM: gettext_lazy("Lists and changes"),
    Weight.HEAVY: gettext_lazy("Reports"),
    Weight.SCARCE: gettext_lazy("Dashboards"),
}


@dataclass(frozen=True)
class UsedUp:
    """A limit of which little or nothing is left; `is_over` where nothing is."""

    words: str
    why: str = ""
    is_over: bool = True

    @property
    def tone(self) -> Literal["warning", "neutral"]:
        return "warning" if self.is_over else "neutral"


def of_classes(connection: Connection) -> list[UsedUp]:
    """Returns the classes that are closed, and what was asked of a day's limit where it is much."""
    return [*_closed(closures_of(connection).all_closed()), *_days(connection)]


def of_hosts(connection: Connection) -> list[UsedUp]:
    """Returns that hosts are used up, without their names: not everybody sees all people."""
    closed = HostDays(connection).closed()
    if not closed:
        return []
    # Some are known by their ID and by their email.
    emails = sum("@" in one.host for one in closed)
    count = max(emails, len(closed) - emails)
    until = in_zone(max(one.until for one in closed))
    words = ngettext(
        "Scheduling for %(count)s host is used up until %(until)s",
        "Scheduling for %(count)s hosts is used up until %(until)s",
        count,
    )
    return [UsedUp(words % {"count": number(count), "until": until})]


def now_over(connection: Connection) -> list[UsedUp]:
    """Returns what nothing is left of, for the bar on top."""
    return [one for one in (*of_classes(connection), *of_hosts(connection)) if one.is_over]


def in_zone(moment: datetime) -> str:
    """A time of today as limits have it; of another day with the day."""
    return moment_in_words(moment, is_near=moment - clock.now() <= timedelta(days=1))


def _closed(over: dict[Weight, tuple[float, str]]) -> Iterator[UsedUp]:
    for weight, (seconds, words) in over.items():
        until = in_zone(clock.now() + timedelta(seconds=seconds))
        said = _("%(kind)s: used up until %(until)s") % {"kind": _CLASSES[weight], "until": until}
        yield UsedUp(said, words)


def _days(connection: Connection) -> Iterator[UsedUp]:
    for day in closures_of(connection).days():
        if day.used < _WORTH_SAYING * day.limit:
            continue
        kinds = ", ".join(str(_CLASSES[weight]) for weight in day.weights)
        words = _("%(used)s of %(limit)s requests of today's limit, new at 00:00 UTC") % {
            "used": number(min(day.used, day.limit)),
            "limit": number(day.limit),
        }
        yield UsedUp(words, kinds, is_over=day.used >= _NEARLY * day.limit)
