"""Addresses of the chat archive, and the reason that opens it."""

from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.urls import reverse

from portal.access.models import Connection
from portal.audit.models import AuditEntry

REASON = "Legal hold 2026-114, request of the works council"


def address(connection: Connection, name: str, *more: str, **query: Any) -> str:
    return f"{reverse(f'chat:{name}', args=[connection.key, *more])}?{urlencode(query)}"


def open_archive(client: Client, connection: Connection, reason: str = REASON) -> None:
    response = client.post(address(connection, "reason"), {"reason": reason})
    assert response.status_code == 303


def looks() -> list[AuditEntry]:
    """Returns what the audit trail has of the archive, the latest last."""
    return list(AuditEntry.objects.filter(operation="chat.read").order_by("sequence"))
