"""Shares that are limited to some of the people, and the calls and pages that keep within it.

A share names departments and groups. It lists, reads and changes the people in one of them, and
their sessions. Domains declare how each operation is limited, and which of their pages show nothing
else. An operation without a declaration is refused, and so is all that belongs to the account as a
whole, such as its billing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied

from portal.access.scope import Limit, Scope, limit_operation
from portal.client import ApiError
from portal.contract.operation import AnyOperation, Call, Caller, Family

# They get the scope of the caller. The first raises `Outside`, or `Protected` for what a body
# names, and reads through its own caller. The second gets the answer, of the operation's type.
Check = Callable[[Scope, Call[object], Caller], None]
Narrow = Callable[[Scope, Any], Any]


class Outside(ApiError):
    """A call for an object outside of a limited scope: nothing was sent.

    To its caller the object does not exist.
    """

    def _leaves_open(self) -> bool:
        return False


class PageOutOfScope(PermissionDenied):
    """A page that shows more than a limited scope."""


ReadChoices = Callable[[Scope], "ScopeChoices"]


@dataclass(frozen=True)
class ScopeRule:
    """The limit of an operation: `check` runs before the call, `narrow` reduces its answer."""

    limit: Limit
    check: Check | None = None
    narrow: Narrow | None = None


@dataclass(frozen=True)
class ScopeChoices:
    """Choices for a limited share: departments, and groups as pairs of an id and a name."""

    departments: Sequence[str] = ()
    groups: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class ScopeCount:
    """The rows of one list that a scope shows, for users who may call the operation."""

    title: str
    needs: AnyOperation
    count: Callable[[Scope], int]


REFUSED = ScopeRule(Limit.REFUSED)
OPEN = ScopeRule(Limit.OPEN)
_rules: dict[str, ScopeRule] = {}
_choices: list[ReadChoices] = []
_counts: list[ScopeCount] = []


def register(rules: Mapping[str, ScopeRule]) -> None:
    """Limits the operations of these names so from now on."""
    _rules.update(rules)
    for name, rule in rules.items():
        limit_operation(name, rule.limit)


def register_choices(read: ReadChoices) -> None:
    """Asks this from now on what departments and groups an account has, by an owner's scope."""
    _choices.append(read)


def register_counts(*counts: ScopeCount) -> None:
    _counts.extend(counts)


def counted(scope: Scope) -> list[tuple[str, int | None, int]]:
    """Returns of each list what a scope shows, None if it may not be seen, and of how many."""
    whole = Scope.whole(scope.connection, "its owner sees what a share shows")
    return [
        (one.title, one.count(scope) if scope.may(one.needs) else None, one.count(whole))
        for one in _counts
    ]


def choices_of(scope: Scope) -> ScopeChoices:
    """Returns the departments and groups of the account, as mirrored, by an owner's scope."""
    read = [each(scope) for each in _choices]
    return ScopeChoices(
        [name for each in read for name in each.departments],
        [group for each in read for group in each.groups],
    )


def rule_of(operation: AnyOperation) -> ScopeRule:
    return _rules.get(operation.name, REFUSED)


def refused(*families: type[Family]) -> dict[str, ScopeRule]:
    """Returns rules that refuse all operations of some families to limited scopes."""
    return {one.name: REFUSED for family in families for one in family.operations()}
