"""Stored rows of a report, their age, and the gaps of a range."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from django.db.models import Min, Q, QuerySet

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.audit.wording import length
from portal.config import clock
from portal.mirror.searching import contains_words
from portal.reports.models import StoredReport, StoredRow, StoredWindow
from portal.reports.services import storing
from portal.reports.services.fetching import TOO_OLD, ReportWindow, within_reach
from portal.reports.services.sources import SourceKind
from portal.reports.windows import Span, missing
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.numbers import size_in_words
from portal.ui.ranges import Range

Unit = Literal["", "minutes", "GB", "money"]
NOT_READ = gettext_lazy("Not loaded.")


@dataclass(frozen=True)
class Total:
    """A total; None if it is unknown."""

    label: str
    value: float | None
    unit: Unit = ""


@dataclass(frozen=True)
class Figure:
    """A total as the page shows it, with its change from the period before if requested."""

    label: str
    text: str
    earlier: str = ""
    change: str = ""
    trend: str = ""

    @property
    def beside(self) -> str:
        """Returns the change in short: "▲ 25 %, before: 48"."""
        before = _("before: %(earlier)s") % {"earlier": self.earlier} if self.change else ""
        return ", ".join(filter(None, [self.trend, before]))


def figures(totals: Sequence[Total], before: Sequence[Total] | None = None) -> list[Figure]:
    """Returns totals in words, each beside its value in the period before."""
    values = {total.label: total.value for total in before or ()}
    made = []
    for total in totals:
        figure = Figure(total.label, shown(total.value, total.unit))
        if before is not None:
            earlier = values.get(total.label)
            figure = replace(
                figure,
                earlier=shown(earlier, total.unit),
                change=change_in_words(total, earlier),
                trend=trend_in_words(total.value, earlier),
            )
        made.append(figure)
    return made


def shown(value: float | None, unit: Unit) -> str:
    """Returns a number with its unit in words."""
    if value is None:
        return _("Unknown")
    if unit == "minutes":
        return length(round(value))
    if unit == "GB":
        return size_in_words(value * 1e9)
    return number(value, 2 if unit == "money" else 0)


def trend_in_words(value: float | None, before: float | None) -> str:
    """Returns "▲ 25 %" or the like; empty without a change in per cent."""
    percent = round((value / before - 1) * 100) if value is not None and before else 0
    return f"{'▲' if percent > 0 else '▼'} {number(abs(percent))} %" if percent else ""


def change_in_words(total: Total, before: float | None) -> str:
    """Returns "12 more (25 %)" or the like; an unknown number cannot be compared."""
    if total.value is None or before is None:
        return _("Cannot be compared")
    change = total.value - before
    if not change:
        return _("No change")
    words = _("%(amount)s more") if change > 0 else _("%(amount)s less")
    change_text = words % {"amount": shown(abs(change), total.unit)}
    if not before:
        return change_text
    percent = abs(change) * 100 / abs(before)
    if percent < 1:
        return _("%(change)s (under 1 %%)") % {"change": change_text}
    return f"{change_text} ({number(percent)} %)"


@dataclass(frozen=True)
class ReportGap:
    """Days that are missing, or incomplete; `reason` says why."""

    span: Span
    reason: str


def span_of(chosen: Range) -> Span:
    """Returns the days of GMT that cover the viewer's, without future days."""
    first, last = chosen.gmt_days
    return Span(first, max(first, min(last, clock.now().date())))


def rows_of(
    scope: Scope, wanted: ReportWindow, chosen: Range | None = None, search: str = ""
) -> QuerySet[StoredRow, StoredRow]:
    """Returns the rows of these days, cut to the viewer's days with `chosen`, without an order.

    They are all stored rows: a report narrows them to what the scope shows.
    """
    report = storing.stored(scope.connection, wanted.source, wanted.subject)
    windows = storing.windows_of(report, wanted.source, wanted.span)
    rows = StoredRow.objects.filter(window__in=windows.order_by().values("pk"))
    if wanted.source.kind is SourceKind.DAYS and wanted.span is not None:
        rows = rows.filter(day__range=(wanted.span.first, wanted.span.last))
    if chosen is not None:
        on_days = Q(moment__gte=chosen.begin, moment__lt=chosen.end) | Q(moment=None)
        rows = rows.filter(on_days)
    return rows.filter(contains_words("search", search))


def read_at(connection: Connection, wanted: Iterable[ReportWindow]) -> datetime | None:
    """Returns the time at which the oldest of these windows was read."""
    times = []
    for one in wanted:
        report = storing.stored(connection, one.source, one.subject)
        windows = storing.windows_of(report, one.source, one.span).filter(failure="")
        times.append(windows.aggregate(oldest=Min("read_at"))["oldest"])
    return min(filter(None, times), default=None)


def gaps(connection: Connection, wanted: ReportWindow) -> list[ReportGap]:
    """Returns days that could not be read, or were not read yet, the earliest first."""
    if wanted.span is None:
        return []
    report = storing.stored(connection, wanted.source, wanted.subject)
    return sorted(_gaps(report, wanted, wanted.span), key=lambda gap: gap.span)


def _gaps(report: StoredReport | None, wanted: ReportWindow, span: Span) -> Iterator[ReportGap]:
    now = clock.now()
    windows = list(storing.windows_of(report, wanted.source, span))
    read = [each for window in windows if not window.failure and (each := window.span)]
    begun = Span(span.first, min(span.last, now.date())) if span.first <= now.date() else None
    lack = missing(begun, read) if begun else []
    reach = within_reach(wanted.source, span, now)
    for each in lack:
        for days_lacking, is_reached in _by_reach(each, reach):
            yield ReportGap(days_lacking, _reason(days_lacking, windows) if is_reached else TOO_OLD)
    for window in windows:
        if (days := window.span) and window.is_short:
            words = _("The service reports %(reported)s rows, and listed %(listed)s.")
            counts = {"reported": number(window.reported or 0), "listed": number(window.listed)}
            yield ReportGap(days, words % counts)


def _by_reach(span: Span, reach: Span | None) -> Iterator[tuple[Span, bool]]:
    if reach is None or span.last < reach.first:
        yield span, False
        return
    inside = Span(max(span.first, reach.first), span.last)
    for before in missing(span, [inside]):
        yield before, False
    yield inside, True


def _reason(span: Span, windows: list[StoredWindow]) -> str:
    for window in windows:
        days = window.span
        if window.failure and days and days.first <= span.last and span.first <= days.last:
            return str(window.failure)
    return NOT_READ
