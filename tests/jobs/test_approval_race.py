"""An approval that arrives while a worker ends another plan is decided by that plan alone."""

import threading
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection as database, connections as databases

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.contract.users import Users
from portal.jobs import planner, services
from portal.jobs.leases import JOBS
from portal.jobs.models import Job, JobState
from tests.support.job_pages import forced, item, seen, url
from tests.support.job_types import CreatePeople, DeletePeople
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db(transaction=True)

_TIMEOUT = 15.0
_LOCKS = ("BEGIN IMMEDIATE", "FOR UPDATE")  # SQLite, PostgreSQL


class Planner:
    """A worker at the end of a plan: it has the job's lock, and keeps it until let go."""

    def __init__(self, job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
        self._job = job
        self._release = planner.release
        self._is_locked = threading.Event()
        self.let_go = threading.Event()
        monkeypatch.setattr(planner, "release", self._release_late)
        self._thread = threading.Thread(target=self._plan)

    def _plan(self) -> None:
        try:
            taken = JOBS.acquire(self._job.pk)
            assert taken
            planner.plan(taken)
        finally:
            databases.close_all()

    def _release_late(self, *args: Any, **values: Any) -> None:
        self._is_locked.set()
        self.let_go.wait(_TIMEOUT)
        self._release(*args, **values)

    def __enter__(self) -> "Planner":
        self._thread.start()
        assert self._is_locked.wait(_TIMEOUT)
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go.set()
        self._thread.join(_TIMEOUT)
        assert not self._thread.is_alive()


@contextmanager
def when_it_asks_for_the_lock(do):
    """Calls `do` just before this thread asks for a lock that the planner has."""
    asked: list[str] = []

    def watch(execute, sql, *rest):
        if any(lock in sql for lock in _LOCKS):
            asked.append(sql)
            do()
        return execute(sql, *rest)

    with database.execute_wrapper(watch):
        yield asked


def approved_while_planned(client, job, monkeypatch):
    """Sends the approval while the job is being planned; it is decided when the plan is there."""
    with Planner(job, monkeypatch) as planner, when_it_asks_for_the_lock(planner.let_go.set) as it:
        assert Job.objects.get(pk=job.pk).state == JobState.PLANNING
        answer = client.post(url(job, "approve"), seen(job))
        assert it, "the approval did not wait for the planner"
    return answer


def drafted(connection, kind, **parameters):
    origin = Origin(connection.owner)
    return services.draft(origin, connection, kind, "A job", parameters=parameters)


def test_approved_plan_without_way_back_still_takes_proof(connection, administrator, monkeypatch):
    job = drafted(connection, "tests.delete", ids=["one", "two"])
    client = admin_client_for(administrator, recently=False)
    answer = approved_while_planned(client, job, monkeypatch)
    assert "/account/reauthenticate/" in answer["Location"]
    assert Job.objects.get().state == JobState.PLANNED
    assert not AuditEntry.objects.filter(operation="job.approve").exists()


def test_with_a_proof_the_plan_that_was_waited_for_runs(connection, administrator, monkeypatch):
    job = drafted(connection, "tests.delete", ids=["one", "two"])
    answer = approved_while_planned(admin_client_for(administrator), job, monkeypatch)
    assert answer["Location"] == url(job)
    assert Job.objects.get().state == JobState.RUNNING


def test_what_was_shown_of_earlier_plan_does_not_approve_next(
    connection, administrator, monkeypatch
):
    job = drafted(connection, CreatePeople.name, emails=["a@example.com"])
    with Planner(job, monkeypatch):
        pass
    earlier = seen(job)
    services.plan_again(Job.objects.get(), Origin(administrator))
    client = admin_client_for(administrator)
    with Planner(job, monkeypatch) as planner, when_it_asks_for_the_lock(planner.let_go.set):
        client.post(url(job, "approve"), earlier)
    assert Job.objects.get().state == JobState.PLANNED


def test_what_plan_needs_is_asked_of_plan_that_is_approved(connect, operator, monkeypatch):
    """An import needs what its rows do, and has no rows yet when the approval arrives."""

    def by_rows(_, job):
        return [Users.delete] if job.items.exists() else []

    monkeypatch.setattr(DeletePeople, "needs", by_rows)
    monkeypatch.setattr(planner, "check", lambda *_: None)  # the owner lost the role since
    connection = connect(operator)
    before = forced(connection, JobState.DONE, item(1)).items.get().pk
    job = drafted(connection, DeletePeople.name, ids=["one"])

    def plan_it_all():
        if Job.objects.get(pk=job.pk).state == JobState.PLANNING:
            with Planner(job, monkeypatch):
                pass

    client = admin_client_for(operator)
    with when_it_asks_for_the_lock(plan_it_all) as asked:
        answer = client.post(url(job, "approve"), {"seen": before + 1})
    assert asked
    assert services.plan_version(job) == before + 1
    assert answer.status_code == 403
    assert Job.objects.get(pk=job.pk).state == JobState.PLANNED
