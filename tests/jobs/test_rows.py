"""Rows of a job as files, ready to correct and to import again."""

import csv
from urllib.parse import quote

import pytest

from portal.audit.models import AuditEntry
from portal.imports import sheets
from portal.jobs.models import ItemState, JobState
from tests.support.job_pages import forced, item, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(connection):
    return forced(
        connection,
        JobState.DONE,
        item(2, ItemState.DONE),
        item(3, ItemState.FAILED, message="Taken.", problems=[["email", "Taken."], ["", "No."]]),
        item(4, ItemState.FAILED, label="=cmd|'/c calc'!A1", message=" =HYPERLINK(1)"),
        item(5, ItemState.INVALID, problems=[["email", "“x” is not an address."]]),
        title="Müller & Söhne / 2026",
    )


def read(client, address):
    answer = client.get(address)
    assert "2026%20%28" in quote(answer["Content-Disposition"], safe="%")
    assert answer["Cache-Control"] == "no-store"
    text = answer.getvalue().decode("utf-8-sig")
    return list(csv.DictReader(text.splitlines()))


def test_failed_rows_come_in_columns_of_kind_with_what_was_wrong(client, job):
    rows = read(client, url(job, "rows", "failed", "csv"))
    assert rows[0] == {
        "email": "person3@example.com",
        "Row": "3",
        "Problem": "Taken.; email: Taken.; No.",
    }
    assert [row["Row"] for row in rows] == ["3", "4"]


def test_no_cell_is_a_formula_and_an_import_reads_what_was_there(client, job):
    address = url(job, "rows", "failed", "csv")
    row = read(client, address)[1]
    assert row["email"] == "'=cmd|'/c calc'!A1"
    assert row["Problem"] == "' =HYPERLINK(1)"
    table = sheets.read(client.get(address).getvalue(), file_name="rows.csv")
    assert table.rows[1].cells[2] == "=cmd|'/c calc'!A1"


def test_all_rows_report_what_became_of_each(client, job):
    rows = read(client, url(job, "rows", "all", "csv"))
    assert [row["State"] for row in rows] == ["Done", "Failed", "Failed", "Has errors"]
    only = read(client, url(job, "rows", "invalid", "csv"))
    assert [row["Problem"] for row in only] == ["email: “x” is not an address."]


def test_a_kind_without_columns_gives_what_its_rows_are_called(client, connection):
    job = forced(
        connection,
        JobState.DONE,
        item(2, ItemState.FAILED),
        kind="tests.delete",
        title="Muller Sohne 2026",
    )
    rows = read(client, url(job, "rows", "failed", "csv"))
    assert rows == [{"Person": "person2@example.com", "Row": "2", "Problem": ""}]


def test_a_file_is_recorded_and_others_are_not_found(client, job):
    assert client.get(url(job, "rows", "failed", "xlsx")).status_code == 200
    sent = AuditEntry.objects.latest("sequence").sent
    assert (sent["file"], sent["rows"]) == ("xlsx", 2)
    assert client.get(url(job, "rows", "secret", "csv")).status_code == 404
    assert client.get(url(job, "rows", "failed", "exe")).status_code == 404
