"""The classes in which services limit requests."""

from enum import StrEnum, auto


class Weight(StrEnum):
    """Classes of operations by what they ask of the service. Each has a limit of its own: of
    requests a second, and for what is `SCARCE` a minute."""

    LIGHT = auto()
    MEDIUM = auto()
    HEAVY = auto()
    SCARCE = auto()
