"""What is said of an undo before something is done is what is offered after it: of every operation
that changes something, every page that calls one, and every type of job."""

import inspect
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import get_resolver, reverse

from portal.audit.models import AuditEntry, Outcome
from portal.audit.reading import lines
from portal.audit.undo import obstacle
from portal.audit.undo.recorded import inverse_operation
from portal.contract import operations
from portal.contract.inverse import Deletes, NoWayBack
from portal.contract.meetings import Meetings
from portal.contract.operation import Effect, Operation
from portal.contract.recordings import Recordings
from portal.contract.registrants import MeetingRegistrants
from portal.contract.users import Users
from portal.jobs import job_types, services
from portal.jobs.models import ItemState, Job, JobState
from portal.meetings.spec import MEETINGS
from portal.ui.views import ActionView
from tests.sessions.importing import carried_out, planned
from tests.support.cases import for_each
from tests.support.html import text_of

CANNOT = "cannot be undone"
WRITES = [one for one in operations() if one.effect is not Effect.READ and one.inverse]
TYPES = {name: kind for name, kind in job_types._JOB_TYPES.items() if not kind.reads_only}


def warning(operation):
    """Returns what a page says of the way back before it calls the operation."""
    page = SimpleNamespace(operation=lambda: operation)
    return ActionView.way_back(page)


def done(operation):
    """An entry of a call that was done, with all that could be recorded of it."""
    inverse: Any = operation.inverse
    ids = dict.fromkeys(operation.path_parameters, "1")
    only = getattr(inverse, "only", ("", ""))
    entry = AuditEntry(
        operation=operation.name,
        path=f"{operation.method} {operation.path.format(**ids)}",
        sent={only[0]: only[1]},
        before={getattr(inverse, "records", ""): [], "name": "Ada"},
        outcome=Outcome.DONE,
    )
    if isinstance(inverse, Deletes):
        entry.answer = AuditEntry(path=entry.path, object_id="2", outcome=Outcome.DONE)
    return entry


@for_each("operation", WRITES, ids=lambda one: one.name)
def test_a_call_that_cannot_be_undone_says_so_and_no_other(operation):
    entry = done(operation)
    says_no = CANNOT in warning(operation)
    assert says_no == (inverse_operation(entry) is None)
    assert says_no == bool(obstacle(entry)), obstacle(entry)


def _views():
    get_resolver().url_patterns  # noqa: B018 - imports all views
    pending: list[Any] = [ActionView]
    while pending:
        for view in pending.pop().__subclasses__():
            pending.append(view)
            needs = view.__dict__.get("needs")
            if isinstance(needs, Operation):
                yield view, needs
            name = view.__dict__.get("operation_name", "")
            yield from ((view, one) for one in WRITES if one.name == f"meetings.{name}")


def test_no_page_says_otherwise_in_words_of_its_own():
    found = list(_views())
    assert len(found) > 40
    wrong = [
        view.__name__
        for view, operation in found
        if CANNOT in inspect.getsource(view) and not isinstance(operation.inverse, NoWayBack)
    ]
    assert wrong == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "operation",
    [Meetings.update, MeetingRegistrants.add, Recordings.delete, Users.delete],
    ids=lambda one: one.name,
)
def test_a_job_says_what_its_undo_will_not_take_back(operation, connection, monkeypatch):
    for name, kind in TYPES.items():
        monkeypatch.setattr(type(kind), "needs", lambda _self, _job: [operation])
        job = Job(connection=connection, kind=name, state=JobState.DONE)
        says_no = bool(services.irreversible(job) or services.without_undo(job))
        is_taken_back = kind.has_undo and (
            operation.effect is not Effect.DESTRUCTIVE or kind.reverts(operation)
        )
        assert says_no == (not is_taken_back), name
        if not kind.has_undo:
            assert kind.undo(job) is None, name


@pytest.mark.django_db
def test_an_import_of_meetings_says_how_its_rows_are_undone(planner, host, work):
    row = {"Host": host.email, "Topic": "One by one", "Start": "2038-03-01 10:00"}
    job = planned(planner, MEETINGS, work, {**row, "Time zone": "Europe/Berlin"})
    address = reverse("jobs:job", args=[planner.connection.key, job.key])
    said = "Its changes are undone one by one, from the audit trail."
    assert said in text_of(planner.get(address))
    assert carried_out(job, work).items.get().state == ItemState.DONE
    assert "act-take-back" not in planner.get(address)
    entry = lines().filter(operation="meetings.create")[0]
    undo = reverse("changes:undo", args=[planner.connection.key, entry.sequence])
    page = text_of(planner.get(undo))
    assert "undone as a whole" not in page
    assert 'name="seen"' in planner.get(undo)
