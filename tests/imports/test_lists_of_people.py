"""Lists of people in the place of a table: read where people are imported, and nothing guessed."""

import pytest

from portal.imports.sheets import SheetUnreadable, read
from portal.people.imports import columns as people
from portal.people.imports.columns import PersonImportRow
from portal.sessions.imports import registrants
from portal.sessions.imports.registrants import RegistrantImportRow

HEADINGS = frozenset({"email", "firstname", "lastname", "department"})
ADA, GRACE = ("ada@a.example", "Ada", "Lovelace"), ("grace@a.example", "Grace", "Hopper")
NAMED = "Ada Lovelace <ada@a.example>"


@pytest.mark.parametrize(
    "content",
    [
        f"{NAMED}; Hopper, Grace <grace@a.example>",
        f"To: {NAMED}\rCc: Grace Hopper <grace@a.example>\r",
        f'Email\n{NAMED}\n"Hopper, Grace" <grace@a.example>\n',
        "ada@a.example,Ada,Lovelace\ngrace@a.example,Grace,Hopper",
        "Ada Lovelace\n<ada@a.example>\nGrace Hopper\n<grace@a.example>",
        f"\ufeff{NAMED};\r\n'Grace Hopper' <grace@a.example>;".encode(),
        f"{NAMED}; Grace Hopper <grace@a.example>".encode("utf-16"),
        "Email;First name;Last name\rada@a.example;Ada;Lovelace\rgrace@a.example;Grace;Hopper",
        'ï»¿"Email",First name,Last name\nada@a.example,Ada,Lovelace\ngrace@a.example,Grace,Hopper',
        "Email (@),First name,Last name\nada@a.example,Ada,Lovelace\ngrace@a.example,Grace,Hopper",
    ],
)
def test_people_are_read_however_they_are_listed(content):
    table = read(content, headings=HEADINGS)
    assert [row.cells for row in table.rows] == [ADA, GRACE]
    assert not any(row.problem for row in table.rows)


@pytest.mark.parametrize(
    "other",
    [
        "Hopper, Grace </o=House/cn=Recipients/cn=grace>",
        "Grace Hopper",
        "Grace Hopper\tgrace@a.example\tRequired",
        "Grace ada@b.example <grace@a.example>",
    ],
)
def test_whoever_cannot_be_told_is_asked_about_alone(other):
    for text in (f"{NAMED}\n{other}", f"{other}\n{NAMED}", f"{NAMED}; {other}"):
        rows = read(text, headings=HEADINGS).rows
        assert [row.cells for row in rows if not row.problem] == [ADA], text
        assert any(row.problem for row in rows), text


@pytest.mark.parametrize(
    "content",
    [
        b"ada@a.example,Ada\n",
        "ada@a.example\tAda\tLovelace\tSales",
    ],
)
def test_cells_without_headings_are_refused(content):
    with pytest.raises(SheetUnreadable, match="has to name the columns"):
        read(content, headings=HEADINGS)


def test_list_is_no_table_of_other_things():
    with pytest.raises(SheetUnreadable):
        read(NAMED, headings={"host", "email", "topic"})


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("Klee, Jana", ("Jana", "Klee")),
        ("Jana Klee (she/her)", ("Jana", "Klee")),
        ("Dr. Ada King", ("Dr. Ada", "King")),
        ("松本", ("松本", "")),
    ],
)
def test_whole_name_is_first_and_last_name_in_every_import(cell, names):
    table = read(f'Name,Email\n"{cell}",a@a.example\n')
    for kind, mapping in (
        (PersonImportRow, people.mapping_of(people.names_in(table.headers), table.headers)),
        (RegistrantImportRow, registrants.reading_of(table.headers)),
    ):
        assert mapping.problems() == []
        [row] = mapping.rows(table, kind)
        values = row.profile if kind is PersonImportRow else row.values
        assert (values.get("first_name"), values.get("last_name", "")) == names
