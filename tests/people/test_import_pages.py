"""From an uploaded table to the job that imports it."""

import io
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.audit.models import AuditEntry
from portal.imports.models import StoredTable
from portal.imports.sheets import read
from portal.imports.sheets.headings import FULL_NAME
from portal.imports.tasks import erase_tables
from portal.jobs.models import ItemState, Job, JobFile
from portal.people.imports.columns import COLUMNS
from portal.people.models import StatedSeats
from tests.people.importing import new_email, table_of
from tests.support.html import form_with, text_of
from tests.support.portal import admin_client_for, member
from tests.support.spreadsheets import formulas_in_xlsx
from tests.support.workbooks import workbook

pytestmark = pytest.mark.django_db


def _url(connection, name="import", *more):
    return reverse(f"people:{name}", args=[connection.key, *more])


def _file(content, name="people.csv"):
    file = io.BytesIO(content)
    file.name = name
    return file


def _send(client, connection, content, name="people.csv"):
    return client.post(_url(connection), {"file": _file(content, name)}, follow=True)


def _mapping(answered):
    return form_with(answered.content.decode(), "column_0")


@pytest.fixture
def job_of(client, work):
    """Follows the mapping page to the job that it begins, with its plan."""

    def follow(form, **more):
        answered = client.post(form.action, form.values | more)
        assert answered.status_code == 303, text_of(answered.content.decode())
        job = Job.objects.get(key=answered.headers["Location"].rstrip("/").rpartition("/")[2])
        return work(job)

    return follow


def test_a_file_becomes_a_plan(client, connection, make_person, job_of):
    known, new = make_person(), new_email()
    content = table_of(
        {"Email Address [Required]": new, "First Name [Required]": "Grace", "Colour": "red"},
        {"Email Address [Required]": known.email, "First Name [Required]": known.name[:3]},
    )
    page = _send(client, connection, content)
    said = text_of(page.content.decode())
    assert "people.csv: 2 rows" in said
    assert "1 column is not imported “Colour”." in said
    assert "Grace" in said
    form = _mapping(page)
    assert [form.values[f"column_{n}"] for n in range(3)] == ["email", "first_name", ""]
    job = job_of(form, licence="2", way="custCreate", leave_out="2")
    assert job.title == "Import 2 rows of people.csv"
    assert [item.state for item in job.items.all()] == [ItemState.PENDING, ItemState.UNCHANGED]
    assert job.items.get(number=2).data["create"] == {
        "action": "custCreate",
        "user_info": {"email": new, "first_name": "Grace", "type": 2},
    }
    assert not StoredTable.objects.exists()
    assert not JobFile.objects.exists()


def test_columns_are_left_out_only_where_somebody_says_so(client, connection, job_of):
    row = {"Vorname": "Ada", "E-Mail": new_email(), "Farbe": "rot", "Haus": "7", "Leer": ""}
    form = _mapping(_send(client, connection, table_of(row)))
    assert "leave_out" in form.names
    refused = client.post(form.action, form.values)
    assert refused.status_code == 422
    said = text_of(refused.text)
    assert "2 columns are not imported “Farbe”, “Haus”." in said
    assert "Map these columns, or select this to skip them." in said
    other = client.post(form.action, form.values | {"leave_out": "2,3", "column_0": ""})
    assert other.status_code == 422, "what was confirmed is not what is left out"
    assert "“Vorname”, “Farbe”, “Haus”" in text_of(other.text)
    assert not Job.objects.exists()
    job = job_of(form, leave_out="3", column_2="dept")
    assert job.items.get().data["profile"] == {"dept": "rot"}


