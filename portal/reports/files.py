"""Files of reports: what they are called, and how a workbook of one looks."""

from django.utils.text import slugify

from portal.reports.definitions import Report
from portal.translation.stored import in_english
from portal.ui.exports import Layout, file_name
from portal.ui.ranges import Range


def file_of(report: Report, chosen: Range, person: str = "") -> str:
    """Returns the name of a file: `active-hosts 2026-03-01 to 2026-11-24`."""
    with in_english():
        title = slugify(str(report.title))
    days = f"{chosen.first} to {chosen.last}"  # untranslated: as files are called
    return file_name(title, person, days)


def layout_of(report: Report, chosen: Range) -> Layout:
    return Layout(str(report.title), chosen.zone, chosen.zone_name)
