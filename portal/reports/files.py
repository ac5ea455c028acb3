"""Files of reports."""

from collections.abc import Iterable, Sequence
from typing import Any

from portal.access.models import Connection
from portal.reports.definitions import Report
from portal.reports.filters import ReportFilter
from portal.reports.services.rows import read_at
from portal.translation.stored import in_english
from portal.ui.exports import Export, ExportColumn, file_name


def export_of(
    connection: Connection,
    report: Report,
    filters: ReportFilter,
    about: tuple[str, str],
    *,
    what: str,
    columns: Sequence[ExportColumn],
    rows: Iterable[Any],
    count: int,
) -> Export:
    """The file of a report, called `Active hosts 2026-03-01 to 2026-11-24`. `about` has the
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
