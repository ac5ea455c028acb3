"""Addresses of pages about webhooks."""

from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from portal.access.models import Connection


def address(connection: Connection, name: str, *more: str, **query: Any) -> str:
    return f"{reverse(f'webhooks:{name}', args=[connection.key, *more])}?{urlencode(query)}"
