"""Tables from XLSX workbooks: what a sheet shows is what is read, within bounds."""

import io
import tracemalloc
import zipfile
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest

from portal.imports.sheets import Limits, Sheet, SheetUnreadable, read, template
from portal.imports.sheets.workbook import _rows
from tests.support.workbooks import SHEET, changed, sheet_xml, workbook

CASES = Path(__file__).parent / "cases"
HEAD = ("email", "value")


def _read_one(value, number_format=""):
    def edit(book):
        if number_format:
            book.active["B2"].number_format = number_format

    return read(workbook(HEAD, ("a@example.com", value), edit=edit)).rows[0].cells[1]


@pytest.mark.parametrize(
    ("value", "read_as"),
    [
        (1234567890, "1234567890"),
        (1234567890.0, "1234567890"),
        (1.5, "1.5"),
        ("0123456789", "0123456789"),
        (True, "TRUE"),
        (date(2026, 3, 9), "2026-03-09"),
        (datetime(2026, 3, 9, 14, 30), "2026-03-09T14:30:00"),
        (None, ""),
        ("  Łukasz 🦊 ", "  Łukasz 🦊 "),
    ],
)
def test_a_cell_is_read_as_the_sheet_shows_it(value, read_as):
    assert _read_one(value) == read_as


def test_midnight_is_read_where_the_format_shows_a_time():
    midnight = datetime(2027, 1, 1)
    for with_time in ("yyyy-mm-dd h:mm:ss", "dd.mm.yyyy hh:mm", "m/d/yyyy h:mm AM/PM"):
        assert _read_one(midnight, with_time) == "2027-01-01T00:00:00"
    for day_alone in ("yyyy-mm-dd", "[$-es-ES]d/m/yyyy", 'd" this "mmmm yyyy', "mmm-yy"):
        assert _read_one(midnight, day_alone) == "2027-01-01"


def test_times_of_formulas_are_read_to_the_second_as_shown():
    shown = {46447.41666666: "2027-03-01T10:00:00", 46447.99999999: "2027-03-02T00:00:00"}
    for value, read_as in shown.items():
        assert _read_one(value, "yyyy-mm-dd h:mm") == read_as
    assert _read_one(0.41666666, "h:mm") == "10:00:00"
    assert _read_one(1.06249999, "[h]:mm") == "25:30:00"


def test_zeros_that_a_format_shows_are_read():
    assert _read_one(12345, "000000") == "012345"


def test_first_visible_sheet_with_data_is_read_by_default():
    def edit(book):
        book.active.sheet_state = "visible"
        hidden = book.create_sheet("Hidden")
        hidden.append(["email"])
        hidden.append(["hidden@example.com"])
        hidden.sheet_state = "hidden"
        for name in ("People", "Others"):
            book.create_sheet(name).append(["email"])
            book[name].append([f"{name.lower()}@example.com"])

    content = workbook(edit=edit)
    table = read(content)
    assert (table.sheet, table.sheets) == ("People", ("People", "Others"))
    assert read(content, sheet="Others").rows[0].cells == ("others@example.com",)


def test_rows_keep_their_numbers_and_wrong_dimension_hides_none():
    rows = sheet_xml(
        b'<row r="3"><c r="A3" t="inlineStr"><is><t>email</t></is></c></row>'
        b'<row r="9"><c r="A9" t="inlineStr"><is><t>a@example.com</t></is></c></row>'
    ).replace(b"<sheetData>", b'<dimension ref="A1:A3"/><sheetData>')
    table = read(changed(workbook(("x",)), **{SHEET: rows}))
    assert [(row.number, row.cells) for row in table.rows] == [(9, ("a@example.com",))]


def _appearance(book):
    sheet = book.active
    sheet.row_dimensions[3].hidden = True
    sheet.row_dimensions.group(4, 4, hidden=True)
    sheet.column_dimensions.group("C", "D", hidden=True)
    sheet.merge_cells("E2:E5")
    sheet.merge_cells("A7:A9")  # beside which nothing stands


