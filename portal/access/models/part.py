"""The part of the people that somebody is limited to over a connection."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """The people who are in one of these departments, or in one of these groups, by their ids.

    `holder` is the primary key of whoever is limited to them.
    """

    departments: frozenset[str]
    groups: frozenset[str]
    holder: int
