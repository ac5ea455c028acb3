"""The interface's own document and a page that shows it; both are public."""

from functools import cache

import orjson

from portal.contract.openapi import document
from portal.sandbox.errors import WrongMethod
from portal.sandbox.http import BASE_PATH, Answer
from portal.sandbox.reading_page import written

_NOTHING_FROM_OUTSIDE = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'"
)


def show_document(method: str) -> Answer:
    """Answers `/v2/openapi.json`: always JSON, since its keys are no names of XML elements."""
    _only_read(method)
    return Answer(200, _document(), is_translated=False)


def show_page(method: str) -> Answer:
    """Answers `/v2/docs`."""
    _only_read(method)
    headers = [
        ("Content-Security-Policy", _NOTHING_FROM_OUTSIDE),
        ("X-Content-Type-Options", "nosniff"),
    ]
    return Answer(200, _page(), "text/html; charset=utf-8", headers)


@cache
def _document() -> bytes:
    return orjson.dumps(document(BASE_PATH), option=orjson.OPT_INDENT_2)


@cache
def _page() -> bytes:
    return written(document(BASE_PATH)).encode()


def _only_read(method: str) -> None:
    if method != "GET":
        raise WrongMethod(["GET"])