def test_what_a_sheet_hides_is_named_and_left_out_unless_wanted(client, connection, job_of):
    rows = [(new_email(), "Ada", "deactivate") for _ in range(5)]

    def filtered(book):
        for number in (3, 5, 6):
            book.active.row_dimensions[number].hidden = True
        book.active.column_dimensions["C"].hidden = True

    content = workbook(("Email", "First name", "action"), *rows, edit=filtered)
    page = _send(client, connection, content, "people.xlsx")
    said = text_of(page.text)
    assert "3 of 5 rows are hidden in the sheet" in said
    assert "The sheet hides the column “action”" in said
    job = job_of(_mapping(page))
    assert [item.number for item in job.items.all()] == [2, 4]
    assert {item.action for item in job.items.all()} == {"create"}
    assert "3 rows that the sheet hides are left out: 3, 5, 6." in str(job.notes)
    page = _send(client, connection, content, "people.xlsx")
    job = job_of(_mapping(page), with_hidden="on", column_2="action")
    assert job.items.count() == 5
    assert "3 rows that the sheet hides are imported too" in str(job.notes)


def test_names_that_may_be_garbled_are_checked_before_planning(client, connection, job_of):
    content = f"email,first_name\n{new_email()},สมชาย\n".encode("cp874")
    page = _send(client, connection, content)
    assert "names_checked" not in _mapping(page).names
    again = form_with(page.text, "encoding")
    page = client.post(again.action, again.values | {"encoding": "cp1252"}, follow=True)
    form = _mapping(page)
    refused = client.post(form.action, form.values)
    assert refused.status_code == 422
    assert "choose another encoding" in text_of(refused.text)
    assert job_of(form, names_checked="on").items.count() == 1


def test_column_without_a_value_of_the_choices_is_not_proposed(client, connection, job_of):
    row = {"mail": new_email(), "userType": "Member", "accountEnabled": "True", "dept": "Falconry"}
    form = _mapping(_send(client, connection, table_of(row)))
    chosen = ["email", "", "status", "dept"]
    assert [form.values[f"column_{n}"] for n in range(4)] == chosen
    job = job_of(form, leave_out="1")
    assert job.items.get().state == ItemState.PENDING
    assert "1 new department: Falconry (1 person)." in str(job.notes)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_rows_to_correct_keep_uploaded_columns_and_headings(client, connection, job_of, kind):
    rows = [("007", "Ada", "no address", "=4711+1"), ("8", "Grace", new_email(), "4712")]
    lines = (("Nr.", "Vorname", "E-Mail", "Kostenstelle"), *rows)
    content = "\n".join(map(";".join, lines)).encode()
    job = job_of(_mapping(_send(client, connection, content, "hr.csv")), leave_out="0,3")
    assert f"rows/invalid.{kind}" in client.get(job.get_absolute_url()).content.decode()
    assert "4711" not in str([item.data for item in job.items.all()])
    address = f"/c/{connection.key}/jobs/{job.key}/rows/invalid.{kind}"
    file = b"".join(client.get(address).streaming_content)
    table = read(file, file_name=f"rows.{kind}")
    assert table.headers == ("Row", "Problem", "Nr.", "Vorname", "E-Mail", "Kostenstelle")
    [row] = table.rows
    assert row.cells[0] == "2"
    assert row.cells[2:] == ("007", "Ada", "no address", "=4711+1")
    if kind == "xlsx":
        assert formulas_in_xlsx(file) == []


def test_table_in_other_language_is_understood(client, connection, job_of):
    head = "Vorname;Nachname;E-Mail;Abteilung;Lizenz;Zeitzone\n"
    email = new_email()
    content = f"{head}Käthe;Kollwitz;{email};Vertrieb;Lizenziert;Europe/Berlin\n".encode()
    form = _mapping(_send(client, connection, content))
    assert "leave_out" not in form.names
    data = job_of(form).items.get().data
    assert data["create"]["user_info"] == {
        "email": email,
        "first_name": "Käthe",
        "last_name": "Kollwitz",
        "type": 2,
    }
    assert data["profile"] == {"dept": "Vertrieb", "timezone": "Europe/Berlin"}


