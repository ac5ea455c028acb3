"""Whatever is sent, the service answers, and in its own way: never with a fault.

BAD_INPUT_EXAMPLES says how many requests are made up for each operation.
"""

import json
import os
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from portal.contract import operations
from portal.contract.model import fields, submodel
from tests.sandbox.conftest import everybody, refused
from tests.sandbox.test_pictures import picture
from tests.support.sandbox import Sandbox

EXAMPLES = int(os.environ.get("BAD_INPUT_EXAMPLES", "8"))
HOSTILE_TEXT = [
    "",
    "\0",
    "\ud800",
    "%",
    "%2F",
    "../..",
    "' OR 1=1 --",
    "\U0001f4a9" * 300,
    "٣",
    "2026-01-01",
]
HOSTILE_NUMBERS = [-1, 0, 2**31, 2**63, -(2**63) - 1, 10**400, 1e308, -0.0]

TEXT = st.sampled_from(HOSTILE_TEXT) | st.text(max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.sampled_from(HOSTILE_NUMBERS) | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
MEDIA_TYPES = st.sampled_from(
    [
        "application/json",
        "application/json; charset=latin-1",
        "multipart/form-data",
        "text/plain",
        "",
    ]
)
OPERATIONS = list(operations())


def documents(model):
    """Objects with some of a model's fields, each right, wrong or absurd."""

    def one(field):
        inner = submodel(field.annotation)
        if inner is None:
            return VALUES
        return VALUES | documents(inner) | st.lists(documents(inner), max_size=3)

    known = {name: one(field) for name, field in fields(model)}
    return st.fixed_dictionaries({}, optional={**known, "unknown": VALUES})


def bodies(operation):
    anything = st.binary(max_size=60) | VALUES.map(as_json)
    if operation.body is None:
        return st.just(b"") | anything
    if operation.body.content_type != "application/json":
        return st.binary(max_size=200) | st.just(as_form(picture()))
    return documents(operation.body).map(as_json) | anything


def queries(operation):
    names = [name for name, _ in fields(operation.query)] if operation.query else []
    value = TEXT | st.sampled_from(HOSTILE_NUMBERS).map(str)
    return st.dictionaries(st.sampled_from([*names, "unknown"]), value, max_size=5)


def as_json(value):
    return json.dumps(value).encode("utf-8", "surrogatepass")


def as_form(content):
    head = b'--a\r\nContent-Disposition: form-data; name="pic_file"; filename="me.jpg"\r\n\r\n'
    return head + content + b"\r\n--a--\r\n"


@pytest.fixture(scope="module")
def victim(tmp_path_factory):
    running = Sandbox(tmp_path_factory.mktemp("victim"), "--users=20")
    running.start()
    yield running
    running.client.close()
    running.stop()


@pytest.fixture(scope="module")
def names(victim):
    """Of people who are there, at least until somebody removes them."""
    return [each[field] for each in everybody(victim.client) for field in ("id", "email")]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_is_refused_as_documented(victim, names, operation, data):
    path = operation.path
    for parameter in operation.path_parameters:
        drawn = data.draw(st.sampled_from([*names, "1"]) | TEXT, parameter)
        path = path.replace(f"{{{parameter}}}", quote(drawn, safe="", errors="surrogatepass"))
    media_type = data.draw(MEDIA_TYPES, "media type")
    if media_type == "multipart/form-data":
        media_type += "; boundary=a"

    answer = victim.client.request(
        operation.method,
        f"{victim.url}{path}",
        params=as_query(data.draw(queries(operation), "query")),
        content=data.draw(bodies(operation), "body"),
        headers={"Content-Type": media_type},
    )

    check(answer, operation)
    assert "Not foreseen" not in victim.log


def as_query(drawn):
    return "&".join(f"{n}={quote(v, safe='', errors='surrogatepass')}" for n, v in drawn.items())


def check(answer, operation):
    if answer.status_code < 300:
        assert answer.status_code == operation.status
        return
    assert answer.status_code in {400, 404, 405, 409, 413, 415}, answer.text
    refused(answer, answer.status_code, *(each["field"] for each in answer.json()["errors"]))
