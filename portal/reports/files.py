"""Files of reports."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from django.utils import dateformat

from portal.access.mails import MailFigures, MailPart, MailTable
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.reports.definitions import Report
from portal.reports.filters import ReportFilter
from portal.reports.services.rows import figures, gaps, read_at
from portal.reports.tables import number
from portal.translation import gettext as _, ngettext
from portal.translation.stored import in_english
from portal.ui.exports import Export, ExportColumn, file_name

_FIRST = 5  # rows that a mail shows
ReportFor = tuple[Scope, str]  # the scope of its reader, and its subject
_IDS = ("id", "user_id", "uuid")


def export_of(
    connection: Connection,
    report: Report,
    filters: ReportFilter,
    about: tuple[str, str],
    *,
    what: str,
    columns: Sequence[ExportColumn],
    rows: Iterable[object],
    count: int,
) -> Export:
    """Returns the file of a report, called `Active hosts 2026-03-01 to 2026-11-24`. `about` are the
    id and the name of the person that it is about, if any."""
    chosen, (subject, person) = filters.range, about
    with in_english():
        by = f"{chosen.in_words}, {filters.in_words}"
    return Export(
        title=f"{report.title}: {person}" if person else str(report.title),
        name=file_name(str(report.title), person, chosen.in_name),
        what=what,
        columns=columns,
        rows=rows,
        count=count,
        by=by,
        narrowed=filters.in_words,
        days=chosen,
        read_at=read_at(connection, report.wanted(chosen, subject)),
    )


def in_short(
    export: Export, report: Report, filters: ReportFilter, who: ReportFor
) -> list[MailPart]:
    """Returns the summary of a report for a mail: its number of rows, its figures beside those of
    the days before, if these are loaded, and its first rows under their headings."""
    scope, subject = who
    words = ngettext(
        "%(title)s, %(days)s: %(count)s row.",
        "%(title)s, %(days)s: %(count)s rows.",
        export.count,
    )
    days = f"{filters.range.in_words} ({filters.range.zone_name})"
    line = words % {"title": export.title, "days": days, "count": number(export.count)}
    chosen, before = filters.range, filters.range.before
    totals = report.totals(scope, filters, chosen, subject)
    is_compared = not any(gaps(scope.connection, one) for one in report.wanted(before, subject))
    earlier = report.totals(scope, filters, before, subject) if is_compared else None
    own = [(one.label, one.text, one.trend) for one in figures(totals, earlier)]
    rows = report.rows(scope, filters, chosen, subject)[:_FIRST]
    columns = [one for one in export.columns if one.name not in _IDS]
    values = [[export.value(one, row) for one in columns] for row in rows]
    parts: list[MailPart] = [line]
    if own:
        parts.append(MailFigures(own))
    if values:
        parts.append(_table([export.heading(one) for one in columns], values))
    return parts


def _table(heads: list[str], values: list[list[object]]) -> MailTable:
    """Returns rows as a table, with bars of the last column of figures."""
    aligned = frozenset(
        at for at in range(len(heads)) if all(_is_number(row[at]) for row in values)
    )
    drawn = [float(str(row[max(aligned)])) for row in values] if aligned else []
    greatest = max(drawn, default=0)
    shares = [round(value * 100 / greatest) for value in drawn] if greatest > 0 else []
    return MailTable(heads, [[_cell(value) for value in row] for row in values], aligned, shares)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return dateformat.format(value, _("j M Y, H:i"))
    if isinstance(value, date):
        return dateformat.format(value, _("D j M Y"))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    return str("" if value is None else value)
