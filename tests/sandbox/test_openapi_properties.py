"""The service keeps to its own OpenAPI document, whatever is sent.

OPENAPI_EXAMPLES says how many requests are made up for each operation.
"""

import os
from dataclasses import dataclass

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from portal.contract import operations
from portal.contract.openapi import document
from portal.contract.operation import Effect
from tests.sandbox.succeeding import request_for
from tests.sandbox.things import Things
from tests.support.fork_server import of_the_sandbox
from tests.support.sandbox import Sandbox

EXAMPLES = int(os.environ.get("OPENAPI_EXAMPLES", "6"))
# What removes things comes last: the others need something to be there.
OPERATIONS = sorted(operations(), key=lambda operation: list(Effect).index(operation.effect))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


pytestmark = pytest.mark.deep

# The tests send the right token themselves; `test_token` sends others.
DOCUMENT = schemathesis.openapi.from_dict({**document(), "security": []})


@dataclass(frozen=True)
class Victim:
    """A sandbox that loses what it has, and how it is asked."""

    sandbox: Sandbox
    session: requests.Session
    things: Things

    def ask(self, case: schemathesis.Case) -> int:
        """The status of the answer, which is checked against the document."""
        answer = case.call(base_url=self.sandbox.url, session=self.session)
        assert answer.status_code != 401
        case.validate_response(answer, checks=CHECKS)
        answers = case.operation.definition.raw["responses"]
        assert str(answer.status_code) in answers, "not written out, but left to `default`"
        return int(answer.status_code)


@pytest.fixture(scope="module")
def victim(tmp_path_factory):
    running = Sandbox(tmp_path_factory.mktemp("victim"), "--users=200", "--frozen")
    running.start()
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {running.token}"
        yield Victim(running, session, Things(running.client))
    running.client.close()
    running.stop()
    assert "Not foreseen" not in running.log


@pytest.fixture(scope="module")
def served():
    """Returns the operations of the router, from a process that has the sandbox's settings."""
    program = (
        "import portal.sandbox.application\n"
        "from portal.sandbox.serving import HANDLERS\n"
        "print(*HANDLERS)"
    )
    data = of_the_sandbox().run("-c", program, environment={})
    return frozenset(data.stdout.split())


def test_every_operation_is_tried(served):
    assert [each.name for each in OPERATIONS if each.name not in served] == []


each_operation = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda operation: operation.name
)


@each_operation
def test_success_is_as_documented(victim, operation):
    asked = request_for(operation, victim.things)
    body = operation.body
    sent = {"body": asked.body, "media_type": body.content_type} if body else {}
    case = DOCUMENT.find_operation_by_id(operation.name).Case(
        path_parameters=dict(zip(operation.path_parameters, asked.ids, strict=True)),
        query=asked.query,
        **sent,
    )

    assert victim.ask(case) == operation.status


@each_operation
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # a request that is sent again meets another state
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_answers_are_as_documented(victim, operation, data):
    described = DOCUMENT.find_operation_by_id(operation.name)
    ids = None
    if operation.ids and data.draw(st.booleans(), "of what is there"):
        known = request_for(operation, victim.things).ids
        ids = dict(zip(operation.path_parameters, known, strict=True))
    mode = data.draw(st.sampled_from(GenerationMode), "mode")

    victim.ask(data.draw(described.as_strategy(generation_mode=mode, path_parameters=ids), "case"))
