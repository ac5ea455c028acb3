"""What was read of reports, and the reports that are sent on a schedule."""

from portal.reports.models.kept import KeptReport, KeptRow, KeptWindow

__all__ = ["KeptReport", "KeptRow", "KeptWindow"]
