"""Answers and their reading, proper ones and others."""

from typing import Any

import pytest

from portal.client import (
    Answered,
    Conflict,
    Invalid,
    NotFound,
    ServerFault,
    Throttled,
    Unauthorized,
    Unexpected,
    Unreachable,
)
from portal.client.answers import understand
from portal.client.limits import Quota
from portal.client.secret import Secret
from portal.client.transport import Answer
from portal.contract.problems import FieldProblem
from portal.contract.users import PasswordChange, Users
from tests.client.conftest import TOKEN
from tests.support.fault_server import answer, raw, redirect

NEW_PASSWORD = PasswordChange(password="correct horse")


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (300, Invalid),
        (400, Invalid),
        (401, Unauthorized),
        (403, Unauthorized),
        (404, NotFound),
        (405, Invalid),
        (409, Conflict),
        (410, Unexpected),
        (413, Invalid),
        (415, Invalid),
        (418, Unexpected),
        (422, Invalid),
        (429, Throttled),
        (500, ServerFault),
        (507, ServerFault),
        (599, ServerFault),
    ],
)
def test_each_status_is_error_of_its_kind_in_words_of_service(
    api, fault_server, new_user, status, error
):
    fields = [{"field": "user_info.email", "message": "Use another."}]
    fault_server.then(
        answer(
            status,
            {"code": 1005, "message": "That is taken.", "errors": fields},
            headers={"Retry-After": "99"},
        )
    )
    with pytest.raises(Answered) as caught:
        api.users.create(new_user)
    assert type(caught.value) is error
    assert caught.value.operation is Users.create
    assert (caught.value.status, caught.value.code) == (status, 1005)
    assert caught.value.message == "That is taken."
    assert caught.value.fields == (FieldProblem("user_info.email", "Use another."),)
    assert str(caught.value) == f"users.create: {status} That is taken."


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><h1>Bad gateway</h1></html>",
        b"[]",
        b"null",
        b'"no"',
        b"\xff\xfe",
        b'{"message": 5, "code": "x", "errors": {"a": 1}}',
        b'{"message": "", "errors": [1, null, []]}',
    ],
)
def test_an_error_without_words_of_its_own_gets_ours(body):
    error = understand(Users.get.call("u1"), Answer(502, {}, body), Secret("t"))
    assert isinstance(error, ServerFault)
    assert (error.message, error.code, error.fields) == ("The service gave no reason.", None, ())


def test_the_words_of_a_problem_document_are_shown():
    said = b'{"title": "Not valid.", "detail": "No such zone.", "status": 422}'
    error = understand(Users.get.call("u1"), Answer(422, {}, said), Secret("a token"))
    assert isinstance(error, Invalid)
    assert error.message == "Not valid: No such zone."


def test_a_refusal_keeps_the_limit_that_was_reached():
    headers = {
        "X-RateLimit-Category": "Heavy",
        "X-RateLimit-Type": "Daily-limit of key7",
        "X-RateLimit-Limit": "30000",
        "X-RateLimit-Remaining": "0",
    }
    error = understand(Users.get.call("u1"), Answer(429, headers, b""), Secret("key7"))
    assert isinstance(error, Throttled)
    assert error.quota is not None
    assert "key7" not in error.quota.name
    assert (error.quota.category, error.quota.limit, error.quota.remaining) == ("Heavy", 30000, 0)


@pytest.mark.parametrize("number", ["many", "-1", "9" * 5000, "٣", ""])
def test_a_limit_that_is_no_number_is_unknown(number):
    headers = {"X-RateLimit-Category": "Light", "X-RateLimit-Limit": number}
    error = understand(Users.get.call("u1"), Answer(429, headers, b""), Secret("a token"))
    assert isinstance(error, Throttled)
    assert error.quota == Quota("Light")


