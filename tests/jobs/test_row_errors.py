"""What the data of one row causes ends that row, in words with a way on, and never its job."""

import pytest

from portal.access.http import Origin
from portal.jobs import undoing
from portal.jobs.models import JobState
from portal.people.imports.columns import PersonImportRow
from portal.people.imports.jobs import PeopleImportJob
from portal.people.imports.plan import PeopleImportPlan
from tests.people.importing import approved, new_email, plan_of

pytestmark = pytest.mark.django_db

__all__ = ["plan_of"]


@pytest.fixture
def three(plan_of):
    return lambda: plan_of(*({"email": new_email(name)} for name in ("ada", "bad", "eve")))


def _fails_for_bad(monkeypatch, owner, name):
    """Lets a method fail by a fault of the program for what is about the person `bad`."""
    function = getattr(owner, name)

    def call(*given, **named):
        if any(
            str(getattr(one, "email", "") or getattr(one, "label", "")).startswith("bad.")
            for each in given
            for one in (each if isinstance(each, list) else [each])
        ):
            raise KeyError("names")
        return function(*given, **named)

    monkeypatch.setattr(owner, name, call)


def _states(job):
    return [item.state for item in job.items.order_by("number")]


@pytest.mark.parametrize("step", ["_compared", "_creation"])
def test_row_that_cannot_be_planned_leaves_the_others(three, monkeypatch, step):
    _fails_for_bad(monkeypatch, PeopleImportPlan, step)
    job = three()
    assert (job.state, _states(job)) == (JobState.PLANNED, ["pending", "invalid", "pending"])
    row = job.items.get(state="invalid")
    [[_column, words]] = row.problems
    assert f"reference {job.key}/{row.number}" in words
    assert row.data["row"]["email"].startswith("bad.")


def test_row_that_cannot_be_read_leaves_the_others(three, monkeypatch):
    complete = PersonImportRow.complete

    def check(row):
        if row.values["email"].startswith("bad."):
            raise OverflowError
        complete(row)

    monkeypatch.setattr(PersonImportRow, "complete", check)
    job = three()
    assert (job.state, _states(job)) == (JobState.PLANNED, ["pending", "invalid", "pending"])


def test_row_whose_undo_cannot_be_planned_leaves_the_others(three, work, monkeypatch):
    job = work(approved(three()))
    _fails_for_bad(monkeypatch, PeopleImportJob, "undo_item")
    undo = work(undoing.undo(job, Origin(job.owner)))
    assert (undo.state, _states(undo)) == (JobState.PLANNED, ["pending", "invalid", "pending"])


@pytest.mark.parametrize("step", ["ended", "refused", "carry_out"])
def test_fault_in_a_row_that_runs_leaves_the_job_to_end(three, work, monkeypatch, step):
    job = three()
    if step == "refused":
        row = job.items.get(label__startswith="bad.")
        row.data["create"]["user_info"]["type"] = 2
        row.data["create"]["user_info"]["email"] = "x"
        row.save()
    _fails_for_bad(monkeypatch, PeopleImportJob, step)
    job = work(approved(job))
    assert job.state == JobState.DONE
    bad = job.items.get(label__startswith="bad.")
    if step == "ended":
        assert _states(job) == ["done"] * 3
    else:
        assert bad.state == "failed"
        assert step == "refused" or f"{job.key}/{bad.number}" in bad.message