def test_pasted_rows_and_workbooks_are_tables_too(client, connection, job_of):
    pasted = f"email\tdept\n{new_email()}\tSales\n"
    job = job_of(_mapping(client.post(_url(connection), {"text": pasted}, follow=True)))
    assert job.title == "Import 1 row of a pasted table"
    rows = [("email", "pmi"), (new_email(), 1234567890)]
    job = job_of(_mapping(_send(client, connection, workbook(*rows), "people.xlsx")))
    assert job.items.get().data["profile"] == {"pmi": "1234567890"}


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"", "people.csv", "The file is empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "people.xls", "old format"),
        (b"ada@example.com,Ada\n", "people.csv", "has to name the columns"),
        (b"%PDF-1.7", "people.pdf", "a PDF"),
    ],
)
def test_what_cannot_be_read_is_said_at_the_file(client, connection, content, name, said):
    answered = _send(client, connection, content, name)
    assert answered.status_code == 422
    assert said in text_of(answered.content.decode())
    assert not StoredTable.objects.exists()


def test_either_a_file_or_rows_are_sent(client, connection):
    assert "Choose a file, or paste rows" in client.post(_url(connection), {}).content.decode()
    both = {"file": _file(b"email\na@example.com\n"), "text": "email\na@example.com\n"}
    assert "Choose a file or paste rows" in client.post(_url(connection), both).content.decode()


class _Flood(io.RawIOBase):
    """A form with a file of two gigabytes; `read_so_far` is how much of it was taken."""

    size = 2_000_000_000
    head = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n'
        b"Content-Type: text/csv\r\n\r\nemail\r\n"
    )

    def __init__(self) -> None:
        self.read_so_far = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if self.read_so_far == 0:
            self.read_so_far = len(self.head)
            return self.head
        size = min(65_536 if size < 0 else size, self.size - self.read_so_far)
        self.read_so_far += size
        return b"a" * size


@pytest.mark.parametrize("length", [_Flood.size, 12_000_000], ids=["announced", "understated"])
def test_a_flood_is_refused_long_before_its_end(client, connection, length):
    flood = _Flood()
    answered = client.generic(
        "POST",
        _url(connection),
        **{
            "wsgi.input": flood,
            "CONTENT_TYPE": "multipart/form-data; boundary=b",
            "CONTENT_LENGTH": str(length),
        },
    )
    assert answered.status_code == 413
    assert "larger than 10 MB" in text_of(answered.content.decode())
    assert flood.read_so_far < 12_000_000
    assert not StoredTable.objects.exists()


def test_too_much_that_is_pasted_is_refused(client, connection):
    answered = client.post(_url(connection), {"text": "email\n" + "a@example.com\n" * 250_000})
    assert answered.status_code == 413
    assert "upload it as a file" in text_of(answered.content.decode())


def test_a_table_waits_encrypted_and_is_erased_after_a_while(client, connection):
    secret = "canary-in-the-coal-mine"
    page = _send(client, connection, table_of({"email": new_email(), "password": secret}))
    kept = StoredTable.objects.get()
    assert secret not in f"{kept.sealed_file}{kept.sealed_table}"
    assert secret not in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert erase_tables() == 0
    StoredTable.objects.update(stored_at=timezone.now() - timedelta(hours=5))
    again = client.get(_url(connection, "import-columns", kept.key), follow=True)
    assert "has expired" in text_of(again.content.decode())
    assert erase_tables() == 1


def test_nobody_else_finds_the_table(client, connection, connect):
    _send(client, connection, table_of({"email": new_email()}))
    key = StoredTable.objects.get().key
    other = member("other@example.com", "administrator")
    theirs = connect(other)
    stranger = admin_client_for(other)
    assert stranger.get(_url(connection, "import-columns", key)).status_code == 404
    assert stranger.get(_url(theirs, "import-columns", key)).status_code == 303


