"""The reports of some days, each declared once: for its page, its files and its schedule."""

from portal.reports.definitions.base import Report
from portal.reports.definitions.days import Calls, DailyUse, PersonMeetings, Storage
from portal.reports.definitions.hosts import HostsReport, InactiveHosts

REPORTS: dict[str, Report] = {
    report.slug: report
    for report in (
        DailyUse(),
        HostsReport(),
        InactiveHosts(),
        PersonMeetings(),
        Calls(),
        Storage(),
    )
}

__all__ = ["REPORTS", "Report"]
