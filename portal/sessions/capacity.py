"""The number of people whom a host's licence admits to a session."""

from dataclasses import dataclass

from portal.contract.model import JsonDict


@dataclass(frozen=True)
class Capacity:
    """The number of people who may join a host's session; `None` if it is not reported."""

    most: int | None
    may_hold: bool = True


def number_in(features: JsonDict, name: str) -> int | None:
    """Returns a number of a host's features; None if it is not reported as one."""
    value = features.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
