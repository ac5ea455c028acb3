"""Losses by a call that waits for an approval: what goes with its object, beside what it names.

A domain finds them by the operation. They are found when it is asked for, shown to both people, and
found again right before the call leaves: others than the shown ones end the request.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from portal.access.roles import RoleRefused
from portal.access.scope import Scope
from portal.approvals import answers
from portal.approvals.models import ApprovalRequest
from portal.approvals.services.comparing import Changed
from portal.client import Api, ApiError
from portal.contract.operation import Call

JsonDict = dict[str, Any]


@dataclass(frozen=True)
class LossLine:
    """A loss in words; `links` lead to files of it and to what was begun, by their words."""

    title: str
    words: str
    links: tuple[tuple[str, str], ...] = ()


class LossFinder(ABC):
    """Finds, tells and keeps what goes with the calls of one operation. `loss` is JSON: what was
    `found`, and what whoever asked has `chosen` about it."""

    @abstractmethod
    def find(self, api: Api, scope: Scope, call: Call[Any]) -> JsonDict:
        """Returns what goes with the call, empty if nothing. Raises `ApiError`."""

    @abstractmethod
    def lines(self, asked: ApprovalRequest, loss: JsonDict) -> list[LossLine]:
        """Returns it in words, for whoever asks and whoever approves."""

    def keep(self, asked: ApprovalRequest, api: Api, scope: Scope, call: Call[Any]) -> str:  # noqa: ARG002
        """Stores what is needed to bring it back, before the call leaves; returns its key."""
        return ""

    def drop(self, asked: ApprovalRequest, key: str) -> None:  # noqa: B027
        """Drops what was stored: the call did not happen."""


_finders: dict[str, LossFinder] = {}


def register(finders: Mapping[str, LossFinder]) -> None:
    _finders.update(finders)


def loss_of(api: Api, scope: Scope, call: Call[Any], chosen: JsonDict) -> JsonDict | None:
    """Returns the loss as a request keeps it; it says so where it cannot be found out."""
    finder = _finders.get(call.operation.name)
    if finder is None:
        return None
    try:
        found = finder.find(api, scope, call)
    except (ApiError, RoleRefused):
        return {"found": None, "chosen": chosen}
    return {"found": found, "chosen": chosen} if found else None


def lines_of(asked: ApprovalRequest) -> list[LossLine]:
    finder = _finders.get(asked.operation)
    return finder.lines(asked, asked.loss) if finder and asked.loss else []


def keep(asked: ApprovalRequest, api: Api, scope: Scope, call: Call[Any]) -> str:
    """Stores what brings the loss back. Raises `Changed` where another one would go by now than
    was approved, and `ApiError`."""
    finder = _finders.get(asked.operation)
    if finder is None:
        return ""
    approved = (asked.loss or {"found": {}})["found"]
    if approved is not None and finder.find(api, scope, call) != approved:
        raise Changed(answers.LOSES_OTHERS)
    return finder.keep(asked, api, scope, call) if asked.loss else ""


def drop(asked: ApprovalRequest, key: str) -> None:
    if key:
        _finders[asked.operation].drop(asked, key)
