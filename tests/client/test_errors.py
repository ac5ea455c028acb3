"""Errors can travel to another process, and say what they are."""

import copy
import pickle

import pytest

from portal.client import (
    Invalid,
    OutcomeUnknown,
    Secret,
    Throttled,
    TimedOut,
    Unexpected,
    Unreachable,
)
from portal.contract.problems import FieldProblem
from portal.contract.users import Users

ERRORS = [
    Unreachable(Users.get, "No connection could be made.", reason="connect"),
    TimedOut(Users.change_email, "No answer within 10 seconds.", reason="timeout"),
    OutcomeUnknown(Users.create, "The connection broke off.", reason="broken"),
    Throttled(Users.list, "Too many requests.", status=429, retry_after=7.5),
    Unexpected(Users.create, "What?", status=200),
    Invalid(
        Users.create,
        "Bad input.",
        status=400,
        code=300,
        fields=(FieldProblem("user_info.email", "Use another."),),
    ),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_is_the_same_after_pickling(error, protocol):
    again = pickle.loads(pickle.dumps(error, protocol))  # noqa: S301
    assert type(again) is type(error)
    assert again.args == error.args
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert again.operation.name == error.operation.name


def test_an_error_is_the_same_after_copying():
    error = ERRORS[-1]
    assert vars(copy.copy(error)) == vars(error)


@pytest.mark.parametrize(
    ("error", "may_have_happened"),
    [(error, error.operation.method != "GET") for error in ERRORS[:3]]
    + [(ERRORS[3], False), (ERRORS[4], True), (ERRORS[5], False)],
)
def test_an_error_reports_whether_a_write_may_have_happened(error, may_have_happened):
    assert error.may_have_happened is may_have_happened


def test_a_token_is_not_pickled_nor_printed():
    secret = Secret("canary")
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    assert "canary" not in f"{secret} {secret!r} {[secret]} {secret:}"
    assert secret == Secret("canary") != Secret("other")


def test_an_empty_token_hides_nothing():
    assert Secret("").hide("plain text") == "plain text"
