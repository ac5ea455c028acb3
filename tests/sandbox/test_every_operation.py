"""Every operation of the contract is served."""

import pytest

from portal.contract import operations
from tests.sandbox.conftest import fresh_email, refused
from tests.support import plain_http

OPERATIONS = list(operations())
OF_A_PERSON = [each for each in OPERATIONS if each.path_parameters[:1] == ("userId",)]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_it_is_served_to_those_who_have_the_token(sandbox, api, operation):
    refused(plain_http.request(operation.method, f"{sandbox.url}{address(operation)}"), 401)

    answer = api.request(operation.method, address(operation))
    assert answer.status_code in {200, 400, 404, 415}
    assert "no such operation" not in answer.text


@pytest.mark.parametrize("operation", OF_A_PERSON, ids=lambda operation: operation.name)
def test_an_unknown_person_is_not_found(api, operation):
    answer = api.request(operation.method, address(operation), **acceptable(operation))

    assert "no such user" in refused(answer, 404)


def address(operation):
    path = operation.path
    for name in operation.path_parameters:
        path = path.replace(f"{{{name}}}", "nobody")
    return path


def acceptable(operation):
    """A query and a body that the operation accepts."""
    if operation.query and "from_" in operation.query.model_fields:
        return {"params": {"from": "2026-01-01", "to": "2026-01-31"}}
    if operation.body is None:
        return {}
    if operation.name == "users.upload_picture":
        return {"files": {"pic_file": b"any"}}
    if operation.name in {"meetings.create", "webinars.create"}:
        return {"json": {"topic": "Review"}}
    return {
        "json": {
            "assistants": [],
            "email": fresh_email(),
            "password": "correct horse",
            "action": "activate",
            "conference_code": "1",
            "leader_pin": "1",
        }
    }
