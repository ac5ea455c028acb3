"""Refusals of asking at all: a scope, the plan or the service lacks what is asked for."""

import json
import pickle

import pytest

from portal.client import Answered, Invalid, NotAvailable, NotFound, Unauthorized
from portal.client.answers import understand
from portal.client.secret import Secret
from portal.client.transport import Answer
from portal.contract.devices import Devices
from portal.contract.groups import Groups
from portal.contract.operation import Call
from portal.contract.tracking_fields import TrackingFields
from portal.contract.users import Users
from portal.contract.webhooks import Webhooks
from portal.jobs.breaker import FailureMeaning, meaning_of
from portal.ui.error_messages import explain

NO_SCOPE = "Invalid access token, does not contain scopes:[user:read:admin, user:read:list_users]."
SCOPES = ("user:read:admin", "user:read:list_users")
DIGITS = ("h323_device:read:list_devices:admin", "h323:read:admin", "scim2:admin")
CHALLENGE = {"WWW-Authenticate": 'Bearer error="insufficient_scope", scope="user:write"'}


def failed(operation, status, code, words="No.", headers=None):
    call = Call(operation, tuple("7" for _ in operation.path_parameters))
    content = json.dumps({"code": code, "message": words}).encode()
    error = understand(call, Answer(status, headers or {}, content), Secret("the token"))
    assert isinstance(error, Answered)
    return error


@pytest.mark.parametrize(
    ("operation", "answer", "lack", "scopes"),
    [
        (Users.list, (400, 4711, NO_SCOPE), "scope", SCOPES),
        (Users.update, (401, 4711, NO_SCOPE), "scope", SCOPES),
        (Users.update, (200, 4711, NO_SCOPE), "scope", SCOPES),
        (Users.get, (401, 4700, NO_SCOPE), "scope", SCOPES),
        (Users.get, (403, None, "No.", CHALLENGE), "scope", ("user:write",)),
        (Users.get, (400, 4711, "No."), "scope", ()),
        (Devices.list, (400, 4711, f"No scopes:[{', '.join(DIGITS)}]."), "scope", DIGITS),
        (Users.update, (400, 200, "Webinar plan is missing."), "plan", ()),
        (Users.update, (200, 200, "Only available for Paid."), "plan", ()),
        (TrackingFields.list, (400, 200, "No permission."), "permission", ()),
        (Users.delete, (404, 2300, "This API endpoint is not recognized."), "service", ()),
        (TrackingFields.list, (404, None), "service", ()),
    ],
)
def test_what_is_lacking_is_told_by_its_kind(operation, answer, lack, scopes):
    error = failed(operation, *answer)
    assert isinstance(error, NotAvailable)
    assert (error.lack, error.scopes, error.may_have_happened) == (lack, scopes, False)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (again.lack, again.scopes) == (lack, scopes)
    stops = lack in ("scope", "permission")
    assert meaning_of(error) is (FailureMeaning.STOP if stops else FailureMeaning.REFUSED)


@pytest.mark.parametrize(
    ("operation", "answer", "kind"),
    [
        (Users.get, (404, 1001), NotFound),
        (Users.create, (404, 1005), NotFound),
        (Webhooks.list, (404, None), NotFound),
        (Users.get, (401, 124, "Invalid access token."), Unauthorized),
        (Users.get, (401, 4700, "Token cannot be empty."), Unauthorized),
        (Users.update, (400, 300, "Invalid field scope:x."), Invalid),
    ],
)
def test_other_refusals_keep_their_kind(operation, answer, kind):
    assert type(failed(operation, *answer)) is kind


def test_lacking_scope_and_plan_are_said_with_who_can_change_it():
    scope = explain(failed(Users.list, 400, 4711, NO_SCOPE))
    assert scope.title == "This connection lacks the scope user:read:admin, user:read:list_users"
    assert "add the scope" in scope.text
    assert (scope.status, scope.renew) == (403, True)
    permission = explain(failed(TrackingFields.list, 400, 200, "No permission."))
    assert "role of the app's owner lacks this permission" in permission.text
    plan = explain(failed(Users.update, 200, 200, "Only available for Paid."))
    assert plan.title == "Not included in the account's plan"
    assert "“Only available for Paid”" in plan.text


def test_refusal_of_the_account_is_none_of_the_token():
    refusal = explain(failed(Groups.get, 403, 2001, "The account is not enabled for the API."))
    assert "“The account is not enabled for the API”" in refusal.text
    assert "token is valid" in refusal.text
    assert (refusal.status, refusal.renew) == (403, False)


def test_fault_keeps_words_and_tracking_id_of_the_service():
    tracked = {"x-zm-trackingid": "WEB_7f3a"}
    fault = explain(failed(Users.list, 500, 1099, "The directory is down.", tracked))
    assert "“The directory is down”" in fault.text
    assert fault.tracking_id == "WEB_7f3a"
    assert not failed(Users.list, 500, 1, headers={"x-zm-trackingid": "the token"}).tracking_id
