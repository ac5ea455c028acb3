"""What was done to one object through the portal, as a tab of its page shows it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator

from portal.access.audit import entries_for
from portal.access.audit.changes import Line
from portal.access.models import AuditEntry, Connection
from portal.jobs.models import Job

TEMPLATE = "jobs/object_history.html"
PAGE_SIZE = 25


@dataclass(frozen=True)
class HistoryLine(Line):
    """An entry of the audit trail, and the job that made the change, if one did."""

    job: Job | None = None


def history_of(
    connection: Connection, family: str, object_id: str, page: str | None
) -> dict[str, Any]:
    """The context of `TEMPLATE`: one page of what was done to the object, newest first."""
    entries = entries_for(connection, family, object_id)
    shown = Paginator(entries, PAGE_SIZE).get_page(page)
    return {"page": shown, "lines": _lines(connection, list(shown.object_list))}


def _lines(connection: Connection, entries: Iterable[AuditEntry]) -> list[HistoryLine]:
    # What a job sends carries the id of the request that the job was made in.
    requests = {entry.request_id for entry in entries} - {""}
    jobs = Job.objects.filter(connection=connection, request_id__in=requests)
    by_request = {job.request_id: job for job in jobs}
    return [HistoryLine(entry, by_request.get(entry.request_id)) for entry in entries]
