"""The reach of shares that are limited to a part of the people: their operations, and their pages.

Domains declare it, by `portal.access.parts`. What nobody has declared is refused, and so is all of
the account that has no part, such as its billing.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from portal.contract.operation import Operation


class Limit(StrEnum):
    """The ways in which an operation is limited for limited shares."""

    BY_PERSON = "by person"  # untranslated: a rule. What it is done to belongs to one of them
    BY_SESSION = "by session"  # untranslated: a rule. The same of what one of them hosts
    FILTERED = "filtered"  # what it returns is narrowed to them
    OPEN = "open"  # it says nothing of anybody
    REFUSED = "refused"  # there is no part of it


_limits: dict[str, Limit] = {}
# Of the rooms that all domains share; what they list is narrowed where it is read.
_pages: set[str] = {"changes", "jobs", "lists:columns", "mirror:search", "mirror:start"}


def limit(operation: str, by: Limit) -> None:
    """Limits the operation of this name so from now on."""
    _limits[operation] = by


def register_pages(names: Iterable[str]) -> None:
    """Opens these pages, by the names of their URLs or namespaces, to whoever is limited to a part:
    they show nothing else."""
    _pages.update(names)


def allows(operation: Operation[Any, Any]) -> bool:
    """Returns whether a limited share can call the operation at all."""
    return _limits.get(operation.name, Limit.REFUSED) is not Limit.REFUSED


def shows(page: str) -> bool:
    """Returns whether the page of this name shows no more than a part."""
    return page in _pages or page.partition(":")[0] in _pages