def test_the_same_form_sent_twice_begins_one_job(client, connection, job_of):
    form = _mapping(_send(client, connection, table_of({"email": new_email()})))
    job = job_of(form)
    again = client.post(form.action, form.values)
    assert again.headers["Location"] == reverse("jobs:job", args=[connection.key, job.key])
    assert Job.objects.count() == 1


def test_what_two_columns_mean_alike_or_none_is_refused(client, connection):
    content = table_of({"login": "ada", "email": new_email(), "First name": "Ada"})
    form = _mapping(_send(client, connection, content))
    assert [form.values[f"column_{n}"] for n in range(3)] == ["", "email", "first_name"]
    twice = client.post(form.action, form.values | {"column_0": "email"})
    assert twice.status_code == 422
    assert "Several columns are mapped to “Email”" in text_of(twice.content.decode())
    none = client.post(form.action, form.values | {"column_1": ""})
    assert "Map a column to “Email”" in text_of(none.content.decode())


def test_passwords_ask_for_the_way_in_that_takes_them(client, connection, job_of):
    row = {"email": new_email(), "password": "long enough for anyone"}
    form = _mapping(_send(client, connection, table_of(row)))
    refused = client.post(form.action, form.values)
    assert refused.status_code == 422
    assert "The table has passwords" in text_of(refused.content.decode())
    assert job_of(form, way="autoCreate").items.get().state == ItemState.PENDING


def test_lost_zeros_are_said_and_put_back_on_request(client, connection, job_of):
    page = _send(client, connection, table_of({"email": new_email(), "host key": "12345"}))
    assert "“host key” has 6 digits, and fewer in 1 row (row 2)" in text_of(page.content.decode())
    assert "12345" not in text_of(page.content.decode()).replace("12345 becomes 012345", "")
    assert job_of(_mapping(page), fill_zeros="on").items.get().secret == {"host_key": "012345"}


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_an_export_of_the_list_comes_back_as_unchanged(
    client, connection, make_person, job_of, kind
):
    names = ["=1+1", "'t Hooft", "O\u2019Neill; Jr.", "Łukasz", "-"]
    people = [make_person(first_name=name) for name in names]
    page = client.get(reverse("people:export", args=[connection.key, kind]), {"columns": "all"})
    content = b"".join(page.streaming_content)
    sent = _send(client, connection, content, f"people.{kind}")
    job = job_of(_mapping(sent))
    assert {person.email for person in people} <= set(job.items.values_list("label", flat=True))
    assert set(job.items.values_list("state", flat=True)) == {ItemState.UNCHANGED}


def _templates(client, connection):
    for kind in ("csv", "xlsx"):
        yield client.get(_url(connection, "import-template", kind)).content


def test_templates_have_every_column_and_are_understood(client, connection, job_of):
    page = text_of(client.get(_url(connection)).content.decode())
    names = [name for name in COLUMNS if name != FULL_NAME]  # which stands for two of them
    for content in _templates(client, connection):
        assert list(read(content).headers) == names
        form = _mapping(_send(client, connection, content))
        assert [form.values[f"column_{n}"] for n in range(len(names))] == names
    assert all(column.help in page for column in COLUMNS.values())
    assert job_of(form).items.get().state == ItemState.PENDING


def test_seats_that_are_stated_stand_on_page_and_go_into_plan(client, connection, job_of):
    answered = client.post(_url(connection, "import-seats"), {"pro": "1", "corp": ""}, follow=True)
    assert "used of 1" in text_of(answered.content.decode())
    assert StatedSeats.objects.get().seats == 1
    assert AuditEntry.objects.get(operation="connection.seats").sent == {"Pro": 1}
    row = {"email": new_email(), "type": "Pro"}
    job = job_of(_mapping(_send(client, connection, table_of(row))))
    [_mailed, [tone, words]] = job.notes
    assert (tone, "more are needed" in words) == ("bad", True)
    wrong = client.post(_url(connection, "import-seats"), {"pro": "-1"})
    assert wrong.status_code == 422
