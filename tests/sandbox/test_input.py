"""Queries and bodies, and the values that are made of them."""

from http.client import HTTPConnection

import httpx
import pytest

from portal.contract import operations
from portal.contract.model import fields, has_required, submodel
from portal.contract.operation import Call
from tests.sandbox.conftest import Json, done, refused
from tests.sandbox.succeeding import request_for
from tests.sandbox.things import Things
from tests.support import plain_http
from tests.support.sandbox import Sandbox


class TestQuery:
    @pytest.mark.parametrize("size", ["0", "301", "-1", "ten", "", "1.5", "9" * 400])
    def test_page_size_outside_its_limits_is_refused_and_not_capped(
        self, api: httpx.Client, size: str
    ):
        refused(api.get("/users", params={"page_size": size}), 400, "page_size")

    def test_names_every_parameter_that_is_wrong(self, api: httpx.Client):
        asked = {"page_size": "301", "page_number": "0", "status": "asleep"}
        refused(api.get("/users", params=asked), 400, "page_number", "page_size", "status")

    def test_given_twice_is_refused(self, api: httpx.Client):
        asked = {"page_size": [1, 2], "status": ["active", "active"]}
        refused(api.get("/users", params=asked), 400, "page_size", "status")

    def test_that_the_operation_does_not_have_is_ignored(self, api: httpx.Client):
        assert api.get("/users", params={"colour": ["red", "blue"]}).status_code == 200

    def test_with_a_hundred_and_more_parameters_is_refused(self, sandbox: Sandbox):
        query = "&".join(f"p{number}=1" for number in range(200))
        refused(plain_http.get(f"{sandbox.url}/users?{query}"), 400, "query")

    def test_a_page_beyond_the_last_is_empty(self, api: httpx.Client):
        page = api.get("/users", params={"page_number": 2**63 - 1}).json()
        assert page["users"] == []
        assert page["page_count"] == 0
        assert page["total_records"] > 0

    def test_a_page_number_over_64_bits_is_refused(self, api: httpx.Client):
        refused(api.get("/users", params={"page_number": 2**63}), 400, "page_number")


class TestBody:
    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"\xff\xfe",
            b'{"action": "\xed\xa0\x80"}',
            b'{"action": "\\ud800"}',
            b"\xef\xbb\xbf{}",
            b"[" * 100_000,
            b'{"a":' * 100_000,
            b"nonsense",
            b"[]",
            b"null",
            b'"text"',
            b"1e999",
            b"0" * 5000,
        ],
    )
    def test_that_is_no_json_object_is_refused(self, api: httpx.Client, body: bytes):
        headers = {"Content-Type": "application/json"}
        refused(api.post("/users", content=body, headers=headers), 400, "body")

    def test_may_be_sent_in_chunks_without_a_length(self, api: httpx.Client):
        parts = iter([b'{"action":"create","user_info"', b':{"email":"', b"no", b'","type":1}}'])
        answer = api.post("/users", content=parts, headers={"Content-Type": "application/json"})

        refused(answer, 400, "user_info.email")

    def test_without_a_type_is_read_as_json(self, api: httpx.Client, person: Json):
        request = api.build_request(
            "PUT", f"/users/{person['id']}/status", content=b'{"action":"activate"}'
        )
        request.headers.pop("content-type", None)
        done(api.send(request))

    @pytest.mark.parametrize(
        "media_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "/"]
    )
    def test_of_another_type_is_refused(self, api: httpx.Client, media_type: str):
        headers = {"Content-Type": media_type}
        refused(api.post("/users", content=b"{}", headers=headers), 415)

    def test_larger_than_a_megabyte_is_refused(self, api: httpx.Client):
        body = b'{"action": "%s"}' % (b"x" * 2**20)
        answer = api.post("/users", content=body, headers={"Content-Type": "application/json"})
        refused(answer, 413)

    @pytest.mark.parametrize(
        ("method", "path", "headers", "status"),
        [
            ("POST", "/users", {"Authorization": "Bearer wrong"}, 401),
            ("POST", "/nowhere", {}, 404),
            ("PUT", "/users", {}, 405),
            ("POST", "/users", {"Content-Type": "text/plain"}, 415),
            ("GET", "/users", {}, 200),
        ],
    )
    def test_that_nobody_asked_for_leaves_the_connection_open(
        self, sandbox: Sandbox, method: str, path: str, headers: dict[str, str], status: int
    ):
        connection = HTTPConnection("127.0.0.1", sandbox.port, timeout=60)
        own = {"Authorization": f"Bearer {sandbox.token}"}
        connection.connect()
        first = connection.sock
        for _ in range(5):
            connection.request(method, f"/v2{path}", b"x" * 2**19, own | headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status
            assert connection.sock is first
        connection.close()

    def test_unknown_fields_are_ignored_in_input(self, api: httpx.Client, person: Json):
        done(api.patch(f"/users/{person['id']}", json={"dept": "Legal", "shoe_size": 43}))

    def test_names_every_field_that_is_wrong(self, api: httpx.Client):
        answer = api.post("/users", json={"action": "hire", "user_info": {"email": "nobody"}})
        refused(answer, 400, "action", "user_info.email", "user_info.type")

    def test_with_text_that_cannot_be_stored_names_the_field(self, api: httpx.Client, person: Json):
        answer = api.patch(f"/users/{person['id']}", json={"dept": "a\0b", "first_name": "\0"})
        refused(answer, 400, "dept", "first_name")

    def test_with_a_number_that_cannot_be_stored_names_the_field(
        self, api: httpx.Client, person: Json
    ):
        settings = {"feature": {"meeting_capacity": 2**64}}
        answer = api.patch(f"/users/{person['id']}/settings", json=settings)
        refused(answer, 400, "feature.meeting_capacity")


CHANGES = [each for each in operations() if each.method == "PATCH" and each.body]


@pytest.mark.deep
@pytest.mark.parametrize("operation", CHANGES, ids=lambda operation: operation.name)
def test_null_counts_as_not_sent_in_every_change(api, operation):
    assert operation.body
    made = request_for(operation, Things(api))
    call = Call(operation, made.ids)
    answer = api.patch(call.path, json=_with_nulls(operation.body, made.body or {}))
    assert answer.status_code == 204, answer.text


def _with_nulls(model, sent):
    """The same, and null for every other field, in objects too."""
    nulls = {
        name: _with_nulls(kind, {}) if _is_open(kind, field) else None
        for name, field in fields(model)
        for kind in [submodel(field.annotation)]
        if not field.is_required()
    }
    return {**nulls, **sent}


def _is_open(kind, field):
    """Returns whether an object may come without any of its fields."""
    return kind is not None and "list[" not in str(field.annotation) and not has_required(kind)
