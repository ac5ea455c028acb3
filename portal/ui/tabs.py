"""Tabs above a list, each a value of one filter."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FilterTab:
    """`count` is how many rows there are behind it, where that is known."""

    value: str
    label: str
    is_current: bool
    count: int | None = None
