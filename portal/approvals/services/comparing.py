"""Comparison of a request's subject with the one that was shown, and the request in words."""

import json
from typing import Any

from portal.access.audit import trail
from portal.access.audit.changes import ChangeLine
from portal.access.audit.wording import label_of
from portal.access.calls import replaced
from portal.access.models import AuditEntry
from portal.access.models.audit import canonical
from portal.approvals import answers
from portal.approvals.models import ApprovalRequest
from portal.client import Api, NotFound
from portal.contract.operation import Call, Operation


class Changed(Exception):
    """Raised if the subject of the call is not as it was shown; the text names the difference."""


def compare(asked: ApprovalRequest, call: Call[Any], api: Api) -> None:
    """Raises `Changed` where what was shown as it is now is not so any more."""
    reading: Operation[Any, Any] | None = call.operation.before
    if reading is None:
        return
    now: dict[str, Any] | None = None
    try:
        found = api.caller(reading.call(*call.ids[: len(reading.path_parameters)]))
        # In the order in which it is stored, in which it was shown.
        now = json.loads(canonical(trail.state(found)))
    except NotFound:
        pass
    if (now is None) != (asked.before is None):
        raise Changed(answers.GONE)
    if now is None:
        return
    kept = replaced(call, now, asked.sent or {})
    before, after = _shown(asked, asked.before), _shown(asked, kept)
    for title, was in before.items():
        if after.get(title) != was:
            values = {
                "what": title,
                "before": was or answers.NOTHING,
                "after": after.get(title) or answers.NOTHING,
            }
            raise Changed(answers.CHANGED % values)


def _shown(asked: ApprovalRequest, before: dict[str, Any] | None) -> dict[str, str]:
    """Returns the fields of the object that the request's page shows."""
    name = label_of(before, asked.sent)
    shown = {change.title: change.before for change in line_of(asked, before).changes}
    return {answers.THE_NAME: name} | shown if name else shown


def line_of(asked: ApprovalRequest, before: dict[str, Any] | None) -> ChangeLine:
    """The request in the words of the audit trail."""
    fields: dict[str, Any] = {"sent": asked.sent, "before": before}
    for name in ("operation", "path", "family", "object_id", "object_label"):
        fields[name] = getattr(asked, name)
    return ChangeLine(AuditEntry(**fields))
