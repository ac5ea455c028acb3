"""The trail as a file: CSV for spreadsheets, JSON lines for programs; streamed, in any size."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from portal.access.audit.changes import ChangeLine
from portal.access.cells import csv_line
from portal.access.models import AuditEntry, Outcome
from portal.translation.stored import in_english

COLUMNS = (
    "number",
    "time",
    "email",
    "approved_by",
    "ip",
    "connection",
    "operation",
    "what",
    "object",
    "object_id",
    "path",
    "outcome",
    "status",
    "message",
    "sent",
    "before",
    "request_id",
    "undoes",
)


def as_csv(entries: Iterable[AuditEntry]) -> Iterator[str]:
    yield "\N{ZERO WIDTH NO-BREAK SPACE}" + csv_line(COLUMNS)
    for entry in entries:
        data = row(entry)
        yield csv_line([_cell(data[name]) for name in COLUMNS])


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


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)
