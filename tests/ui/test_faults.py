"""Faults at the service are shown in words that say what to do."""

import re

import pytest

from portal.access.roles import RoleRefused
from portal.client import AddressRefused, ApiError, NotFound
from portal.contract.users import Users
from portal.ui.error_messages import explain
from tests.ui.urls import FAILURES, failure

HTMX = {"HX-Request": "true"}
PERSON = {"action": "create", "user_info.email": "ada@example.com", "user_info.type": "1"}
ANSWERS = {
    "Unreachable": (502, "cannot be reached", "Try again"),
    "TimedOut": (504, "did not answer", "No answer within 10 s."),
    "OutcomeUnknown": (502, "result is unknown", "Check before you try again"),
    "Unauthorized": (502, "rejected this connection", "Enter a new token"),
    "NotFound": (404, "Not found on the service", "may have been deleted"),
    "NotAvailable": (404, "This service does not have this", "check the base URL"),
    "Conflict": (409, "Already in use", "Choose another"),
    "Invalid": (422, "own", "rejected the request"),
    "Throttled": (
        503,
        "Rate limit reached",
        "own&gt; words (Daily-limit: 0/100)”. Nothing was changed",
    ),
    "ServerFault": (502, "service failed", "status 500"),
    "Protected": (409, "This is protected", "is on hold"),
    "Outside": (404, "Not found", "outside of"),
    "Unexpected": (502, "Unexpected response", "base URL of the connection may not"),
}


def all_kinds(kind=ApiError):
    below = {name for sub in kind.__subclasses__() for name in all_kinds(sub)}
    return below or {kind.__name__}


def test_every_kind_of_error_is_tried_here():
    assert all_kinds() <= ANSWERS.keys() <= FAILURES.keys()


@pytest.mark.parametrize("name", ANSWERS)
def test_a_failed_page_says_what_happened_and_what_to_do(pages, name):
    status, title, advice = ANSWERS[name]
    answer = pages.get(f"/fails/{name}/")
    said = re.sub(r"<[^>]+>|\s+", " ", answer.content.decode())
    assert answer.status_code == status
    assert title in said
    assert advice in said
    assert answer["X-Request-ID"] in said


def test_person_who_is_gone_is_said_to_be():
    gone = explain(NotFound(Users.get, "No such user.", status=404))
    assert gone.title == "This person is not on the account"


@pytest.mark.parametrize("name", ANSWERS)
def test_what_the_service_says_is_escaped(pages, name):
    assert b"<own>" not in pages.get(f"/fails/{name}/").content


def test_a_throttled_page_reports_browsers_when_to_come_back(pages):
    assert pages.get("/fails/Throttled/")["Retry-After"] == "12"


@pytest.mark.parametrize("name", ["Unreachable", "TimedOut", "ServerFault", "Throttled"])
def test_what_may_pass_can_be_tried_again(pages, name):
    assert b"Try again</a>" in pages.get(f"/fails/{name}/?page=2").content
    assert b'href="/fails/' + name.encode() + b'/?page=2"' in (
        pages.get(f"/fails/{name}/?page=2").content
    )


@pytest.mark.parametrize("name", ["Conflict", "NotFound", "Unauthorized", "OutcomeUnknown"])
def test_what_will_not_pass_offers_no_second_try(pages, name):
    assert b"Try again</a>" not in pages.get(f"/fails/{name}/").content


@pytest.mark.parametrize("name", ["TimedOut", "ServerFault", "OutcomeUnknown"])
def test_uncertain_write_is_not_to_be_repeated_blindly(name):
    fault = explain(failure(name, writing=True))
    assert fault is not None
    assert not fault.retry
    assert "heck before you try again" in fault.text


def test_a_write_that_was_never_sent_says_so():
    fault = explain(failure("Unreachable", writing=True))
    assert fault is not None
    assert "Nothing was changed." in fault.text


def test_a_part_of_a_page_fails_in_its_place(pages):
    answer = pages.get("/fails/TimedOut/", headers=HTMX | {"HX-Target": "content"})
    assert answer.status_code == 504
    assert answer["HX-Fault"] == "true"
    assert b"did not answer" in answer.content
    assert b"<!doctype" not in answer.content


def test_a_form_that_fails_stays_and_a_toast_says_why(pages):
    answer = pages.post("/fails/TimedOut/", headers=HTMX | {"HX-Target": "content"})
    assert answer["HX-Retarget"] == "#toasts"
    assert answer["HX-Reswap"] == "beforeend"
    assert answer["HX-Fault"] == "true"
    assert answer["X-Request-ID"].encode() in answer.content


def test_a_refused_address_is_a_page_of_its_own(pages):
    answer = pages.get("/refuses/")
    assert answer.status_code == 403
    assert b"internal address" in answer.content


def test_a_role_or_connection_that_is_not_enough_says_which():
    by_role = explain(RoleRefused(Users.delete, "role"))
    by_connection = explain(RoleRefused(Users.delete, "read_only"))
    assert by_role is not None
    assert by_connection is not None
    assert "“Remove a person” needs the role Administrator." in by_role.text
    assert by_connection.title == "This connection is read-only"


def test_other_errors_are_nobody_elses_business():
    assert explain(RuntimeError("a mistake")) is None
    assert explain(AddressRefused("No.")) is not None


@pytest.mark.parametrize("name", ANSWERS)
def test_a_form_keeps_what_was_typed_and_says_why_it_failed(pages, name):
    answer = pages.post(f"/asks/{name}/", PERSON)
    content = answer.content.decode()
    assert answer.status_code == 422
    assert content.startswith("False")
    assert 'value="ada@example.com"' in content
    assert ANSWERS[name][1].split()[0] in content
    assert answer["X-Request-ID"] in content


def test_what_the_service_says_of_a_field_stands_at_the_field(pages):
    content = pages.post("/asks/FieldErrors/", PERSON).content.decode()
    email = content.partition('data-field="user_info.email"')[2].partition("data-field=")[0]
    first_name = content.partition('data-field="user_info.first_name"')[2]
    assert "This domain is not allowed." in email
    assert "This name is not allowed." in first_name.partition("data-field=")[0]
    assert "No seat is left." in content.partition("data-field=")[0]
