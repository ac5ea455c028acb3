"""Requirements of operations at services of today: a scope of the token, and a class of limits.

`today.csv` names both for every operation that they have. Of scopes there are two kinds, which may
stand beside each other in one token: the granular has one for each operation, the classic one for
each kind of thing. Their names are copied and follow no rule.
"""

import csv
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from portal.contract.operation import AnyOperation, Weight

_ADMIN, _MASTER = ":admin", ":master"


@dataclass(frozen=True)
class Asked:
    """Requirements of one operation: its `granular` scope, or one of the `classic`, the narrowest
    first, and its class of limits."""

    granular: str
    classic: tuple[str, ...]
    weight: Weight

    @property
    def is_of_masters(self) -> bool:
        """Returns whether only accounts with sub accounts have it."""
        return is_of_masters(self.granular)

    def is_met_by(self, scopes: Collection[str]) -> bool:
        """Returns whether a token with these scopes may call it. Those of a master account have
        all that its own has."""
        return any(
            name in scopes or f"{name.removesuffix(_ADMIN)}{_MASTER}" in scopes
            for name in (self.granular, *self.classic)
        )

    def missing_from(self, scopes: Collection[str]) -> str:
        """Returns the scope to add to a token, of the kind that it has."""
        is_granular = not scopes or any(scope in _GRANULAR for scope in scopes)
        return self.granular if is_granular else self.classic[0]


def is_of_masters(scope: str) -> bool:
    """Returns whether only apps of accounts with sub accounts can have this scope."""
    return scope.endswith(_MASTER)


def _read() -> dict[str, Asked]:
    with Path(__file__).with_name("today.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["operation"]: Asked(
                row["granular"], tuple(row["classic"].split()), Weight(row["class"])
            )
            for row in csv.DictReader(file)
        }


ASKED: Mapping[str, Asked] = _read()
_GRANULAR = frozenset(asked.granular for asked in ASKED.values())


def asked_for(operation: AnyOperation) -> Asked | None:
    """Returns what is asked for an operation; None for one that services of today do not have."""
    return ASKED.get(operation.name)
