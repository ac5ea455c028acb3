"""Sizes on all pages are in one unit, written in one way."""

import re

import pytest

from tests.recordings.made import file, mirrored
from tests.support.html import text_of
from tests.support.routes import NAMED, undone

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

SIZE = re.compile(r"(?<![\w.,])([\d.,]+)[ \N{NO-BREAK SPACE}]([KMGTP]i?B|bytes)\b")
# As a round limit, with one decimal, or with two on a chart; a thousand are one of the next unit.
WRITTEN = re.compile(r"\d{1,3}(\.\d{1,2})?")


def test_every_page_writes_sizes_in_one_way(client, connection, sandbox):
    mirrored(connection, "a", host_id="h", host_name="Ada", files=[file(size=35_870_000_000)])
    found: dict[str, set[str]] = {}
    for route in NAMED:
        if route.name == "account_logout" or {"file", "kind"} & {*route.arguments}:
            continue
        with undone():
            url = route.url_of(connection.owner, connection, sandbox)
            answer = client.get(url)
        if answer.status_code == 200 and answer.get("Content-Type", "").startswith("text/html"):
            sizes = {" ".join(one) for one in SIZE.findall(text_of(answer.text))}
            found |= {route.name: sizes} if sizes else {}
    assert "35.9 GB" in found["recordings:list"] & found["recordings:storage"]
    odd = {
        name: sorted(each for each in sizes if not WRITTEN.fullmatch(each.partition(" ")[0]))
        for name, sizes in found.items()
    }
    assert [f"{name}: {each}" for name, each in odd.items() if each] == []
    assert not any("iB" in each or "bytes" in each for sizes in found.values() for each in sizes)
