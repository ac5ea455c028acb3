"""Ranges of days: chosen by the viewer, requested in the service's days, cut to the viewer's.

A day is the viewer's day, from midnight to midnight in the viewer's zone; if the clocks change
it has 23 or 25 hours. The service counts in days of GMT (spec 1, rule 6).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, ClassVar

from django import forms
from django.db.models import TextChoices
from django.http import QueryDict
from django.utils import dateformat, timezone

from portal.config import clock
from portal.contract.paging import Days
from portal.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy
from portal.ui.filters import ListFilter

MOST_DAYS = 366
_EARLIEST, _LATEST = date(2000, 1, 1), date(2999, 12, 31)
_DAY = timedelta(days=1)
_INSTANT = timedelta(microseconds=1)


class Period(TextChoices):
    TODAY = "today", gettext_lazy("Today")
    YESTERDAY = "yesterday", gettext_lazy("Yesterday")
    LAST_7_DAYS = "7-days", gettext_lazy("Last 7 days")
    LAST_30_DAYS = "30-days", gettext_lazy("Last 30 days")
    THIS_MONTH = "this-month", gettext_lazy("This month")
    LAST_MONTH = "last-month", gettext_lazy("Last month")
    LAST_6_MONTHS = "6-months", gettext_lazy("Last 6 months")
    LAST_12_MONTHS = "12-months", gettext_lazy("Last 12 months")
    CUSTOM = "custom", gettext_lazy("Custom range")


USUAL_PERIODS = [
    (period.value, period.label)
    for period in Period
    if period not in (Period.LAST_6_MONTHS, Period.LAST_12_MONTHS)
]


@dataclass(frozen=True)
class Range:
    """Days from `first` to `last`, both included, in the viewer's zone."""

    first: date
    last: date
    zone: tzinfo

    @classmethod
    def of(cls, period: Period, now: datetime, zone: tzinfo) -> "Range":
        """Returns a period as it is now; a month that runs ends today. Not for `Period.CUSTOM`."""
        today = now.astimezone(zone).date()
        month = today.replace(day=1)
        before = month - _DAY
        first, last = {
            Period.TODAY: (today, today),
            Period.YESTERDAY: (today - _DAY, today - _DAY),
            Period.LAST_7_DAYS: (today - 6 * _DAY, today),
            Period.LAST_30_DAYS: (today - 29 * _DAY, today),
            Period.THIS_MONTH: (month, today),
            Period.LAST_MONTH: (before.replace(day=1), before),
            Period.LAST_6_MONTHS: (today - 181 * _DAY, today),
            Period.LAST_12_MONTHS: (today - 364 * _DAY, today),
        }[period]
        return cls(first, last, zone)

    @classmethod
    def between(cls, one: date, other: date, zone: tzinfo) -> "Range":
        """Returns the days between two, whichever comes first; of too many, the latest."""
        first, last = sorted((_bounded(one), _bounded(other)))
        return cls(max(first, last - (MOST_DAYS - 1) * _DAY), last, zone)

    @property
    def begin(self) -> datetime:
        """Returns the moment at which the first day begins."""
        return datetime.combine(self.first, time.min, self.zone).astimezone(UTC)

    @property
    def end(self) -> datetime:
        """Returns the moment at which the last day is over for good.

        If midnight comes twice, it is the second one only if clocks went back into the last day.
        """
        midnight = datetime.combine(self.last + _DAY, time.min, self.zone)
        first, second = (midnight.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
        is_back = second > first and self.has(second - _INSTANT)
        return second if is_back else first

    def has(self, moment: datetime) -> bool:
        """Returns whether a moment is on one of the days."""
        return self.first <= moment.astimezone(self.zone).date() <= self.last

    @property
    def gmt_days(self) -> tuple[date, date]:
        """Returns the first and the last day of GMT that are needed to cover all of these days."""
        return self.begin.date(), max(self.begin, self.end - _INSTANT).date()

    def windows(self) -> list[Days]:
        """Returns the days of GMT as they may be requested, a month at most at once; latest first.

        None is in two windows and none is left out, so that what is read joins without a seam.
        """
        return list(_months(*self.gmt_days))[::-1]

    def days(self) -> list[date]:
        """Returns each of the viewer's days."""
        return [self.first + number * _DAY for number in range((self.last - self.first).days + 1)]

    @property
    def in_name(self) -> str:
        """Returns the days as the names of files have them."""
        return _("%(first)s to %(last)s") % {"first": self.first, "last": self.last}

    @property
    def before(self) -> "Range":
        """Returns as many days just before these; of whole months, as many months."""
        after = self.last + _DAY
        if self.first.day == after.day == 1:
            months = (after.year - self.first.year) * 12 + after.month - self.first.month
            month = self.first.year * 12 + self.first.month - 1 - months
            first = date(month // 12, month % 12 + 1, 1)
        else:
            first = self.first - (after - self.first)
        return Range(first, self.first - _DAY, self.zone)

    @property
    def zone_name(self) -> str:
        return "GMT" if self.zone is UTC else str(self.zone)

    @property
    def in_words(self) -> str:
        """As in "16 to 22 November 2026"."""
        if self.first == self.last:
            return dateformat.format(self.first, _("j F Y"))
        alike = _("j F") if self.first.year == self.last.year else _("j F Y")
        if (self.first.year, self.first.month) == (self.last.year, self.last.month):
            alike = pgettext("day of a month", "j")
        return _("%(first)s to %(last)s") % {
            "first": dateformat.format(self.first, alike),
            "last": dateformat.format(self.last, _("j F Y")),
        }


def _bounded(day: date) -> date:
    return min(max(day, _EARLIEST), _LATEST)


def _months(first: date, last: date) -> Iterator[Days]:
    while first <= last:
        next_month = (first.replace(day=28) + 4 * _DAY).replace(day=1)
        end = min(last, next_month - _DAY)
        yield Days(**{"from": first, "to": end})
        first = end + _DAY


class RangeFilter(ListFilter):
    """A filter bar of what happened on some days: a period, or two days of one's own.

    With `in_gmt` the days are those of the service, for its sums of days, which cannot be cut.
    Its template includes `ui/range_fields.html` for them. No chip says the period, since
    `ui/range_results.html` always does.
    """

    usual: ClassVar[Period] = Period.LAST_7_DAYS
    in_gmt: ClassVar[bool] = False
    without_chip = frozenset({"period", "from_date", "to_date"})

    period = forms.ChoiceField(label=gettext_lazy("Period"), required=False, choices=USUAL_PERIODS)
    from_date = forms.DateField(
        label=pgettext_lazy("day", "From"),
        required=False,
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )
    to_date = forms.DateField(
        label=pgettext_lazy("day", "To"),
        required=False,
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
    )

    def __init__(self, data: QueryDict, *args: Any) -> None:
        # A bar that says nothing shows what holds.
        if data.get("period") not in Period.values:
            has_days = data.get("from_date") or data.get("to_date")
            data = data.copy()
            data["period"] = Period.CUSTOM.value if has_days else self.usual.value
        super().__init__(data, *args)

    @property
    def range(self) -> Range:
        """Returns the requested days; the usual ones if they are not complete."""
        zone = UTC if self.in_gmt else timezone.get_current_timezone()
        now = clock.now()
        period = Period(self.cleaned_data.get("period") or self.usual)
        if period is not Period.CUSTOM:
            return Range.of(period, now, zone)
        today = now.astimezone(zone).date()
        first: date | None = self.cleaned_data.get("from_date")
        last: date | None = self.cleaned_data.get("to_date")
        if first and last:
            return Range.between(first, last, zone)
        if first:
            return Range.between(first, max(first, today), zone)
        return Range.between(last, last, zone) if last else Range.of(self.usual, now, zone)

    @property
    def is_cut(self) -> bool:
        """Returns whether more days were asked for than are shown."""
        first, last = self.cleaned_data.get("from_date"), self.cleaned_data.get("to_date")
        is_custom = self.cleaned_data.get("period") == Period.CUSTOM
        return bool(is_custom and first and last and abs(last - first).days >= MOST_DAYS)

    @property
    def narrowing(self) -> dict[str, object]:
        """Days of one's own count only where the period says so."""
        result = super().narrowing
        if result.get("period") != Period.CUSTOM:
            result.pop("from_date", None)
            result.pop("to_date", None)
        return result
