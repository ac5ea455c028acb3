"""Lines of the trail as files have them, and JSON lines for programs; streamed, in any size."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from portal.access.audit.changes import ChangeLine
from portal.access.models import AuditEntry, Outcome
from portal.translation import gettext_lazy
from portal.translation.stored import in_english

COLUMNS = {
    "number": gettext_lazy("Number"),
    "time": gettext_lazy("Time"),
    "email": gettext_lazy("Email"),
    "approved_by": gettext_lazy("Approved by"),
    "ip": gettext_lazy("IP address"),
    "connection": gettext_lazy("Connection"),
    "operation": gettext_lazy("Operation"),
    "what": gettext_lazy("Action"),
    "object": gettext_lazy("Object"),
    "object_id": gettext_lazy("Object ID"),
    "path": gettext_lazy("Address"),
    "outcome": gettext_lazy("Outcome"),
    "status": gettext_lazy("Status code"),
    "message": gettext_lazy("Message"),
    "sent": gettext_lazy("Sent"),
    "before": gettext_lazy("Before"),
    "request_id": gettext_lazy("Request ID"),
    "undoes": gettext_lazy("Undoes number"),
}


def as_json_lines(entries: Iterable[AuditEntry]) -> Iterator[str]:
    for entry in entries:
        yield json.dumps(row(entry), ensure_ascii=False) + "\n"


def row(entry: AuditEntry) -> dict[str, Any]:
    """One line of the trail, its end included."""
    line = ChangeLine(entry)
    end = line.end
    with in_english():  # as all else in it, whoever exports it
        what = line.title
    return {
        "number": entry.sequence,
        "time": entry.time.isoformat(),
        "email": entry.email,
        "approved_by": entry.approved_by,
        "ip": entry.ip,
        "connection": entry.connection_name,
        "operation": entry.operation,
        "what": what,
        "object": end.object_label,
        "object_id": end.object_id,
        "path": entry.path,
        "outcome": end.outcome if end.outcome != Outcome.BEGUN else Outcome.UNKNOWN,
        "status": end.status,
        "message": end.message,
        "sent": entry.sent,
        "before": entry.before,
        "request_id": entry.request_id,
        "undoes": entry.undoes_id,
    }
