"""Accounts whose lists were all loaded."""

from django.utils import timezone

from portal.access.models import Connection
from portal.mirror import loading
from portal.mirror.models import MirrorState


def all_loaded(connection: Connection) -> None:
    """As if all lists had been loaded just now, and had nothing in them."""
    for one in loading._lists:
        MirrorState.objects.update_or_create(
            connection=connection, kind=one.source.name, defaults={"refreshed_at": timezone.now()}
        )
