"""Promise 28: files that no spreadsheet runs, and that come back as they were."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

from portal.ui.cells import as_typed, harmless
from portal.ui.exports import Column, answer, as_csv, as_xlsx

COLUMNS = [Column("text", lambda row: row["text"]), Column("more", lambda row: row["more"])]
RISKY = [
    "=1+1",
    "+44 20 7946 0000",
    "-2",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "  =cmd|' /C calc'!A0",
    "\N{FULLWIDTH EQUALS SIGN}1",
    "'=1",
]
FAITHFUL = ["007", "", 'Ünï, "quoted"\nlines', "http://example.com", "'quoted'", "1e5", "O'Hara"]


def read_csv(rows: list[dict[str, Any]]) -> list[list[str]]:
    text = "".join(as_csv(COLUMNS, rows))
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.mark.parametrize("text", RISKY)
def test_a_csv_cell_that_a_spreadsheet_would_run_is_made_a_text(text: str):
    [_, [cell, _]] = read_csv([{"text": text, "more": None}])
    assert cell == f"'{text}"
    assert as_typed(cell) == text


@pytest.mark.parametrize("text", FAITHFUL)
def test_any_other_cell_is_as_it_is(text: str):
    [_, [cell, _]] = read_csv([{"text": text, "more": None}])
    assert cell == text


@given(st.text(st.sampled_from("'=+-@ \t\r\na1"), max_size=8))
def test_the_way_there_and_back_changes_nothing(text: str):
    assert as_typed(harmless(text)) == text
    assert not harmless(text).lstrip().startswith(("=", "+", "-", "@"))


def test_a_workbook_holds_texts_alone_whatever_they_look_like():
    texts = [*RISKY, *filter(None, FAITHFUL)]
    rows = [{"text": text, "more": index} for index, text in enumerate(texts)]
    sheet = load_workbook(as_xlsx(COLUMNS, rows)).active
    assert sheet is not None
    cells = [(row[0].value, row[0].data_type, row[1].value) for row in sheet.iter_rows(min_row=2)]
    told = [(unescape(str(text)), kind, number) for text, kind, number in cells]
    assert told == [(text, "s", index) for index, text in enumerate(texts)]
    assert not any(row[0].hyperlink for row in sheet.iter_rows())


def test_times_are_iso_and_lists_are_told():
    moment = datetime(2026, 11, 21, 14, 2, 5, tzinfo=UTC)
    [header, [first, second]] = read_csv([{"text": moment, "more": ["a", "b"]}])
    assert header == ["text", "more"]
    assert (first, second) == ("2026-11-21T14:02:05+00:00", "a; b")


def test_rows_are_asked_for_only_as_they_are_sent():
    taken: list[int] = []

    def rows() -> Iterator[dict[str, Any]]:
        for number in range(5000):
            taken.append(number)
            yield {"text": number, "more": True}

    pieces = as_csv(COLUMNS, rows())
    next(pieces)
    next(pieces)
    assert len(taken) < 1000


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_file_is_a_download_that_nobody_caches(kind: str):
    response = answer(kind, "people", COLUMNS, [{"text": "a", "more": 1}])
    assert f'filename="people.{kind}"' in response["Content-Disposition"]
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Cache-Control"] == "no-store"
