"""Bodies that come with a success and are none, for every operation."""

import json

import pytest

from portal.client import (
    Invalid,
    NotAvailable,
    NotFound,
    ServerFault,
    Throttled,
    Unexpected,
)
from portal.client.answers import identity_of, understand
from portal.client.secret import Secret
from portal.client.transport import Answer
from portal.contract import operations
from portal.contract.chat import Chat
from portal.contract.meetings import Meetings
from portal.contract.operation import Call
from portal.contract.recordings import Recordings
from portal.contract.reports import Reports
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from tests.support.cases import for_each
from tests.support.samples import sample

PAID = {"code": 200, "message": "Only available for Paid or ZMP account."}
SIGN_IN = b"\xef\xbb\xbf\r\n<!DOCTYPE html>\n<title>Sign in to the network</title>"


def call_of(operation):
    return Call(operation, tuple("7" for _ in operation.path_parameters))


def understood(call, content, status=200):
    return understand(call, Answer(status, {}, content), Secret("a token"))


@for_each("operation", list(operations()), ids=lambda operation: operation.name)
def test_what_only_looks_like_a_success_is_none(operation):
    call = call_of(operation)
    refusal = understood(call, json.dumps(PAID).encode())
    assert isinstance(refusal, NotAvailable)
    assert (refusal.status, refusal.code, refusal.message) == (200, 200, PAID["message"])
    assert not refusal.may_have_happened
    page = understood(call, SIGN_IN)
    assert isinstance(page, Unexpected)
    assert page.message.startswith("A web page came instead")
    if identity := identity_of(call):
        another = sample(operation.returns) if operation.returns else {}
        other = understood(call, json.dumps({**another, identity[0]: "8"}).encode())
        assert isinstance(other, Unexpected)
        assert other.message == "The answer is about another object than was asked for."
    if operation.returns is None:
        assert understood(call, b"", 204) is None
        return
    nothing, other = understood(call, b" \r\n"), understood(call, b'{"sign_in": {"id": "7"}}')
    assert isinstance(nothing, Unexpected)
    assert nothing.message == "The answer is empty."
    assert isinstance(other, Unexpected)
    named = dict([identity_of(call) or ("id", "7")])
    promised = json.dumps({**sample(operation.returns), **named}).encode()
    assert isinstance(understood(call, promised), operation.returns)


def test_all_that_are_about_one_object_are_held_to_it():
    one = {each.name for each in operations() if identity_of(call_of(each))}
    assert len(list(operations())) == 155
    assert {each.name for each in operations() if each.reads_one and each.path.endswith("}")} <= one


@pytest.mark.parametrize(
    ("operation", "asked", "said", "is_taken"),
    [
        (Users.get, "u1", {"id": "u2"}, False),
        (Users.get, "ann@example.com", {"id": "u1", "email": "Ann@Example.com"}, True),
        (Users.get, "ann@example.com", {"id": "u1", "email": "bob@example.com"}, False),
        (Users.get, "me", {"id": "u1"}, True),
        (Users.update, "u1", {"id": "u2"}, False),
        (Users.settings, "u1", {"id": "u2", "feature": {}}, True),
        (Meetings.get, "86123456789", {"id": 86123456789, "uuid": "a/b=="}, True),
        (Meetings.get, "5551234567", {"id": 86123456789, "pmi": 5551234567}, True),
        (Meetings.create, "u1", {"id": 86123456789}, True),
        (Recordings.get, "a/b==", {"id": 86123456789, "uuid": "c/d=="}, False),
        (Recordings.get, "a/b==", {"id": 86123456789}, True),
        (Reports.meeting_polls, "86123456789", {"id": 1, "uuid": "a/b=="}, False),
        (Webhooks.get, "w1", {"webhook_id": "w2"}, False),
        (Chat.messages, "s1", {"session_id": "s2", "messages": []}, False),
    ],
)
def test_an_answer_about_another_object_is_not_taken(operation, asked, said, is_taken):
    answer = understood(Call(operation, (asked,)), json.dumps(said).encode())
    assert isinstance(answer, Unexpected) is not is_taken


@pytest.mark.parametrize(
    ("code", "error", "status"),
    [
        (404, NotFound, 404),
        ("404", NotFound, 404),
        (429, Throttled, 429),
        (500, ServerFault, 500),
        (0, Invalid, 202),
        (3001, Invalid, 202),
    ],
)
def test_a_refusal_within_a_success_is_of_the_kind_of_its_code(code, error, status):
    content = json.dumps({"code": code, "message": "No."}).encode()
    refusal = understood(call_of(Users.update), content, 202)
    assert type(refusal) is error
    assert refusal.status == status


@pytest.mark.parametrize(
    "document", [{}, [], None, {"code": True, "message": "Saved."}, {"name": 7}]
)
def test_other_content_where_none_is_promised_is_a_success(document):
    assert understood(call_of(Users.update), json.dumps(document).encode()) is None