def test_hidden_parts_are_known_and_merged_cells_are_spread():
    head = ("email", "first", "action", "licence", "dept")
    rows = [(f"{n}@example.com", "A", "deactivate", "Pro", "Sales" * (n == 2)) for n in range(2, 6)]
    table = read(workbook(head, *rows, (), ("last@example.com",), edit=_appearance))
    assert [row.cells[4] for row in table.rows] == ["Sales"] * 4 + [""]
    assert "1 merged cell counts for each of its rows" in table.description
    assert (table.hidden_rows, table.hidden_columns) == ((3, 4), (2, 3))
    assert [row.number for row in table.shown.rows] == [2, 5, 7]
    assert Sheet.load(table.dump()) == table


def test_strict_open_xml_is_read_as_usual_workbooks_are():
    strict = (CASES / "people-strict.xlsx").read_bytes()
    assert read(strict).rows[0].cells[:2] == ("hid0@client.example", "H0")


def test_formula_counts_by_result_and_without_one_is_an_error():
    assert "without a result" in read(workbook(HEAD, ("a@example.com", "=1+1"))).rows[0].problem
    assert "without a result" in read(workbook(HEAD, ("=1+1",))).rows[0].problem
    worked = sheet_xml(
        b'<row r="1"><c r="A1" t="str"><v>email</v></c></row>'
        b'<row r="2"><c r="A2" t="str"><f>B2</f><v>a@example.com</v></c></row>'
    )
    row = read(changed(workbook(("x",)), **{SHEET: worked})).rows[0]
    assert (row.cells, row.problem) == (("a@example.com",), "")


def test_an_error_in_a_cell_is_not_taken_for_a_name():
    wrong = sheet_xml(
        b'<row r="1"><c r="A1" t="str"><v>email</v></c></row>'
        b'<row r="2"><c r="A2" t="e"><v>#N/A</v></c></row>'
    )
    row = read(changed(workbook(("x",)), **{SHEET: wrong})).rows[0]
    assert row.problem == "Cell A2 contains the error #N/A."


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_template_is_read_as_it_was_made(kind):
    table = read(template(kind, HEAD, ("a@example.com", "0012")))
    assert (table.headers, table.rows[0].cells) == (HEAD, ("a@example.com", "0012"))


def _zip(**parts):
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name.replace("__", "/"), content)
    return kept.getvalue()


def _many_sheets():
    return workbook(edit=lambda book: [book.create_sheet() for _ in _SHEETS[1:]])


