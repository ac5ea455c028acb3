"""Changing the key under which tokens and second factors are stored."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from allauth.mfa.models import Authenticator
from django.db import transaction

from portal.access.audit import Act, record
from portal.access.models import Connection
from portal.access.origin import Origin
from portal.access.tokens import TokenUnreadable, reseal


@dataclass
class Rotation:
    """How many secrets are under the newest key now, and whose no key opens."""

    rotated: int = 0
    unreadable: list[str] = field(default_factory=list)


@transaction.atomic
def rotate() -> Rotation:
    """Encrypts everything under the newest key, all of it or nothing."""
    rotation = Rotation()
    for connection in Connection.objects.select_for_update().order_by("pk"):
        try:
            connection.sealed_token = reseal(connection.sealed_token)
        except TokenUnreadable:
            rotation.unreadable.append(f"connection {connection.key}")
            continue
        connection.save(update_fields=["sealed_token"])
        rotation.rotated += 1
    for authenticator in Authenticator.objects.select_for_update().order_by("pk"):
        names = list(_sealed(authenticator))
        try:
            authenticator.data |= {name: reseal(authenticator.data[name]) for name in names}
        except TokenUnreadable:
            rotation.unreadable.append(f"second factor of user {authenticator.user_id}")
            continue
        authenticator.save(update_fields=["data"])
        rotation.rotated += len(names)
    record(Origin(), Act.KEYS_ROTATED, sent={"rotated": rotation.rotated})
    return rotation


def _sealed(authenticator: Authenticator) -> Iterator[str]:
    return (name for name in ("secret", "seed") if name in authenticator.data)
