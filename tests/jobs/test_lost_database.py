"""A connection to the database that is lost holds nothing up, and leaves nothing open."""

from datetime import timedelta
from threading import Event
from types import SimpleNamespace

import pytest
from django.db import InterfaceError, OperationalError, connection as database

from portal.access.grants import scope_of
from portal.audit import trail
from portal.audit.chain import append
from portal.audit.models import AuditEntry, Outcome
from portal.audit.verifying import verify
from portal.connections.api import api_for
from portal.contract.users import UserUpdate
from portal.jobs import running
from portal.jobs.running import Run
from portal.work import leases
from tests.support.job_runs import addresses, approved, on_the_account, states

pytestmark = pytest.mark.django_db
LOST = "server closed the connection unexpectedly"


@pytest.fixture
def failures(monkeypatch):
    """As many ends as are in it are not taken by the database."""
    left: list[OperationalError] = []

    def failing(*entries):
        if left and any(entry.intent_id for entry in entries):
            raise left.pop()
        append(*entries)

    monkeypatch.setattr(trail, "append", failing)
    return left


def open_writes():
    return AuditEntry.objects.filter(outcome=Outcome.BEGUN, intent=None, answer=None).count()


@pytest.mark.parametrize(("lost", "still_open"), [(1, 0), (2, 1)])
def test_how_a_write_ended_is_recorded_once_the_database_is_back(
    connection, make_person, failures, *, lost, still_open
):
    api, person = api_for(scope_of(connection.owner, connection)), make_person()
    failures += [OperationalError(LOST)] * lost
    api.users.update(person.id, UserUpdate(dept="Sales"))
    assert open_writes() == still_open
    api.users.update(person.id, UserUpdate(dept="Legal"))
    assert open_writes() == 0
    ends = AuditEntry.objects.filter(operation="users.update").exclude(intent=None)
    assert [end.outcome for end in ends] == [Outcome.DONE, Outcome.DONE]
    assert verify().problem == ""


def test_an_end_that_was_written_unheard_is_not_written_twice(connection, make_person):
    api_for(scope_of(connection.owner, connection)).users.update(
        make_person().id, UserUpdate(dept="Sales")
    )
    end = AuditEntry.objects.exclude(intent=None).latest("sequence")
    trail.later(trail.ended(end.intent, Outcome.DONE))
    trail.write_waiting()
    assert AuditEntry.objects.filter(intent=end.intent).count() == 1
    assert not trail._waiting


def test_a_job_is_given_back_at_once_and_every_row_has_its_end(
    connection, sandbox, work, monkeypatch
):
    emails = addresses(12)
    job = approved(connection, emails, work)
    record, turns = Run._record, iter([True])

    def losing(run, written, results):
        if results and next(turns, False):
            raise OperationalError(LOST)
        record(run, written, results)

    monkeypatch.setattr(Run, "_record", losing)
    with pytest.raises(OperationalError):
        work(job)
    job.refresh_from_db()
    assert (job.lease, job.leased_until) == (None, None)
    job = work(job)
    assert states(job) == {"done": 12}
    assert sorted(on_the_account(sandbox, emails)) == emails
    assert open_writes() == 0


def test_a_lease_is_given_up_by_a_new_connection(connection, work, monkeypatch):
    job = approved(connection, addresses(1), work)
    taken = leases.acquire(type(job)._default_manager.all(), job.pk, timedelta(minutes=1))
    assert taken is not None
    own, tries = leases._own, iter([OperationalError(LOST)])

    def losing(row):
        for failure in tries:
            raise failure
        return own(row)

    monkeypatch.setattr(leases, "_own", losing)
    closed: list[bool] = []
    lost = SimpleNamespace(
        in_atomic_block=False, is_usable=lambda: False, close=lambda: closed.append(True)
    )
    monkeypatch.setattr(leases, "connection", lost)
    assert leases.release(taken)
    assert closed


def test_lease_is_released_once_the_database_is_back(monkeypatch):
    tries = iter([InterfaceError("the connection is closed"), *[OperationalError(LOST)] * 2])

    def releasing(row, **values):
        for failure in tries:
            raise failure
        return values == {"failure": ""}

    monkeypatch.setattr(leases, "release", releasing)
    monkeypatch.setattr(leases, "_RELEASE_EVERY", 0.01)
    is_released = Event()
    leases.release_soon(SimpleNamespace(pk=1), released=is_released.set, failure="")
    assert is_released.wait(10)
    assert [*tries] == []


def test_job_whose_release_fails_is_released_soon(connection, work, monkeypatch):
    job = approved(connection, addresses(1), work)
    soon = []

    def releasing_soon(row, *, released, **values):
        soon.append(row.pk)

    def losing(run, values):
        raise OperationalError(LOST)

    monkeypatch.setattr(Run, "_turn", losing)
    monkeypatch.setattr(running, "release_soon", releasing_soon)
    with pytest.raises(OperationalError):
        work(job)
    assert soon == [job.pk]


@pytest.fixture
def hang_up():
    """Ends this thread's connection at the server, as a restart or a proxy does."""
    if database.vendor != "postgresql":
        pytest.skip("SQLite has no connection to lose")
    other = database.copy()

    def end():
        with other.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(%s)", [database.connection.info.backend_pid]
            )

    yield end
    other.close()


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_server_ends_leaves_no_write_open(
    connection, make_person, monkeypatch, hang_up
):
    api, person, ends = api_for(scope_of(connection.owner, connection)), make_person(), iter([True])

    def losing(*entries):
        if entries[0].intent_id and next(ends, False):
            hang_up()
        append(*entries)

    monkeypatch.setattr(trail, "append", losing)
    api.users.update(person.id, UserUpdate(dept="Sales"))
    assert open_writes() == 0


@pytest.mark.django_db(transaction=True)
def test_job_goes_on_at_once_after_server_ended_its_connection(
    connection, sandbox, work, monkeypatch, hang_up
):
    emails = addresses(12)
    job = approved(connection, emails, work)
    record, turns = Run._record, iter([True])

    def losing(run, written, results):
        if results and next(turns, False):
            hang_up()
        record(run, written, results)

    monkeypatch.setattr(Run, "_record", losing)
    with pytest.raises((OperationalError, InterfaceError)):
        work(job)
    job = work(job)
    assert states(job) == {"done": 12}
    assert sorted(on_the_account(sandbox, emails)) == emails
    assert open_writes() == 0
