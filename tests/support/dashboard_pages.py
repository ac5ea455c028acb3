"""Addresses of dashboards, what the service says itself, and what a page shows of it."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.urls import reverse

from portal.access.models import Connection
from tests.support.fault_server import Behaviour, Seen, answer
from tests.support.html import text_of
from tests.support.sandbox import Sandbox

Json = dict[str, Any]


def address(connection: Connection, name: str, *more: str, **query: object) -> str:
    return f"{reverse(f'dashboards:{name}', args=[connection.key, *more])}?{urlencode(query)}"


def days(first: object, last: object) -> Json:
    return {"period": "custom", "from_date": str(first), "to_date": str(last)}


def seen_in(zone: str, client: Client) -> Client:
    client.cookies["zone"] = zone
    return client


def words_of(html: bytes) -> str:
    return text_of(html.decode())


def sent(client: Client, url: str, target: str = "results") -> str:
    """Returns what htmx gets for a part of a page."""
    response = client.get(url, headers={"HX-Request": "true", "HX-Target": target})
    assert response.status_code == 200
    return response.content.decode()


def table_of(client: Client, url: str) -> list[dict[str, str]]:
    """A CSV file as rows by their headers; a quote before a formula is left out."""
    content = client.get(url).getvalue().decode("utf-8-sig")
    rows = csv.DictReader(io.StringIO(content))
    return [{name: value.removeprefix("'") for name, value in row.items()} for row in rows]


def reported(sandbox: Sandbox, path: str, records: str, **query: object) -> Iterator[Json]:
    """All that the service lists, page by page."""
    token = ""
    while True:
        asked: dict[str, Any] = {"page_size": 300, "next_page_token": token, **query}
        page = sandbox.client.get(path, params=asked).json()
        yield from page[records]
        token = page.get("next_page_token", "")
        if not token:
            return


def rows_in(html: str) -> int:
    """Returns how many rows the tables of a page have."""
    body = re.findall(r"<tbody.*?</tbody>", html, re.DOTALL)
    return sum(each.count("<tr") for each in body)


def listing(records: str, rows: list[Json], **more: object) -> Behaviour:
    """A page of a list, which is all of it."""
    page = {"next_page_token": "", "page_count": len(rows), "page_size": 300, **more}
    return answer(200, {"total_records": len(rows), records: rows, **page})


def is_asked(seen: Seen, path: str) -> bool:
    return seen.path.endswith(path)
