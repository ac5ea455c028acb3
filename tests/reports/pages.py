"""Addresses of reports, and what is on their pages and in their files."""

import csv
import io
from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.urls import reverse

from portal.access.models import Connection
from tests.support.html import text_of

Json = dict[str, Any]


def address(connection: Connection, name: str, *more: str, **query: object) -> str:
    return f"{reverse(f'reports:{name}', args=[connection.key, *more])}?{urlencode(query)}"


def days(first: object, last: object) -> Json:
    return {"period": "custom", "from_date": str(first), "to_date": str(last)}


def seen_in(zone: str, client: Client) -> Client:
    client.cookies["zone"] = zone
    return client


def words_of(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, response.content
    return text_of(response.content.decode())


def table_of(client: Client, url: str) -> list[dict[str, str]]:
    """A CSV file as rows by their headers; a quote before a formula is left out."""
    content = client.get(url).getvalue().decode("utf-8-sig")
    rows = csv.DictReader(io.StringIO(content))
    return [{name: value.removeprefix("'") for name, value in row.items()} for row in rows]
