"""Files of reports."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from django.utils import dateformat

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.reports.definitions import Report
from portal.reports.filters import ReportFilter
from portal.reports.services.rows import figures, read_at
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


def in_short(export: Export, report: Report, filters: ReportFilter, who: ReportFor) -> list[str]:
    """Returns the summary of a report for a mail: its number of rows, its figures, and its first
    rows under their headings."""
    scope, subject = who
    words = ngettext(
        "%(title)s, %(days)s: %(count)s row.",
        "%(title)s, %(days)s: %(count)s rows.",
        export.count,
    )
    days = f"{filters.range.in_words} ({filters.range.zone_name})"
    lines = [words % {"title": export.title, "days": days, "count": number(export.count)}]
    totals = report.totals(scope, filters, filters.range, subject)
    lines.append("\n".join(f"{one.label}: {one.text}" for one in figures(totals)))
    rows = report.rows(scope, filters, filters.range, subject)[:_FIRST]
    columns = [one for one in export.columns if one.name not in _IDS]
    heads = [export.heading(one) for one in columns]
    cells = [[_cell(export.value(one, row)) for one in columns] for row in rows]
    return [*lines, *(["\n".join(map(" · ".join, [heads, *cells]))] if cells else [])]


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return dateformat.format(value, _("j M Y, H:i"))
    if isinstance(value, date):
        return dateformat.format(value, _("D j M Y"))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return number(value) if is_number else str("" if value is None else value)