def test_words_of_the_service_are_one_line_and_bounded():
    said = b'{"message": "One\\nTwo\\u0000\\u001b[31m' + b"x" * 5000 + b'"}'
    error = understand(Users.get.call("u1"), Answer(400, {}, said), Secret("t"))
    assert isinstance(error, Invalid)
    assert error.message.startswith("One Two [31mxxx")
    assert len(error.message) == 500


def test_field_errors_without_end_are_cut_off():
    said = b'{"errors": [' + b",".join([b'{"field": "a", "message": "b"}'] * 5000) + b"]}"
    error = understand(Users.get.call("u1"), Answer(400, {}, said), Secret("t"))
    assert isinstance(error, Invalid)
    assert len(error.fields) == 100


@pytest.mark.parametrize("status", [200, 202, 203])
def test_another_success_than_the_documented_one_is_a_success(api, fault_server, new_user, status):
    fault_server.then(answer(status, {"id": "u1"}), answer(status, {}), answer(status))
    assert api.users.create(new_user).id == "u1"
    api.users.change_password("u1", NEW_PASSWORD)
    api.users.change_password("u1", NEW_PASSWORD)


NO_USER: dict[str, Any] = {
    "nothing": b"",
    "spaces": b"  ",
    "a web page": b"<!doctype html><title>Sign in to the network</title>",
    "XML": b'<?xml version="1.0"?><user><id>u1</id></user>',
    "cut short": b'{"id": "u1", "email": "an',
    "a list": b'[{"id": "u1"}]',
    "null": b"null",
    "a number": b"7",
    "no id": b'{"email": "ann@example.com"}',
    "not UTF-8": b'{"id": "\xff"}',
    "nested without end": b"[" * 100_000,
    "two documents": b'{"id": "u1"}{"id": "u2"}',
}


@pytest.mark.parametrize("body", NO_USER.values(), ids=NO_USER)
def test_a_success_that_is_not_what_was_promised_is_unexpected(api, fault_server, body):
    fault_server.then(answer(200, body=body))
    with pytest.raises(Unexpected) as caught:
        api.users.get("u1")
    assert caught.value.status == 200
    assert len(fault_server.requests) == 1


def test_no_content_where_content_was_promised_is_unexpected(api, fault_server):
    fault_server.then(answer(204))
    with pytest.raises(Unexpected):
        api.users.get("u1")


def test_a_web_page_in_answer_to_a_change_is_no_success(api, fault_server):
    fault_server.then(answer(200, body=b"<html>Sign in to the network</html>"))
    with pytest.raises(Unexpected):
        api.users.change_password("u1", NEW_PASSWORD)


def test_content_after_a_204_does_not_spoil_the_next_answer(api, fault_server, new_user):
    fault_server.then(answer(204, {"surprise": 1}), answer(201, {"id": "u1"}))
    api.users.change_password("u1", NEW_PASSWORD)
    assert api.users.create(new_user).id == "u1"


def test_an_answer_may_be_announced_by_a_continue(api, fault_server):
    real = b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"id": "u1"}'
    fault_server.then(raw(b"HTTP/1.1 100 Continue\r\n\r\n" + real))
    assert api.users.get("u1").id == "u1"


def test_a_change_of_protocol_is_no_answer(api, fault_server):
    switching = b"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"
    fault_server.always(raw(switching))
    with pytest.raises(Unreachable):
        api.users.get("u1")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(api, fault_server, other_server, status):
    fault_server.always(redirect(f"{other_server.url}/users/u1?access_token={TOKEN}", status))
    with pytest.raises(Unexpected) as caught:
        api.users.get("u1")
    assert caught.value.status == status
    assert caught.value.message == "The service redirects to 127.0.0.1, which is not followed."
    assert (len(fault_server.requests), other_server.connections) == (1, 0)


@pytest.mark.parametrize("location", ["", "//[::bad", "/elsewhere", "http://"])
def test_a_redirect_to_nowhere_is_unexpected(api, fault_server, location):
    fault_server.then(redirect(location))
    with pytest.raises(Unexpected, match="redirects to another address"):
        api.users.get("u1")
