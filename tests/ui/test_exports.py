"""Promise 28: files that no spreadsheet runs, and that come back as they were."""

import csv
import io
from datetime import UTC, date, datetime
from operator import itemgetter

import pytest
from django.urls import reverse
from django.utils import timezone, translation
from hypothesis import example, given, settings, strategies as st
from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

from portal.access.cells import as_typed, harmless
from portal.imports import sheets
from portal.translation import gettext_lazy
from portal.ui.exports import Export, ExportColumn, answer, as_csv, as_xlsx, file_name
from tests.support.spreadsheets import formulas_in_csv, formulas_in_xlsx

COLUMNS = [
    ExportColumn("text", lambda row: row["text"]),
    ExportColumn("more", lambda row: row["more"]),
]
RISKY = [
    "=1+1",
    "+44 20 7946 0000",
    "-2",
    "@SUM(A1)",
    "\tb",
    "\rb",
    "  =cmd|' /C calc'!A0",
    "\N{FULLWIDTH EQUALS SIGN}1",
    "'=1",
]
HOSTILE_SIGNS = st.sampled_from("'=+-@;, \t\r\n\"\ufeff\uff1da1_x")
FAITHFUL = ["007", "", 'Ünï, "quoted"\nlines', "http://example.com", "'quoted'", "1e5", "O'Hara"]


def file_of(columns, rows, title="People"):
    return Export(title=title, name="people", what="", columns=columns, rows=rows, count=len(rows))


def read_csv(rows):
    text = "".join(as_csv(COLUMNS, rows))
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.mark.parametrize("text", RISKY)
def test_a_csv_cell_that_a_spreadsheet_would_run_is_made_a_text(text):
    [_, [cell, _]] = read_csv([{"text": text, "more": None}])
    assert cell == f"'{text}"
    assert as_typed(cell) == text


@pytest.mark.parametrize("text", FAITHFUL)
def test_any_other_cell_is_as_it_is(text):
    [_, [cell, _]] = read_csv([{"text": text, "more": None}])
    assert cell == text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("x;=cmd", "x;'=cmd"),
        ('x; "=cmd"', 'x;\' "=cmd"'),
        ("x\t@SUM(A1)", "x\t'@SUM(A1)"),
        ("two\n-2\nlines", "two\n'-2\nlines"),
        ("\t=1", "'\t'=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("a;b, -5; c-d", "a;b, -5; c-d"),
    ],
)
def test_text_at_split_of_other_spreadsheet_stays_text(text, cell):
    assert harmless(text) == cell
    assert as_typed(cell) == text


@given(st.text(HOSTILE_SIGNS, max_size=12))
def test_the_way_there_and_back_changes_nothing(text):
    assert as_typed(harmless(text)) == text


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(HOSTILE_SIGNS, max_size=8), min_size=2, max_size=4))
def test_no_spreadsheet_finds_a_formula_however_it_splits(texts):
    columns = [ExportColumn(f"{text}{at}", itemgetter(at)) for at, text in enumerate(texts)]
    file = "".join(as_csv(columns, [texts])).encode()
    assert formulas_in_csv(file) == []
    assert formulas_in_xlsx(as_xlsx(file_of(columns, [texts]), {}).read()) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(HOSTILE_SIGNS, max_size=8), min_size=2, max_size=4))
@example(["a", ";;"])
@example(["", '"', ";;;"])
def test_an_import_has_every_cell_and_header_back_as_it_was(texts):
    heads = [f"{text}h{at}".replace("\ufeff", "") for at, text in enumerate(texts)]
    columns = [ExportColumn(head, itemgetter(at)) for at, head in enumerate(heads)]
    cells = [*texts[1:], "end"]
    for content in (
        "".join(as_csv(columns, [cells])).encode(),
        as_xlsx(file_of(columns, [cells]), {}).read(),
    ):
        table = sheets.read(content)
        assert table.rows[0].cells == tuple(cells)
        assert table.headers == tuple(" ".join(column.name.split()) for column in columns)


