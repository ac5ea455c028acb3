"""Golden files freeze the reading of tables by imports, so that no change goes unnoticed.

Where it is to be another, remove the file and run the test, which writes it; then read it.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from portal.account.resources import DeviceImportJob
from portal.imports.mapping import ImportRow, recognised
from portal.imports.sheets import read
from portal.meetings.spec import MEETINGS
from portal.people.imports import columns as people
from portal.people.imports.columns import PersonImportRow
from portal.sessions.imports import registrants, session_columns as sessions
from portal.sessions.imports.registrants import RegistrantImportRow
from portal.sessions.imports.session_rows import SessionImportRow

GOLDEN = Path(__file__).parent.parent / "golden"
Rows = Iterable[tuple[int, dict[str, Any], list[tuple[str, str]]]]


def _people(table):
    mapping = people.mapping_of(people.names_in(table.headers), table.headers)
    for row in mapping.rows(table, PersonImportRow):
        says = {
            **{name: getattr(row, name) for name in ("email", "do", "way", "licence", "status")},
            **{name: getattr(row, name) for name in ("profile", "groups", "im_groups")},
            "row": row.cells,
            "removal": row.removal and row.removal.sent(),
        }
        yield row.number, says, row.problems


def _sessions(table):
    names = sessions.recognised(table.headers, MEETINGS, ["Cost centre"])
    mapping = sessions.mapping_of(MEETINGS, names, table.headers)
    for row in mapping.of_table(table).rows(table, SessionImportRow):
        says = {"id": row.id, "host": row.host, "body": row.body, "cells": row.cells}
        yield row.number, {**says, "has_password": bool(row.password)}, row.problems


def _registrants(table):
    reading = registrants.reading_of(table.headers, takes_others=True)
    for row in reading.rows(table, RegistrantImportRow):
        yield row.number, {"data": row.values, "cells": row.cells}, row.problems


def _devices(table):
    names = recognised(table.headers, DeviceImportJob.all_columns)
    mapping = DeviceImportJob.mapped(names, table.headers)
    for row in mapping.rows(table, ImportRow):
        object_id = row.values.pop("id", "")
        row.check(DeviceImportJob.new, row.values)
        yield row.number, {"id": object_id, "values": row.values, "cells": row.cells}, row.problems


@pytest.mark.parametrize(
    ("name", "rows_of"),
    [
        ("people", _people),
        ("sessions", _sessions),
        ("registrants", _registrants),
        ("devices", _devices),
    ],
)
def test_table_is_read_as_it_was(name, rows_of):
    table = read((GOLDEN / f"{name}.csv").read_bytes())
    lines = [table.description]
    for number, says, problems in rows_of(table):
        lines += [f"row {number}", json.dumps(says, indent=1, sort_keys=True, ensure_ascii=True)]
        lines += [f"  ! {heading}: {words}" for heading, words in problems]
    found, path = "\n".join(lines) + "\n", GOLDEN / f"{name}.txt"
    if not path.exists():
        path.write_text(found)
        pytest.fail(f"{path} was written: read it")
    assert found == path.read_text()
