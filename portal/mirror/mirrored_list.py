"""The declaration of a list that is mirrored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from portal.mirror.reading import ListReading


@dataclass(frozen=True)
class MirroredList:
    """`read` brings the copy up to date in one pass; `noun` says what the list is of."""

    name: str
    noun: str
    read: Callable[[ListReading], None]


MIRRORED_LISTS: dict[str, MirroredList] = {}


def register(kind: MirroredList) -> None:
    """Reads this list too from now on."""
    MIRRORED_LISTS[kind.name] = kind
