"""Files of reports."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.text import slugify

from portal.reports.definitions import Report
from portal.reports.filters import ReportFilter
from portal.translation.stored import in_english
from portal.ui.exports import Export, ExportColumn, file_name


def export_of(
    report: Report,
    filters: ReportFilter,
    person: str,
    *,
    what: str,
    columns: Sequence[ExportColumn],
    rows: Iterable[Any],
    count: int,
) -> Export:
    """The file of a report, of one `person` if it is about one: it is called
    `active-hosts 2026-03-01 to 2026-11-24`."""
    chosen = filters.range
    with in_english():
        named = slugify(str(report.title))
        by = f"{chosen.in_words}, {filters.in_words}"
    return Export(
        title=f"{report.title}: {person}" if person else str(report.title),
        name=file_name(named, person, chosen.in_name),
        what=what,
        columns=columns,
        rows=rows,
        count=count,
        by=by,
        narrowed=filters.in_words,
        days=chosen,
    )
