"""A connection to the database that is lost holds nothing up, and leaves nothing open."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection as database

from portal.access.api import api_for
from portal.access.audit import trail
from portal.access.audit.chain import append, verify
from portal.access.grants import scope_of
from portal.access.models import AuditEntry, Connection, Outcome
from portal.contract.users import UserUpdate
from portal.jobs.running import Run
from portal.work import leases
from tests.support.job_runs import addresses, approved, on_the_account, states
from tests.support.jobs import Work
from tests.support.people import MakePerson
from tests.support.sandbox import Sandbox

pytestmark = pytest.mark.django_db
LOST = "server closed the connection unexpectedly"


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> list[OperationalError]:
    """As many ends as are in it are not taken by the database."""
    left: list[OperationalError] = []

    def failing(*entries: AuditEntry) -> None:
        if left and any(entry.intent_id for entry in entries):
            raise left.pop()
        append(*entries)

    monkeypatch.setattr(trail, "append", failing)
    return left


def open_writes() -> int:
    return AuditEntry.objects.filter(outcome=Outcome.BEGUN, intent=None, answer=None).count()


@pytest.mark.parametrize(("lost", "still_open"), [(1, 0), (2, 1)])
def test_how_a_write_ended_is_recorded_once_the_database_is_back(
    connection: Connection,
    make_person: MakePerson,
    failures: list[OperationalError],
    *,
    lost: int,
    still_open: int,
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


def test_an_end_that_was_written_unheard_is_not_written_twice(
    connection: Connection, make_person: MakePerson
):
    api_for(scope_of(connection.owner, connection)).users.update(
        make_person().id, UserUpdate(dept="Sales")
    )
    end = AuditEntry.objects.exclude(intent=None).latest("sequence")
    trail.later(trail.ended(end.intent, Outcome.DONE))
    trail.write_waiting()
    assert AuditEntry.objects.filter(intent=end.intent).count() == 1
    assert not trail._waiting


def test_a_job_is_given_back_at_once_and_every_row_has_its_end(
    connection: Connection, sandbox: Sandbox, work: Work, monkeypatch: pytest.MonkeyPatch
):
    emails = addresses(12)
    job = approved(connection, emails, work)
    record, turns = Run._record, iter([True])

    def losing(run: Run, written: Any, results: Any) -> None:
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


def test_a_lease_is_given_up_by_a_new_connection(
    connection: Connection, work: Work, monkeypatch: pytest.MonkeyPatch
):
    job = approved(connection, addresses(1), work)
    taken = leases.acquire(type(job)._default_manager.all(), job.pk, timedelta(minutes=1))
    assert taken is not None
    own, tries = leases._own, iter([OperationalError(LOST)])

    def losing(row: Any) -> Any:
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


@pytest.fixture
def hang_up() -> Iterator[Callable[[], None]]:
    """Ends this thread's connection at the server, as a restart or a proxy does."""
    if database.vendor != "postgresql":
        pytest.skip("SQLite has no connection to lose")
    other = database.copy()

    def end() -> None:
        with other.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(%s)", [database.connection.info.backend_pid]
            )

    yield end
    other.close()


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_server_ends_leaves_no_write_open(
    connection: Connection,
    make_person: MakePerson,
    monkeypatch: pytest.MonkeyPatch,
    hang_up: Callable[[], None],
):
    api, person, ends = api_for(scope_of(connection.owner, connection)), make_person(), iter([True])

    def losing(*entries: AuditEntry) -> None:
        if entries[0].intent_id and next(ends, False):
            hang_up()
        append(*entries)

    monkeypatch.setattr(trail, "append", losing)
    api.users.update(person.id, UserUpdate(dept="Sales"))
    assert open_writes() == 0


@pytest.mark.django_db(transaction=True)
def test_job_goes_on_at_once_after_server_ended_its_connection(
    connection: Connection,
    sandbox: Sandbox,
    work: Work,
    monkeypatch: pytest.MonkeyPatch,
    hang_up: Callable[[], None],
):
    emails = addresses(12)
    job = approved(connection, emails, work)
    record, turns = Run._record, iter([True])

    def losing(run: Run, written: Any, results: Any) -> None:
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