def test_a_workbook_holds_texts_alone_whatever_they_look_like():
    texts = [*RISKY, *filter(None, FAITHFUL)]
    rows = [{"text": text, "more": index} for index, text in enumerate(texts)]
    sheet = load_workbook(as_xlsx(file_of(COLUMNS, rows), {})).active
    assert sheet is not None
    cells = [(row[0].value, row[0].data_type, row[1].value) for row in sheet.iter_rows(min_row=2)]
    values = [(unescape(str(text)), kind, number) for text, kind, number in cells]
    plain = {"+44 20 7946 0000"}  # a telephone number, which no program takes for more than one
    expected = [text if text in plain else harmless(text) for text in texts]
    assert values == [(text, "s", index) for index, text in enumerate(expected)]
    assert not any(row[0].hyperlink for row in sheet.iter_rows())


def test_numbers_beyond_what_a_spreadsheet_holds_are_texts():
    values = [2**53 + 1, 10**15 - 1, -(2**63), 1.5]
    columns = [ExportColumn(str(place), lambda row, place=place: row[place]) for place in range(4)]
    sheet = load_workbook(as_xlsx(file_of(columns, [values]), {"Group": 2**53 + 1})).active
    assert [cell.value for cell in sheet[2]] == [str(2**53 + 1), 10**15 - 1, str(-(2**63)), 1.5]
    written = "".join(as_csv(columns, [values]))
    assert f"{2**53 + 1},{10**15 - 1},{-(2**63)},1.5" in written


def test_times_are_iso_and_lists_are_reported():
    moment = datetime(2026, 11, 21, 14, 2, 5, tzinfo=UTC)
    [header, [first, second]] = read_csv([{"text": moment, "more": ["a", "b"]}])
    assert header == ["text", "more"]
    assert (first, second) == ("2026-11-21T14:02:05+00:00", "a; b")


def test_file_sent_later_has_the_words_of_who_asked():
    columns = [ExportColumn("on", itemgetter(0), gettext_lazy("Role"))]
    with translation.override("de"):
        pieces = as_csv(columns, [(True,)])
    assert "".join(pieces) == "\ufeffRolle\r\nJa\r\n"


def test_rows_are_asked_for_only_as_they_are_sent():
    taken: list[int] = []

    def rows():
        for number in range(5000):
            taken.append(number)
            yield {"text": number, "more": True}

    pieces = as_csv(COLUMNS, rows())
    next(pieces)
    next(pieces)
    assert len(taken) < 1000


@pytest.mark.django_db
def test_workbook_of_list_says_what_it_is(client, connection):
    answered = client.get(reverse("people:export", args=[connection.key, "xlsx"]))
    assert f"People Sandbox {date.today()}.xlsx" in answered["Content-Disposition"]
    content = answered.getvalue()
    said = {row[0].value: row[1].value for row in load_workbook(io.BytesIO(content))["About"]}
    assert (said["Account"], said["Rows"], said["Time zone"]) == ("Sandbox", 0, "UTC")
    assert load_workbook(io.BytesIO(content)).sheetnames[1:] == ["About"], "rows come first"


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_file_is_a_download_that_nobody_caches(kind):
    response = answer(kind, file_of(COLUMNS, [{"text": "a", "more": 1}]), facts={})
    assert f'filename="people.{kind}"' in response["Content-Disposition"]
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Cache-Control"] == "no-store"


def test_workbook_for_people_has_words_days_and_numbers():
    began = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)
    columns = [
        ExportColumn("start_time", itemgetter(0), "Start", is_moment=True),
        ExportColumn("phone_number", itemgetter(1), "Number"),
        ExportColumn("topic", itemgetter(2), "Topic"),
    ]
    rows = [(began, "+49 30 1234567", "=1"), ("2026-11-21T23:30:00Z", "", "")]
    with timezone.override("Europe/Berlin"):
        sheet = load_workbook(as_xlsx(file_of(columns, rows, "Calls: [all]"), {})).active
    assert sheet is not None
    assert sheet.title == "Calls   all"
    assert [cell.value for cell in sheet[1]] == ["Start (Europe/Berlin)", "Number", "Topic"]
    local = datetime(2026, 11, 22, 0, 30)
    assert [cell.value for cell in sheet[2]] == [local, "+49 30 1234567", "'=1"]
    assert (sheet["A3"].value, sheet["A3"].is_date) == (local, True)


def test_file_name_has_no_signs_that_systems_refuse():
    name = file_name("use", 'A/B: "C"', "2026-03-01 to 2026-03-31", "")
    assert name == "use A B C 2026-03-01 to 2026-03-31"
    assert len(f"{file_name('ก' * 190)} (12).xlsx".encode()) <= 255
