"""A kind of list that is mirrored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from portal.contract.webhooks import WebhookEvent

if TYPE_CHECKING:
    from portal.mirror.reading import Reading


@dataclass(frozen=True)
class Kind:
    """`read` brings the copy up to date in one pass; `noun` says what the list is of.

    `follows` are the service's events after which the copy is old.
    """

    name: str
    noun: str
    read: Callable[[Reading], None]
    follows: frozenset[WebhookEvent] = frozenset()
