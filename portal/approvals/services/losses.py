"""Losses by a call that waits for an approval, and whether its subject is still as it was shown.

Losses are what goes with the object of a call, beside what it names; a domain finds them by the
operation. They are found when it is asked for, shown to both people, and found again right before
the call leaves: others than the shown ones end the request.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from portal.access.roles import RoleRefused
from portal.access.scope import Scope
from portal.approvals import answers
from portal.approvals.models import ApprovalRequest
from portal.audit import trail
from portal.audit.changes import ChangeLine
from portal.audit.models import AuditEntry
from portal.audit.wording import label_of
from portal.client import Api, ApiError, NotFound
from portal.config.canonical_json import canonical
from portal.connections.calls import replaced
from portal.contract.model import JsonDict
from portal.contract.operation import AnyOperation, Call


class Changed(Exception):
    """Raised if the subject of the call is not as it was shown; the text names the difference."""


def compare(asked: ApprovalRequest, call: Call[object], api: Api) -> None:
    """Raises `Changed` where what was shown as it is now is not so any more."""
    reading: AnyOperation | None = call.operation.before
    if reading is None:
        return
    now: dict[str, object] | None = None
    try:
        current = api.caller(reading.call(*call.ids[: len(reading.path_parameters)]))
        # In the order in which it is stored, in which it was shown.
        now = json.loads(canonical(trail.state(current)))
    except NotFound:
        pass
    if (now is None) != (asked.before is None):
        raise Changed(answers.GONE)
    if now is None:
        return
    planned = replaced(call, now, asked.sent or {})
    before, after = _shown(asked, asked.before), _shown(asked, planned)
    for title, was in before.items():
        if after.get(title) != was:
            values = {
                "what": title,
                "before": was or answers.NOTHING,
                "after": after.get(title) or answers.NOTHING,
            }
            raise Changed(answers.CHANGED % values)


def _shown(asked: ApprovalRequest, before: dict[str, object] | None) -> dict[str, str]:
    """Returns the fields of the object that the request's page shows."""
    name = label_of(before, asked.sent)
    shown = {change.title: change.before for change in line_of(asked, before).changes}
    return {answers.THE_NAME: name} | shown if name else shown


def line_of(asked: ApprovalRequest, before: dict[str, object] | None) -> ChangeLine:
    """The request in the words of the audit trail."""
    fields: dict[str, object] = {"sent": asked.sent, "before": before}
    for name in ("operation", "path", "family", "object_id", "object_label"):
        fields[name] = getattr(asked, name)
    return ChangeLine(AuditEntry(**fields))


@dataclass(frozen=True)
class LossLine:
    """A loss in words; `links` lead to files of it and to what was begun, by their words."""

    title: str
    words: str
    links: tuple[tuple[str, str], ...] = ()


class LossFinder(ABC):
    """A finder of what goes with the calls of one operation, which shows and stores it. `loss` is
    JSON: what was `found`, and the requester's `chosen`."""

    @abstractmethod
    def find(self, api: Api, scope: Scope, call: Call[object]) -> JsonDict:
        """Returns what goes with the call, empty if nothing. Raises `ApiError`."""

    @abstractmethod
    def lines(self, asked: ApprovalRequest, loss: JsonDict) -> list[LossLine]:
        """Returns it in words, for the requester and the approver."""

    def store(self, asked: ApprovalRequest, api: Api, scope: Scope, call: Call[object]) -> str:  # noqa: ARG002
        """Stores what is needed to bring it back, before the call leaves; returns its key."""
        return ""

    def bring_back(self, asked: ApprovalRequest, key: str) -> None:  # noqa: B027
        """Brings back what was stored: the call is done."""

    def drop(self, asked: ApprovalRequest, key: str) -> None:  # noqa: B027
        """Drops what was stored: the call did not happen."""


_finders: dict[str, LossFinder] = {}


def register(finders: Mapping[str, LossFinder]) -> None:
    _finders.update(finders)


def loss_of(api: Api, scope: Scope, call: Call[object], chosen: JsonDict) -> JsonDict | None:
    """Returns the loss as a request keeps it; it says so where it cannot be found out."""
    finder = _finders.get(call.operation.name)
    if finder is None:
        return None
    try:
        loss = finder.find(api, scope, call)
    except (ApiError, RoleRefused):
        return {"found": None, "chosen": chosen}
    return {"found": loss, "chosen": chosen} if loss else None


def lines_of(asked: ApprovalRequest) -> list[LossLine]:
    finder = _finders.get(asked.operation)
    return finder.lines(asked, asked.loss) if finder and asked.loss else []


def store_loss(asked: ApprovalRequest, api: Api, scope: Scope, call: Call[object]) -> str:
    """Stores what brings the loss back. Raises `Changed` where another one would go by now than
    was approved, and `ApiError`."""
    finder = _finders.get(asked.operation)
    if finder is None:
        return ""
    approved = (asked.loss or {"found": {}})["found"]
    if approved is not None and finder.find(api, scope, call) != approved:
        raise Changed(answers.LOSES_OTHERS)
    return finder.store(asked, api, scope, call) if asked.loss else ""


def bring_back(asked: ApprovalRequest, key: str) -> None:
    if key:
        _finders[asked.operation].bring_back(asked, key)


def drop_loss(asked: ApprovalRequest, key: str) -> None:
    if key:
        _finders[asked.operation].drop(asked, key)
