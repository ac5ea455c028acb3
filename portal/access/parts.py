"""Shares that are limited to a part of the people: which calls, and which pages, keep within it.

A share names departments and groups. Whoever works under it lists, reads and changes the people who
are in one of them, and what these host. Domains declare how each operation is limited to a part,
and which of their pages show nothing else. What nobody has declared is refused, and so is all of
the account that has no part, such as its billing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied

from portal.client import ApiError
from portal.contract.operation import Call, Caller, Family, Operation

R = TypeVar("R")


class Outside(ApiError):
    """The object of a call is outside of the part that the caller is limited to: nothing was sent.

    To them it is as if it were not there."""

    def _leaves_open(self) -> bool:
        return False


class NoPart(PermissionDenied):
    """A page shows more than the part that somebody is limited to."""


class Limit(StrEnum):
    """The ways in which an operation is limited for limited shares."""

    BY_PERSON = "by person"  # untranslated: a rule. What it is done to belongs to one of them
    BY_SESSION = "by session"  # untranslated: a rule. The same of what one of them hosts
    FILTERED = "filtered"  # what it returns is narrowed to them
    OPEN = "open"  # it says nothing of anybody
    REFUSED = "refused"  # there is no part of it


# They get the `Scope` of the caller, which asks this module. The first raises `Outside`, or
# `Protected` for what a body names; its own caller reads what decides it.
Check = Callable[[Any, Call[Any], Caller], None]
Narrow = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class PartRule:
    """The limit of an operation: `check` runs before the call, `narrow` reduces its answer."""

    limit: Limit
    check: Check | None = None
    narrow: Narrow | None = None


@dataclass(frozen=True)
class PartChoices:
    """Choices for a limited share: departments, and groups as pairs of an id and a name."""

    departments: Sequence[str] = ()
    groups: Sequence[tuple[str, str]] = ()


REFUSED = PartRule(Limit.REFUSED)
OPEN = PartRule(Limit.OPEN)
_rules: dict[str, PartRule] = {}
_choices: list[Callable[[Any], PartChoices]] = []
# Of the rooms that all domains share; what they list is narrowed where it is read.
_pages: set[str] = {"changes", "jobs", "lists:columns", "mirror:search", "mirror:start"}


def register(rules: Mapping[str, PartRule]) -> None:
    """Limits the operations of these names so from now on."""
    _rules.update(rules)


def register_choices(read: Callable[[Any], PartChoices]) -> None:
    """Asks this from now on what departments and groups an account has, by an owner's scope."""
    _choices.append(read)


def choices_of(scope: Any) -> PartChoices:
    """Returns the departments and groups of the account, as mirrored, by an owner's scope."""
    read = [each(scope) for each in _choices]
    return PartChoices(
        [name for each in read for name in each.departments],
        [group for each in read for group in each.groups],
    )


def register_pages(names: Iterable[str]) -> None:
    """Opens these pages, by the names of their URLs or namespaces, to whoever is limited to a part:
    they show nothing else."""
    _pages.update(names)


def rule_of(operation: Operation[Any, Any]) -> PartRule:
    return _rules.get(operation.name, REFUSED)


def allows(operation: Operation[Any, Any]) -> bool:
    """Returns whether a limited share can call the operation at all."""
    return rule_of(operation).limit is not Limit.REFUSED


def shows(page: str) -> bool:
    """Returns whether the page of this name shows no more than a part."""
    return page in _pages or page.partition(":")[0] in _pages


def refused(*families: type[Family]) -> dict[str, PartRule]:
    """Says of all operations of some families that there is no part of them."""
    return {one.name: REFUSED for family in families for one in family.operations()}
