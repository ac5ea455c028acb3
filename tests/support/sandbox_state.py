"""Sessions that were held, as tests find them."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote

import httpx

from tests.sandbox.conftest import Json

TODAY = datetime.now(UTC).date()
HALF_A_YEAR = {"from": str(TODAY - timedelta(days=190)), "to": str(TODAY)}


def days(first: date, last: date) -> Json:
    return {"from": str(first), "to": str(last)}


def read(api: httpx.Client, path: str, **asked: Any) -> Json:
    answer = api.get(path, params=asked)
    assert answer.status_code == 200, answer.text
    document: Json = answer.json()
    return document


def sessions(api: httpx.Client, kind: str, which: str, **asked: Any) -> list[Json]:
    """Meetings or webinars on the dashboard, at most 300."""
    params = {**HALF_A_YEAR, "type": which, "page_size": 300, **asked}
    listed: list[Json] = read(api, f"/metrics/{kind}", **params)[kind]
    return listed


def pages(api: httpx.Client, path: str, **asked: Any) -> Iterator[Json]:
    token = ""
    while True:
        page = read(api, path, next_page_token=token, **asked)
        yield page
        token = page["next_page_token"]
        if not token:
            return


def in_path(uuid: str) -> str:
    once = quote(uuid, safe="")
    return quote(once, safe="") if "/" in uuid else once
