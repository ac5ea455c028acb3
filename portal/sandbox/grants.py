"""Scopes of tokens and the plan of the account, in the profile `current`."""

from collections.abc import Collection
from typing import Any

from portal.contract.operation import Operation
from portal.contract.today import ASKED, asked_for
from portal.sandbox.errors import NotInThePlan, ScopeMissing
from portal.sandbox.options import Options


def scopes(options: Options) -> list[str]:
    """Returns the scopes that tokens have which are issued now: those that are given, or all
    granular ones, but for those that are left out. One that is left out by its classic name is so
    for all that it covers."""
    without = set(options.without_scopes)
    if options.only_scopes:
        return sorted(set(options.only_scopes) - without)
    return sorted(
        {
            asked.granular
            for asked in ASKED.values()
            if not without.intersection((asked.granular, asked.classic[0]))
        }
    )


def check(operation: Operation[Any, Any], held: Collection[str], options: Options) -> None:
    """Raises `ScopeMissing` for a token that does not hold the scope, or `NotInThePlan`, which has
    the status of a success."""
    asked = asked_for(operation)
    if asked and not asked.is_met_by(held):
        raise ScopeMissing(asked.granular)
    if operation.family in options.without_plans:
        raise NotInThePlan
