"""Many registrants at once: registered from a table, and decided, by jobs that ask first."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from openpyxl import Workbook

from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.imports.sheets import read
from portal.imports.sheets.headings import FULL_NAME
from portal.jobs import services as jobs
from portal.jobs.models import ItemState, Job, JobState
from portal.sessions.imports.registrants import (
    COLUMNS,
    RegisterPeopleJob,
    RegistrantImportRow,
    reading_of,
)
from portal.sessions.jobs import registrant_decisions
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.portal import admin_client_for
from tests.support.session_pages import url

pytestmark = pytest.mark.django_db

TABLE = """E-Mail,First Name,Surname,Company,Company size,Favourite pie?,Shoe size
ada@example.com,Ada,Lovelace,Engines,21 to 50,Apple,38
bob@example.com,Bob,Byron,'=1+1,,Cherry,
bob@example.com,Bob,Twice,,,,
nobody,Eve,Byron,,,,
eve@example.com,,Byron,,Huge,,
"""
LEAVE = {"leave_out": "6"}


def _path(session):
    return f"/{session.spec.family}/{session.id}/registrants"


def _register(sandbox, session, email, **more):
    body = {"email": email, "first_name": "A", "last_name": "B", **more}
    return str(sandbox.client.post(_path(session), json=body).json()["registrant_id"])


def _listed(sandbox, session, status="pending"):
    data = sandbox.client.get(_path(session), params={"status": status, "page_size": 300}).json()
    return list(data["registrants"])


def _send(client, connection, session, more, **sent):
    address = url(connection, session, "registrants-import")
    if "file" in sent:
        sent["file"] = SimpleUploadedFile(*sent["file"])
    form = _columns(client, client.post(address, sent))
    begun, again = (client.post(form.action, form.values | more) for _ in range(2))
    assert begun.status_code == 303, text_of(begun.text)
    assert again["Location"] == begun["Location"], "a second click began a second job"
    [job] = Job.objects.all()
    return job


def _columns(client, taken):
    """The page that asks for the columns."""
    assert taken.status_code == 303, text_of(taken.text)
    return form_with(client.get(taken["Location"]).text, "column_0")


def _read(text):
    return read(text, headings={each for one in COLUMNS.values() for each in one.headings})


def test_table_is_planned_row_by_row_and_then_registered(
    client, connection, session, sandbox, work
):
    pie = [{"title": "Favourite pie?", "value": "Plum"}]
    _register(sandbox, session, "ADA@example.com", custom_questions=pie)
    job = work(_send(client, connection, session, LEAVE, text=TABLE))
    assert job.state == JobState.PLANNED
    found = {
        item.number: (item.state, sorted(column for column, _words in item.problems))
        for item in job.items.all()
    }
    assert found == {
        2: (ItemState.UNCHANGED, []),
        3: (ItemState.PENDING, []),
        4: (ItemState.INVALID, ["E-Mail"]),
        5: (ItemState.INVALID, ["E-Mail"]),
        6: (ItemState.INVALID, ["Company size", "First Name"]),
    }
    said = " ".join(words for _tone, words in job.notes)
    assert "Surname as Last name" in said
    assert "not imported: Shoe size" in said
    assert len(_listed(sandbox, session)) == 1
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE
    [bob] = [one for one in _listed(sandbox, session) if one["email"] == "bob@example.com"]
    assert bob["org"] == "=1+1"
    assert bob["custom_questions"] == [{"title": "Favourite pie?", "value": "Cherry"}]
    item = job.items.get(number=3)
    assert (item.object_id, item.message) == (
        bob["id"],
        "The registration is pending approval.",
    )


def test_columns_of_registrants_are_left_out_only_if_chosen(client, connection, session):
    address = url(connection, session, "registrants-import")
    form = _columns(client, client.post(address, {"text": TABLE}))
    asked = client.post(form.action, form.values)
    assert asked.status_code == 422
    assert "“Favourite pie?”, “Shoe size”." in text_of(asked.text)
    assert not Job.objects.exists()
    assert client.post(form.action, form.values | {"takes_others": "on"}).status_code == 303


def test_workbook_is_read_and_other_columns_become_answers(
    client, connection, session, sandbox, work
):
    book, file = Workbook(), BytesIO()
    book.active.append(["Email", "First name", "Last name", "Shoe size"])
    book.active.append(["ada@example.com", "Ada", "Lovelace", "38"])
    book.save(file)
    upload = ("people.xlsx", file.getvalue())
    job = work(_send(client, connection, session, {"takes_others": "on"}, file=upload))
    approve(job)
    work(job)
    [ada] = _listed(sandbox, session)
    assert ada["custom_questions"] == [{"title": "Shoe size", "value": "38"}]


def test_a_worker_that_died_after_sending_registers_nobody_twice(
    client, connection, session, sandbox, work
):
    lines = "Ada Lovelace <ada@example.com>\nBob Byron <bob@example.com>"
    job = work(_send(client, connection, session, {}, text=lines))
    approve(job)
    _register(sandbox, session, "ada@example.com")
    job.items.update(state=ItemState.SENDING, attempts=1, first_sent_at=timezone.now())
    job = work(job)
    messages = dict(job.items.values_list("label", "message"))
    assert messages["Ada Lovelace, ada@example.com"] == "Found among the registrants."
    assert sorted(one["email"] for one in _listed(sandbox, session)) == [
        "ada@example.com",
        "bob@example.com",
    ]
    sent = AuditEntry.objects.filter(operation__endswith="_registrants.add", intent=None)
    assert sent.count() == 1


def test_what_is_no_table_is_refused_at_once(client, connection, session):
    address = url(connection, session, "registrants-import")
    assert client.post(address, {"text": " "}).status_code == 422
    both = {"text": TABLE, "file": SimpleUploadedFile("a.csv", TABLE.encode())}
    assert "Choose a file or paste rows" in client.post(address, both).text
    pdf = SimpleUploadedFile("a.pdf", b"%PDF-1.7 nothing")
    assert "This is a PDF" in client.post(address, {"file": pdf}).text
    assert Job.objects.count() == 0
    large = SimpleUploadedFile("a.csv", b"email,first_name\n" + b"x" * 10_000_001)
    assert client.post(address, {"file": large}).status_code == 413
    form = _columns(client, client.post(address, {"text": "Name,Size\nAda,38"}))
    lacking = client.post(form.action, form.values)
    assert lacking.status_code == 422
    assert "Map a column to “Email”" in text_of(lacking.text)
    assert Job.objects.count() == 0


def test_an_import_without_its_csrf_token_is_refused(administrator, connection, session):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(administrator)
    address = url(connection, session, "registrants-import")
    assert strict.post(address, {"text": TABLE}).status_code == 403
    assert Job.objects.count() == 0


def test_pasted_lines_without_headings_are_a_name_and_an_email():
    table = _read("Ada King Lovelace <ada@example.com>\n\nbob@example.com Bob")
    rows = list(reading_of(table.headers).rows(table, RegistrantImportRow))
    assert [(row.number, row.name, row.email) for row in rows] == [
        (1, "Ada King Lovelace", "ada@example.com"),
        (2, "Bob", "bob@example.com"),
    ]
    assert rows[0].values["last_name"] == "Lovelace"
    assert rows[1].problems == [("Last name", "This field is required.")]


def test_job_that_an_earlier_version_began_is_planned(connection, session, work):
    given = {"questions": [], "takes_others": True, "occurrence_ids": []}
    about = {"family": session.spec.registrants.name, "session_id": session.id}
    file = _read("Email,First name,Last name,Size\nada@example.com,Ada,L,38").dump()
    origin, kind = Origin(connection.owner), RegisterPeopleJob.name
    job = work(jobs.draft(origin, connection, kind, "Old", parameters=given | about, file=file))
    [item] = job.items.all()
    answers = [{"title": "Size", "value": "38"}]
    assert (item.state, item.data["registrant"]["custom_questions"]) == ("pending", answers)


def test_template_of_registrants_names_every_column(client, connection, session):
    template = client.get(url(connection, session, "registrants-import-template", "csv")).content
    table = read(template)
    assert table.headers == tuple(name for name in COLUMNS if name != FULL_NAME)
    [row] = reading_of(table.headers).rows(table, RegistrantImportRow)
    assert (row.label, row.problems) == ("Grace Hopper, grace.hopper@example.com", [])


def test_a_heading_that_comes_twice_means_the_first():
    reading = reading_of(["Email", "E-mail", "Titel"], takes_others=True)
    assert reading.names == ("email", "question:E-mail", "question:Titel")


def test_hundreds_are_decided_by_job_that_names_everybody(
    client, connection, session, sandbox, *, work, monkeypatch
):
    for number in range(34):
        _register(sandbox, session, f"p{number:02}@example.com")
    monkeypatch.setattr(registrant_decisions, "AT_ONCE", 5)
    address = url(connection, session, "registrants-decide", "approve")
    asked = client.post(address, {"all": "1", "matching": "status=pending"})
    assert "You preview the full list of names" in asked.text
    client.post(address, form_with(asked.text, "confirmed").values)
    [job] = Job.objects.all()
    job = work(job)
    assert job.items.count() == 34
    assert job.items.first().changes == [["Status", "Pending", "Approved"]]
    assert len(_listed(sandbox, session)) == 34
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE
    assert len(_listed(sandbox, session, "approved")) == 34
    sent = AuditEntry.objects.filter(operation__endswith="_registrants.change_status", intent=None)
    assert sent.count() == 2, "thirty at a time"


def test_one_who_is_gone_fails_alone_in_a_job(
    client, connection, session, sandbox, *, work, monkeypatch
):
    ids = [_register(sandbox, session, f"p{number}@example.com") for number in range(4)]
    monkeypatch.setattr(registrant_decisions, "AT_ONCE", 2)
    address = url(connection, session, "registrants-decide", "deny")
    asked = client.post(address, {"chosen": ids, "matching": "status=pending"})
    client.post(address, form_with(asked.text, "confirmed").values)
    job = work(Job.objects.get())
    body = {"action": "cancel", "registrants": [{"id": ids[1]}]}
    assert sandbox.client.put(f"{_path(session)}/status", json=body).status_code == 204
    approve(job)
    job = work(job)
    assert [item.state for item in job.items.all()] == ["done", "failed", "done", "done"]
    assert len(_listed(sandbox, session, "denied")) == 3


def test_a_viewer_imports_nobody(viewer, connect, session):
    mine = connect(viewer)
    browser = admin_client_for(viewer)
    sent = browser.post(url(mine, session, "registrants-import"), {"text": TABLE})
    assert sent.status_code == 403


def test_a_pasted_list_of_a_mail_program_is_a_person_each():
    text = "Ada Lovelace <ada@example.com>; Hopper, Grace <grace@example.com>; Alan"
    table = _read(text)
    rows = list(reading_of(table.headers).rows(table, RegistrantImportRow))
    assert [(row.name, row.email) for row in rows[:2]] == [
        ("Ada Lovelace", "ada@example.com"),
        ("Grace Hopper", "grace@example.com"),
    ]
    assert [bool(row.problems) for row in rows] == [False, False, True]


def test_characters_that_cannot_be_seen_register_nobody_twice():
    addresses = ["\u202aada@example.com\u202c", "mailto:bob@example.com", "eve@example.com\u3000"]
    text = "Email,First name,Last name\n" + "\n".join(f"{one},A,B" for one in addresses)
    table = _read(text)
    rows = list(reading_of(table.headers).rows(table, RegistrantImportRow))
    assert [row.email for row in rows] == ["ada@example.com", "bob@example.com", "eve@example.com"]
    assert not any(row.problems for row in rows)