GOOD = workbook(HEAD, ("a@example.com", "b"))
_CELLS = b'<c r="A1"/>' * 200_000
_MANY_TAGS = sheet_xml(b'<row r="1">' + _CELLS + b"</row>")
_AT_THE_END = sheet_xml(b'<row r="1048576"><c r="A1048576"/></row>')
_SHEETS = [f"xl/worksheets/sheet{number}.xml" for number in range(1, 6)]
_MERGED = sheet_xml(b'<row r="1"><c t="str"><v>a</v></c></row>').replace(
    b"</worksheet>", b'<mergeCell ref="A1:A1048576"/>' * 200_000 + b"</worksheet>"
)
_ENTITIES = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + sheet_xml(b"")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: changed(GOOD, xl__vbaProject_bin=b"").replace(
                b"vbaProject_bin", b"vbaProject.bin"
            ),
            "macros",
        ),
        (
            lambda: _zip(xl__workbook_bin=b"").replace(b"workbook_bin", b"workbook.bin"),
            "binary workbook",
        ),
        (lambda: _zip(mimetype=b"application/vnd.oasis.opendocument.spreadsheet"), "OpenDocument"),
        (lambda: _zip(letter=b"Dear"), "not a table"),
        (lambda: GOOD[: len(GOOD) // 2], "damaged"),
        (lambda: changed(GOOD, **{SHEET: b"<worksheet"}), "damaged"),
        (lambda: changed(GOOD, **{SHEET: None}), "no sheet has any data"),
        (lambda: changed(GOOD, **{SHEET: sheet_xml(b"")}), "no sheet has any data"),
        (lambda: changed(GOOD, **{SHEET: _MANY_TAGS}), "too large when"),
        (lambda: changed(GOOD, **{SHEET: _ENTITIES}), "too large when"),
        (lambda: changed(GOOD, **{SHEET: _MERGED}), "too large when"),
        (lambda: changed(GOOD, xl__media__big=b"\x00" * 130_000_000), "too large when"),
        (
            lambda: changed(GOOD, xl__styles_xml=b"<a/>" * 400_000).replace(
                b"styles_xml", b"styles.xml"
            ),
            "too large when",
        ),
        pytest.param(
            lambda: changed(GOOD, **{SHEET: sheet_xml(b'<row r="99999999999"><c/></row>')}),
            "too large when",
            marks=pytest.mark.deep,  # takes seconds while memory is traced
        ),
        pytest.param(
            lambda: changed(_many_sheets(), **dict.fromkeys(_SHEETS, _AT_THE_END)),
            "too large when",
            marks=pytest.mark.deep,  # takes seconds to make
        ),
        (lambda: workbook([f"c{n}" for n in range(500)], ["x"]), "more than 100 columns"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_plain_workbook_is_refused_in_little_memory(make, said):
    content = make()
    tracemalloc.start()
    try:
        with pytest.raises(SheetUnreadable, match=said):
            read(content)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


def test_a_directory_that_understates_its_sizes_does_not_help():
    honest = changed(GOOD, xl__media__big=b"\x00" * 20_000_000)
    lying = honest.replace((20_000_000).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != honest
    with pytest.raises(SheetUnreadable):
        read(lying)


def test_of_rows_that_are_not_in_the_file_none_is_read():
    rows = sheet_xml(
        b'<row r="1"><c t="str"><v>email</v></c></row>'
        b'<row r="1048576"><c t="str"><v>a@example.com</v></c></row>'
    )
    content = changed(GOOD, **{SHEET: rows})
    assert [row.number for row in read(content).rows] == [1_048_576]
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True)
    assert [number for number, _row in _rows(book.active)] == [1, 1_048_576]


def test_a_sheet_with_too_many_rows_is_refused():
    rows = sheet_xml(
        b"".join(b'<row><c t="str"><v>a%d</v></c></row>' % number for number in range(30))
    )
    with pytest.raises(SheetUnreadable, match="more than 20 rows"):
        read(changed(GOOD, **{SHEET: rows}), limits=Limits(rows=20))


def test_row_with_most_known_headings_names_the_columns():
    rows = [
        ("Registration Report",),
        ("Topic", "Meeting ID", "Start"),
        ("Budget", "123456789", "ada@example.com"),
        ("Attendee Details",),
        ("First Name", "Last Name", "Email", "Registration Time"),
        ("Ada", "Lovelace", "ada@example.com", "1 May"),
    ]
    text = "\n".join(";".join(row) for row in rows)
    headings = {"firstname", "lastname", "email", "topic"}
    for content in (workbook(*rows), text, text.encode("utf-16")):
        table = read(content, headings=headings)
        assert table.headers == rows[4]
        assert [(row.number, row.cells) for row in table.rows] == [(6, rows[5])]
        assert "above row 5" in table.description
    assert read(workbook(HEAD, ("Email", "b")), headings=headings).headers == HEAD
    long = "\n".join(
        ["Panelist,Email", *["P,p@a.example"] * 40, "Email,First Name,Last Name", "a,b,c"]
    )
    assert read(long, headings=headings).rows[0].number == 43


def test_sheet_with_headings_is_read_wherever_it_stands():
    def edit(book):
        for text in ("How to fill in this form", "One row for each person"):
            book.active.append([text])
        people = book.create_sheet("People")
        for row in (
            ["Our people"],
            [],
            ["As of May"],
            ["Email", "First name"],
            ["a@b.example", "A"],
        ):
            people.append(row)

    content, headings = workbook(edit=edit), {"email", "firstname"}
    table = read(content, headings=headings)
    assert (table.sheet, table.headers) == ("People", ("Email", "First name"))
    assert [row.number for row in table.rows] == [5]
    assert read(content, sheet=table.sheets[0], headings=headings).sheet == table.sheets[0]


def test_table_without_a_known_heading_says_where_was_looked():
    table = read(workbook(("Wer", "Was"), ("Ada", "x"), ("Bob", "y")), headings={"email"})
    words = "no heading was recognised down to row 3, so row 1 is taken for it"
    assert words in table.description
