"""`manage.py import_people`: the same import without a browser."""

import io
import signal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.jobs import running, services as jobs
from portal.jobs.leases import release
from portal.jobs.models import ItemState, Job, JobState
from tests.people.importing import new_email, table_of
from tests.support.jobs import approve
from tests.support.portal import member

pytestmark = pytest.mark.django_db


class Run:
    """A run of the command, with its output and status."""

    def __init__(self, *arguments: object, **options: Any) -> None:
        out, err = io.StringIO(), io.StringIO()
        self.status = 0
        try:
            call_command("import_people", *map(str, arguments), stdout=out, stderr=err, **options)
        except CommandError as error:
            self.status = error.returncode
            err.write(str(error))
        except SystemExit as error:
            self.status = int(error.code or 0)
        self.out, self.err = out.getvalue(), err.getvalue()


@pytest.fixture
def file(tmp_path):
    def write(*rows, name="people.csv"):
        path = tmp_path / name
        path.write_bytes(table_of(*rows))
        return path

    return write


def test_a_file_is_imported_and_the_status_says_that_all_is_well(connection, sandbox, file):
    emails = [new_email() for _ in range(30)]
    path = file(*({"Email": email, "Favourite colour": "red"} for email in emails))
    run = Run(path, connection="Sandbox", yes=True, way="custCreate")
    assert (run.status, run.err) == (0, "")
    assert "Not imported: Favourite colour." in run.out
    assert "30 done." in run.out
    assert all(sandbox.client.get(f"/users/{email}").status_code == 200 for email in emails)
    assert Job.objects.get().state == JobState.DONE
    again = Run(path, connection=connection.key, yes=True)
    assert (again.status, "30 unchanged." in again.out) == (0, True)


def test_zeros_are_put_back_where_that_is_asked_for(connection, file):
    path = file({"email": new_email(), "host_key": "12345"})
    assert Run(path, connection="Sandbox", dry_run=True).status == 1
    assert Run(path, connection="Sandbox", dry_run=True, fill_zeros=True).status == 0


def test_a_dry_run_shows_the_plan_and_sends_nothing(connection, person, file):
    path = file({"email": new_email()}, {"email": person.email, "dept": "Sales"}, {"email": "x"})
    run = Run(path, connection="Sandbox", dry_run=True)
    assert run.status == 1
    assert "Row 4, x: email: This is not an email address" in run.err
    assert [word for word in ("create", "change") if word in run.out] == ["create", "change"]
    assert Job.objects.get().state == JobState.CANCELLED
    assert not AuditEntry.objects.filter(operation__startswith="users.").exists()


def test_rows_that_fail_are_named_and_the_status_reports(connection, person, file):
    row = {"email": new_email(), "pmi": person.now()["pmi"]}
    run = Run(file(row), connection="Sandbox", yes=True)
    assert run.status == 1
    assert f"Row 2, {row['email']}: The person was created; their profile was refused" in run.err


def test_without_terminal_nothing_is_sent_that_was_not_agreed_to(connection, file):
    run = Run(file({"email": new_email()}), connection="Sandbox")
    assert run.status == 1
    assert "awaiting approval; --yes" in run.err
    assert Job.objects.get().state == JobState.PLANNED


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"connection": "Nowhere"}, "no such connection"),
        ({}, "Name the file and the connection"),
        ({"connection": "Sandbox"}, "Several have it: administrator@example.com, other@"),
        ({"connection": "Sandbox", "owner": "nobody@example.com"}, "no such connection"),
    ],
)
def test_what_cannot_be_begun_ends_with_another_status(connection, connect, file, options, said):
    connect(member("other@example.com", "administrator"))
    run = Run(file({"email": new_email()}), yes=True, **options)
    assert (run.status, said in run.err) == (2, True), run.err


def test_a_file_that_is_no_table_is_refused(connection, tmp_path):
    path = tmp_path / "people.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600)
    run = Run(path, connection="Sandbox", yes=True)
    assert (run.status, "old format" in run.err) == (2, True)
    assert Run(tmp_path / "nothing.csv", connection="Sandbox").status == 2


def test_an_interrupted_import_is_left_to_a_worker_or_resumed(connection, file, work, monkeypatch):
    def interrupted(job, _seconds):
        signal.raise_signal(signal.SIGINT)
        release(job)
        return True

    path = file(*({"email": new_email()} for _ in range(5)))
    with monkeypatch.context() as patched:
        patched.setattr(running, "run", interrupted)
        run = Run(path, connection="Sandbox", yes=True)
    job = Job.objects.get()
    assert (run.status, job.state) == (130, JobState.RUNNING)
    assert f"--resume {job.key}" in run.err
    resumed = Run(resume=job.key)
    assert (resumed.status, "5 done." in resumed.out) == (0, True)
    assert set(job.items.values_list("state", flat=True)) == {ItemState.DONE}


def test_a_paused_import_is_resumed(connection, file):
    Run(file({"email": new_email()}), connection="Sandbox")
    job = Job.objects.get()
    approve(job)
    jobs.pause(job, Origin(job.owner))
    assert Run(resume=job.key).status == 0
    assert Run(resume="nonesuch").status == 2
