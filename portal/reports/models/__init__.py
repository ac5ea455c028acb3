"""Stored reports, and the reports that are sent on a schedule."""

from portal.reports.models.kept import KeptReport, KeptRow, KeptWindow
from portal.reports.models.saved import FileKind, Frequency, ReportRun, RunState, SavedReport

__all__ = [
    "FileKind",
    "Frequency",
    "KeptReport",
    "KeptRow",
    "KeptWindow",
    "ReportRun",
    "RunState",
    "SavedReport",
]
