"""Addresses of the pages about a person, and htmx requests for their parts."""

from typing import Any

from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from portal.access.models import Connection
from tests.support.people import Made

TABS = (
    "person",
    "profile",
    "groups",
    "settings",
    "delegates",
    "telephony",
    "permissions",
    "history",
)


def url(connection: Connection, person: Made | str, name: str = "person", *more: str) -> str:
    user_id = person if isinstance(person, str) else person.id
    return reverse(f"people:{name}", args=[connection.key, user_id, *more])


def part(
    client: Client,
    address: str,
    target: str,
    data: dict[str, Any] | None = None,
) -> HttpResponseBase:
    """Returns what htmx gets for the element `target`; with `data` it sends a form."""
    headers = {"HX-Request": "true", "HX-Target": target}
    if data is None:
        return client.get(address, headers=headers)
    return client.post(address, data, headers=headers)
