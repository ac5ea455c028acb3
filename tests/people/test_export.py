"""People as files: what is listed or chosen, with its columns, recorded in the audit trail."""

import csv
import io
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from portal.access.cells import as_typed
from portal.access.http import Origin
from portal.audit.models import AuditEntry
from portal.directory import groups
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.imports import sheets
from portal.mirror.refresh import refresh
from portal.people.imports.columns import mapping_of, names_in
from portal.people.imports.jobs import draft
from portal.ui.models import ListColumns

pytestmark = pytest.mark.django_db


ALL = [
    "Email", "First name", "Last name", "Licence", "Department", "Status", "Last sign-in",
    "Time zone", "Personal meeting ID", "Created", "Groups", "IM groups", "User ID",
]  # fmt: skip


@pytest.fixture
def mirrored(connection):
    refresh(USERS.request(connection).pk)
    return connection


def url(connection, kind="csv", **query):
    return reverse("people:export", args=[connection.key, kind]) + "?" + urlencode(query)


def content(answer):
    assert answer.status_code == 200
    return b"".join(answer)


def table(answer):
    return list(csv.DictReader(io.StringIO(content(answer).decode("utf-8-sig"), newline="")))


def last_entry():
    return AuditEntry.objects.filter(operation="list.export").latest("sequence")


def test_file_holds_listed_in_their_order_under_words_of_screen(client, mirrored):
    rows = table(client.get(url(mirrored, status="inactive", sort="-email")))
    known = MirroredUser.objects.filter(status="inactive").order_by("-email")
    assert [row["Email"] for row in rows] == [person.email for person in known]
    assert list(rows[0]) == [
        "Email", "First name", "Last name", "Licence", "Department", "Status", "Last sign-in",
    ]  # fmt: skip


def test_all_columns_hold_all_that_is_known(client, mirrored):
    MirroredUser.objects.filter(pk=MirroredUser.objects.latest("pk").pk).update(
        pmi="0071234567", dept="=cmd|'/C calc'!A0", search="risky"
    )
    [row] = table(client.get(url(mirrored, q="risky", columns="all")))
    assert list(row) == ALL
    assert row["Personal meeting ID"] == "0071234567"
    assert row["Department"] == "'=cmd|'/C calc'!A0"
    assert row["Created"].endswith("+00:00")


def test_columns_that_somebody_chose_are_the_files_columns(client, mirrored):
    ListColumns.objects.create(
        user=mirrored.owner, list_name="people", columns=["name", "timezone"]
    )
    answer = client.get(url(mirrored))
    assert content(answer).decode("utf-8-sig").splitlines()[0] == (
        "Email,First name,Last name,Time zone"
    )


def test_a_workbook_holds_the_same(client, mirrored):
    book = load_workbook(io.BytesIO(content(client.get(url(mirrored, "xlsx", columns="all")))))
    sheet = book.worksheets[0]
    assert sheet.max_row == MirroredUser.objects.count() + 1
    assert [cell.value for cell in sheet[1]] == [
        f"{name} (UTC)" if name in ("Last sign-in", "Created") else name for name in ALL
    ]


def test_chosen_people_alone_are_in_the_file(client, mirrored):
    first, second = MirroredUser.objects.all()[:2]
    form = {"chosen": first.user_id, "kept": second.user_id, "matching": "status=pending"}
    rows = table(client.post(url(mirrored, columns="all"), form))
    assert {as_typed(row["User ID"]) for row in rows} == {first.user_id, second.user_id}


def test_all_that_match_are_in_the_file(client, mirrored):
    form = {"all": "1", "matching": "status=pending"}
    rows = table(client.post(url(mirrored), form))
    assert len(rows) == MirroredUser.objects.filter(status="pending").count() > 0


@pytest.mark.parametrize("matching", ["dept=No+such+department", "stauts=active", "type=9"])
def test_filters_that_are_not_understood_never_widen_a_choice(client, mirrored, matching):
    answer = client.post(url(mirrored), {"all": "1", "matching": matching})
    assert answer.status_code == 303
    assert not AuditEntry.objects.filter(operation="list.export").exists()


def test_nothing_chosen_leads_back_to_the_list(client, mirrored):
    assert client.post(url(mirrored), {"matching": ""}).status_code == 303


def test_the_trail_reports_who_took_what_out(client, mirrored):
    content(client.get(url(mirrored, status="pending", q="a")))
    sent = last_entry().sent
    assert sent["filter"] == "Search: a, Status: Pending"
    assert sent["file"] == "csv"
    assert "email" in sent["columns"]
    assert (
        sent["rows"] == MirroredUser.objects.filter(status="pending", search__contains="a").count()
    )
    assert last_entry().connection_key == mirrored.key


def test_no_other_kind_of_file_is_there(client, mirrored):
    assert client.get(url(mirrored, "exe")).status_code == 404


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_file_of_everybody_is_imported_again_without_a_change(
    client, mirrored, make_person, work, kind
):
    make_person(first_name="=Ada", last_name="@Byron")
    refresh(USERS.request(mirrored).pk)
    refresh(groups.GROUPS.request(mirrored).pk)
    file = content(client.get(url(mirrored, kind, columns="all")))
    table_read = sheets.read(file, file_name=f"people.{kind}")
    mapping = mapping_of(names_in(table_read.headers), table_read.headers)
    job = work(draft(Origin(mirrored.owner), mirrored, table_read, mapping))
    different = job.items.exclude(state="unchanged").values_list("label", "changes", "problems")
    assert list(different) == []
    assert job.items.count() == MirroredUser.objects.filter(connection=mirrored).count()
