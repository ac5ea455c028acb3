"""Changes of one object through the portal, as a tab of its page shows them."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator

from portal.access.audit import entries_for
from portal.access.audit.changes import ChangeLine
from portal.access.models import AuditEntry
from portal.access.scope import Scope
from portal.access.undo.offering import Undoing, undoings
from portal.access.undo.recorded import inverse_operation
from portal.contract.operation import Operation
from portal.jobs.models import Job
from portal.jobs.undoing import jobs_behind

TEMPLATE = "jobs/object_history.html"
PAGE_SIZE = 25


@dataclass(frozen=True)
class HistoryLine(ChangeLine):
    """An entry of the audit trail, and the job that made the change, if one did.

    `undoing` says whether it can be undone, by whoever may call the operation `inverse`.
    """

    job: Job | None = None
    undoing: Undoing | None = None

    @property
    def inverse(self) -> Operation[Any, Any] | None:
        return inverse_operation(self.entry)


def history_of(scope: Scope, family: str, object_id: str, page: str | None) -> dict[str, Any]:
    """The context of `TEMPLATE`: one page of what was done to the object, newest first."""
    entries = entries_for(scope, family, object_id)
    shown = Paginator(entries, PAGE_SIZE).get_page(page)
    return {
        "page": shown,
        "lines": _lines(scope, list(shown.object_list)),
    }


def _lines(scope: Scope, entries: list[AuditEntry]) -> list[HistoryLine]:
    jobs = jobs_behind(scope, entries)
    known = undoings(entries, lambda _entry, _by: True)
    return [
        HistoryLine(entry, jobs.get(entry.request_id), known[entry.sequence]) for entry in entries
    ]
