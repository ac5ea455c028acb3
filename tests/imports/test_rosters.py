"""Rosters as directories, HR systems and schools export them: each column is proposed for what it
is."""

from pathlib import Path

import pytest

from portal.imports import sheets
from portal.imports.columns import headings_of
from portal.people.imports.columns import COLUMNS, PersonImportRow, mapping_of, names_in

CASES = Path(__file__).parent / "cases" / "rosters"


def proposed(content):
    """Returns the mapping of a file, and the headings by the columns that they are proposed for."""
    table = sheets.read(content, headings=headings_of(COLUMNS))
    mapping = mapping_of(names_in(table.headers), table.headers).fitted(table)
    return (
        mapping,
        table,
        {name: heading for heading, name in zip(table.headers, mapping.names, strict=True) if name},
    )


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (
            "entra.csv",
            {
                "email": "userPrincipalName",
                "full_name": "displayName",
                "dept": "department",
                "status": "accountEnabled",
            },
        ),
        (
            "entra-template.csv",
            {
                "email": "User name [userPrincipalName] Required",
                "password": "Initial password [passwordProfile] Required",
                "first_name": "First name [givenName]",
                "full_name": "Name [displayName] Required",
            },
        ),
        (
            "okta.csv",
            {
                "email": "email",
                "first_name": "firstName",
                "last_name": "lastName",
                "dept": "department",
                "status": "status",
            },
        ),
        (
            "okta-login.csv",
            {
                "email": "login",
                "first_name": "firstName",
                "last_name": "lastName",
                "language": "locale",
            },
        ),
        (
            "workday.csv",
            {"email": "Work Email", "full_name": "Legal Name", "status": "Worker Status"},
        ),
        (
            "clever-students.csv",
            {"email": "Student_email", "first_name": "First_name", "last_name": "Last_name"},
        ),
        (
            "oneroster-users.csv",
            {
                "email": "email",
                "first_name": "givenName",
                "last_name": "familyName",
                "status": "status",
                "password": "password",
            },
        ),
        ("sis.csv", {"email": "login_id", "first_name": "first", "last_name": "last"}),
        (
            "canvas.csv",
            {
                "email": "email",
                "first_name": "first_name",
                "last_name": "last_name",
                "status": "status",
            },
        ),
    ],
)
def test_columns_of_roster_are_proposed_and_all_rows_read(case, expected):
    mapping, table, names = proposed((CASES / case).read_bytes())
    assert names == expected
    rows = list(mapping.rows(table, PersonImportRow))
    assert [row.problems for row in rows if row.problems] == []
    assert rows[0].name == "Jana Klee"
    assert all(row.name and "," not in row.name for row in rows)


def test_column_without_an_understood_value_is_not_proposed():
    content = b"email,time zone,license,pmi\nada@x.example,HQ,Seat 9,abc\n"
    assert proposed(content)[2] == {"email": "email", "pmi": "pmi"}


def test_table_headed_as_template_keeps_columns_of_wrong_values():
    content = b"row,problem,email,timezone\n2,Not a time zone,ada@x.example,Mars\n"
    assert proposed(content)[2] == {"email": "email", "timezone": "timezone"}
