"""Limits that a service sets by class of operation, as data of its dialect.

`[limits]` of a dialect names for each class so many requests a second (`20/s`), a minute (`10/m`)
or a day from 00:00 UTC (`30000/d`); classes that share a limit are joined by `+`. `host` is how
many meetings and webinars may be scheduled for one host in a day.
"""

import re
from dataclasses import dataclass

from portal.contract.operation import Weight

_LIMIT = re.compile(r"([1-9][0-9]{0,6})/([smd])")
_HOST = "host"


@dataclass(frozen=True)
class DayLimit:
    """Requests of some classes together, from 00:00 to 24:00 UTC."""

    weights: tuple[Weight, ...]
    requests: int

    @property
    def name(self) -> str:
        return "+".join(self.weights)


@dataclass(frozen=True)
class ClassLimits:
    """The limits of a service; without any, all of its operations share one that is learned."""

    seconds: tuple[tuple[Weight, int], ...] = ()
    minutes: tuple[tuple[Weight, int], ...] = ()
    days: tuple[DayLimit, ...] = ()
    host_a_day: int | None = None

    def __bool__(self) -> bool:
        return bool(self.seconds or self.minutes)

    def a_second(self, weight: Weight) -> int | None:
        return dict(self.seconds).get(weight)

    def a_minute(self, weight: Weight) -> int | None:
        return dict(self.minutes).get(weight)

    def a_day(self, weight: Weight) -> DayLimit | None:
        return next((one for one in self.days if weight in one.weights), None)

    def together_with(self, weight: Weight) -> tuple[Weight, ...]:
        """Returns the classes that are used up for a day together with this one."""
        shared = self.a_day(weight)
        return shared.weights if shared else (weight,)


UNKNOWN = ClassLimits()


def class_limits(given: object) -> ClassLimits:
    """Reads `[limits]`. Raises `ValueError`."""
    if not isinstance(given, dict):
        raise ValueError("limits is no table")  # untranslated: for the log
    found: dict[str, list[tuple[tuple[Weight, ...], int]]] = {"s": [], "m": [], "d": []}
    host = None
    for name, text in given.items():
        limit = _LIMIT.fullmatch(text) if isinstance(text, str) else None
        if limit is None or (name == _HOST and limit[2] != "d"):
            raise ValueError(f"limits: {name}")  # untranslated: for the log
        if name == _HOST:
            host = int(limit[1])
            continue
        weights = tuple(Weight(part) for part in name.split("+"))
        if limit[2] != "d" and len(weights) > 1:
            raise ValueError(f"limits: {name}")  # untranslated: for the log
        found[limit[2]].append((weights, int(limit[1])))
    return ClassLimits(
        tuple((weights[0], requests) for weights, requests in found["s"]),
        tuple((weights[0], requests) for weights, requests in found["m"]),
        tuple(DayLimit(weights, requests) for weights, requests in found["d"]),
        host,
    )
