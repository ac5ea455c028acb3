"""A write that is undone leaves its object as it was, and what others changed since stays."""

import uuid
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from portal.access.api import api_for
from portal.access.audit.reading import lines
from portal.access.calls import AuditedCaller
from portal.access.grants import scope_of
from portal.access.models import AuditEntry, Connection
from portal.access.undo import UndoPlan, obstacle, plan_for, recorded
from portal.client import Api
from portal.contract import operations
from portal.contract.inverse import NoWayBack
from tests.access.undoable import CASES, case_of

pytestmark = pytest.mark.django_db

UNDOABLE = [
    operation.name
    for operation in operations()
    if operation.inverse is not None and not isinstance(operation.inverse, NoWayBack)
]


@pytest.fixture
def api(connection: Connection) -> Api:
    return api_for(scope_of(connection.owner, connection))


def newest(operation: str) -> AuditEntry:
    return lines().filter(operation=operation)[0]


def plan_of(api: Api, entry: AuditEntry) -> UndoPlan:
    found = recorded(entry)
    assert found is not None
    return plan_for(found, api.caller)


def undo(connection: Connection, entry: AuditEntry) -> UndoPlan:
    """Does what the plan says, in a request of its own."""
    api = api_for(scope_of(connection.owner, connection), request_id=uuid.uuid4().hex)
    plan = plan_of(api, entry)
    for call in plan.calls:
        cast(AuditedCaller, api.caller).undoing(entry)(call)
    return plan


def test_each_operation_with_an_inverse_is_tried():
    assert sorted(CASES) == sorted(UNDOABLE)


@pytest.mark.parametrize("operation", UNDOABLE)
@settings(
    max_examples=2,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_write_that_is_undone_leaves_the_object_as_it_was(
    api: Api, connection: Connection, operation: str, data: st.DataObject
):
    case = case_of(operation, api, data.draw)
    before = case.read()
    case.write()
    entry = newest(operation)
    assert obstacle(entry) == ""
    undo(connection, entry)
    assert case.read() == before
