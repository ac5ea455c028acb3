"""A write that is undone leaves its object as it was, and what others changed since stays."""

import uuid
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from portal.access.grants import scope_of
from portal.audit.reading import lines
from portal.audit.undo import obstacle, plan_for, recorded
from portal.audit.undo.later import obstacles_of
from portal.connections.api import api_for
from portal.connections.calls import AuditedCaller
from portal.contract import operations
from portal.contract.inverse import NoWayBack
from portal.contract.meetings import MeetingType, MeetingUpdate, NewMeeting
from portal.contract.polls import Poll, PollQuestion, QuestionType
from portal.contract.users import StatusAction, StatusChange, UserUpdate
from tests.audit.undoable import CASES, case_of
from tests.support.scenarios import person

pytestmark = pytest.mark.django_db

UNDOABLE = [
    operation.name
    for operation in operations()
    if operation.inverse is not None and not isinstance(operation.inverse, NoWayBack)
]

_QUESTIONS = [PollQuestion(name="What?", type=QuestionType.SINGLE, answers=["A", "B"])]


@pytest.fixture
def api(connection):
    return api_for(scope_of(connection.owner, connection))


def newest(operation):
    return lines().filter(operation=operation)[0]


def plan_of(api, entry):
    found = recorded(entry)
    assert found is not None
    return plan_for(found, api.caller)


def undo(connection, entry):
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
def test_a_write_that_is_undone_leaves_the_object_as_it_was(api, connection, operation, data):
    case = case_of(operation, api, data.draw)
    before = case.read()
    case.write()
    entry = newest(operation)
    assert obstacle(entry) == ""
    undo(connection, entry)
    assert case.read() == before


def obstacles(*operations):
    """Returns why changes by these operations cannot be undone, the oldest first."""
    entries = lines().filter(operation__in=operations).order_by("sequence")
    return [*obstacles_of(entries).values()]


def test_deletion_since_leaves_nothing_to_undo(api):
    host = person(api)
    made = api.meetings.create(host.id, NewMeeting(topic="Tour", type=MeetingType.SCHEDULED))
    poll, other = (
        api.meeting_polls.create(made.id, Poll(title=title, questions=_QUESTIONS))
        for title in ("Lunch", "Tea")
    )
    for one in (poll, other):
        api.meeting_polls.update(made.id, one.id, Poll(title="Dinner", questions=_QUESTIONS))
    api.meeting_polls.delete(made.id, poll.id)
    of_polls = [f"meeting_polls.{what}" for what in ("create", "update", "delete")]
    gone = "It was deleted since."
    assert obstacles(*of_polls) == [gone, "", gone, "", ""]
    api.meetings.update(made.id, MeetingUpdate(topic="Trip"))
    api.meetings.delete(made.id)
    assert obstacles(*of_polls, "meetings.create", "meetings.update") == [gone] * 7


def test_same_values_changed_again_leave_nothing_to_undo(api, django_assert_num_queries):
    ann = person(api)
    for change in (
        UserUpdate(dept="Ops"),
        UserUpdate(dept="Legal", first_name="Bea"),
        UserUpdate(dept="Sales"),
        UserUpdate(dept="Legal"),
    ):
        api.users.update(ann.id, change)
    for action in (StatusAction.DEACTIVATE, StatusAction.ACTIVATE):
        api.users.change_status(ann.id, StatusChange(action=action))
    again = "What it changed was changed again since."
    assert obstacles("users.update") == [again, "", again, ""]
    assert obstacles("users.change_status") == [again, ""]
    entries = list(lines())
    with django_assert_num_queries(1):
        obstacles_of(entries)
