"""Changing the key under which tokens, second factors and other secrets are stored."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Model

from portal.access.http import Origin
from portal.access.models.connection import sealed_fields
from portal.access.tokens import TokenUnreadable, reseal
from portal.audit import wording
from portal.audit.acts import Act
from portal.audit.chain import append
from portal.audit.models import Outcome
from portal.audit.trail import ended, record

_BATCH = 100  # rows that are locked at once
_PASSES = 3
# What an authenticator keeps encrypted, in `data`: its model is a library's.
_OF_FACTORS = ("secret", "seed")

# Encrypts the secrets of one row again. Returns what is to be stored, and how many secrets it has.
Renewal = Callable[[dict[str, Any]], tuple[dict[str, Any], int]]


@dataclass
class Rotation:
    """The number of secrets under the newest key now, and the owners of those that no key opens."""

    rotated: int = 0
    unreadable: list[str] = field(default_factory=list)
    stored: int = 0  # rows that were written; the others were under the newest key before

    def __add__(self, other: "Rotation") -> "Rotation":
        return Rotation(
            self.rotated + other.rotated,
            self.unreadable + other.unreadable,
            self.stored + other.stored,
        )


def rotate() -> Rotation:
    """Encrypts everything under the newest key, while the portal works.

    Rows are locked some at a time. Done again it goes on where it broke off. It goes through all
    rows until none was left to do, for what was being written in the meantime.
    """
    with transaction.atomic():
        intent = record(Origin(), Act.KEYS_ROTATED, outcome=Outcome.BEGUN)
    for _pass in range(_PASSES):
        rotation = _once()
        if not rotation.stored:
            break
    with transaction.atomic():
        text = wording.SECRETS_ROTATED % {"count": rotation.rotated}
        append(ended(intent, Outcome.DONE, message=text))
    return rotation


def _once() -> Rotation:
    rotation = Rotation()
    for model, names in sealed_fields().items():
        rotation += _rotate(model, names, _renewed)
    return rotation + _rotate(Authenticator, ["data"], _renewed_factor)


def _rotate(model: type[Model], names: list[str], renew: Renewal) -> Rotation:
    rotation = Rotation()
    for keys in _batches(model):
        with transaction.atomic():
            rows = model._default_manager.select_for_update().filter(pk__in=keys)
            changed = []
            for row in rows.only("pk", *names):
                stored = {name: getattr(row, name) for name in names}
                try:
                    renewed, count = renew(stored)
                except TokenUnreadable:
                    rotation.unreadable.append(_whose(row))
                    continue
                rotation.rotated += count
                if renewed != stored:
                    for name, value in renewed.items():
                        setattr(row, name, value)
                    changed.append(row)
            model._default_manager.bulk_update(changed, names)
            rotation.stored += len(changed)
    return rotation


def _batches(model: type[Model]) -> Iterator[list[Any]]:
    """The keys of all rows, some at a time."""
    ordered = model._default_manager.order_by("pk").values_list("pk", flat=True)
    keys = list(ordered[:_BATCH])
    while keys:
        yield keys
        keys = list(ordered.filter(pk__gt=keys[-1])[:_BATCH])


def _renewed(row: dict[str, Any]) -> tuple[dict[str, Any], int]:
    sealed = {name: text for name, text in row.items() if text}
    return row | {name: reseal(text) for name, text in sealed.items()}, len(sealed)


def _renewed_factor(row: dict[str, Any]) -> tuple[dict[str, Any], int]:
    sealed = {name: text for name, text in row["data"].items() if name in _OF_FACTORS}
    renewed = {name: reseal(text) for name, text in sealed.items()}
    return {"data": row["data"] | renewed}, len(sealed)


def _whose(row: Model) -> str:
    if isinstance(row, Authenticator):
        return f"second factor of user {row.user_id}"  # untranslated: for the command line
    return f"{row._meta.verbose_name} {getattr(row, 'key', row.pk)}"
