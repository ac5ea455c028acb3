"""Tables from text: every separator, encoding and accident that files come with."""

import csv
import io
import re
import tomllib
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given, settings, strategies as st

from portal.access.cells import as_typed
from portal.imports.sheets import Limits, Sheet, SheetUnreadable, lost_zeros, plain, read
from portal.imports.sheets.garbled import is_garbled

CASES = Path(__file__).parent / "cases"
_TONES = "[\u0300\u0301\u0303\u0309\u0323]"
PEOPLE = "email,first_name\nanna@example.com,Anna\n"


def _cells(table):
    return [row.cells for row in table.rows]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_table_reads_same_in_any_encoding_and_with_any_separator(separator, codec):
    text = f"email{separator}name\r\nj@example.com{separator}Jürgen Weiß, Dr.\r\n"
    if separator == ",":
        text = text.replace("Jürgen Weiß, Dr.", '"Jürgen Weiß, Dr."')
    table = read(text.encode(codec))
    assert table.headers == ("email", "name")
    assert _cells(table) == [("j@example.com", "Jürgen Weiß, Dr.")]
    assert table.is_guess is (codec == "cp1252")


def test_an_encoding_can_be_named_where_another_would_be_guessed():
    content = "email,name\nl@example.com,Łukasz\n".encode("cp1250")
    assert _cells(read(content, encoding="cp1252")) == [("l@example.com", "£ukasz")]
    assert _cells(read(content, encoding="cp1250")) == [("l@example.com", "Łukasz")]


def _encoded(text, codec):
    """The text in an encoding; in that of Vietnamese, tones stand beside their letters."""
    if codec != "cp1258":
        return text.encode(codec)
    letters = (unicodedata.normalize("NFD", letter) for letter in text)
    apart = (
        unicodedata.normalize("NFC", re.sub(_TONES, "", one)) + "".join(re.findall(_TONES, one))
        for one in letters
    )
    return "".join(apart).encode(codec)


def guesses(case):
    """Yields each table of a file as it is read: its language, the sheet, and whether that is as it
    was saved."""
    for codec, languages in tomllib.loads((CASES / case).read_text()).items():
        for language, tables in languages.items():
            for table in tables:
                rows = [f"{n}@a.example,{row}" for n, row in enumerate(table.split("|"))]
                text = "\n".join(["Email,First name,Last name,Department", *rows])
                sheet = read(_encoded(text, codec))
                yield language, sheet, [",".join(row.cells) for row in sheet.rows] == rows


def test_names_of_all_countries_are_read_as_saved_or_doubted():
    made = list(guesses("encoded-names.toml"))
    assert [(language, sheet.rows) for language, sheet, is_right in made if not is_right] == []
    assert len(made) > 60
    assert sum(sheet.is_doubtful for _, sheet, _ in made) < len(made) / 4


def test_no_wrong_guess_of_unseen_names_is_without_a_doubt():
    made = list(guesses("encoded-names-unseen.toml"))
    wrong = [(language, sheet) for language, sheet, is_right in made if not is_right]
    assert [language for language, sheet in wrong if not sheet.is_doubtful] == []
    assert len(wrong) < len(made) / 20, [(name, sheet.encoding) for name, sheet in wrong]
    assert len({language for language, _, _ in made}) > 20


def test_chosen_encoding_that_makes_no_words_is_doubted():
    content = "email,name\n1@a.example,สมชาย ใจดี\n".encode("cp874")
    assert not read(content).is_doubtful
    assert read(content, encoding="cp1252").is_doubtful


@pytest.mark.parametrize(
    ("codecs", "is_doubtful"),
    [
        (("cp1252", "cp1252"), False),
        (("mac_roman", "mac_roman"), True),
        (("utf-8", "cp1252"), True),
        (("cp1252", "utf-8"), True),
    ],
)
def test_garbled_names_are_doubted_and_plain_ones_are_not(codecs, is_doubtful):
    rows = ("1@a.example,Jürg,Weiß", "2@a.example,Zoë,Çelik")
    lines = [row.encode(codec) for row, codec in zip(rows, codecs, strict=True)]
    table = read(b"\n".join([b"Email,First name,Last name", *lines]))
    assert table.is_doubtful is is_doubtful
    if is_doubtful:
        assert any(map(is_garbled, table.foreign()[:1]))


@pytest.mark.parametrize(
    "text",
    [
        "O\u2019Brien",
        "Gal·la",
        "Mª José",
        "MacDonald",
        "„Weiß“",
        "Über 5 m²",
        "§ 5",
        "Schütz\u2013Lüth",
    ],
)
def test_signs_that_words_have_are_not_garbled(text):
    assert not is_garbled(text)


def test_rows_are_numbered_as_a_spreadsheet_shows_them():
    table = read('email,note\n\na@example.com,"two\nlines"\n,,\nb@example.com,one\n')
    assert [(row.number, row.cells[1]) for row in table.rows] == [(3, "two\nlines"), (5, "one")]


def test_a_short_row_is_filled_up_and_a_long_one_is_not_trusted():
    table = read(
        "email,first,dept\na@example.com\nb@example.com,Bo,Sales,EMEA\nc@example.com,,,,\n"
    )
    short, long, padded = table.rows
    assert (short.cells, short.problem) == (("a@example.com", "", ""), "")
    assert "4 cells, for columns with a name: 3" in long.problem
    assert padded.problem == ""


def test_what_a_spreadsheet_says_of_the_separator_is_believed():
    table = read("sep=;\nemail;first,last\na@example.com;A,B\n")
    assert table.headers == ("email", "first,last")
    assert table.rows[0].number == 2


def test_a_single_column_is_a_table():
    assert read("email\na@example.com\nb@example.com").headers == ("email",)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_the_lines_of_every_system_are_told_apart(newline):
    assert len(read(PEOPLE.replace("\n", newline).encode()).rows) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\n\n , ,\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\x00" * 2000, "empty"),
        (b"email,first_name\n", "no data rows"),
        (b"anna@example.com,Anna\nbo@example.com,Bo\n", "has to name the columns"),
        (b"1234567890,Anna\n1,2\n", "has to name the columns"),
        (b'email,name\na@example.com,"Anna\nb@example.com,Bo\n', "never closed"),
        (b'email,name\na@example.com,"An"na\n', "Row 2 cannot be read"),
        (b"email,name\na@example.com,\x81\n", "means nothing there"),
        (bytes(range(256)) * 40, "means nothing there"),
        (bytes(range(32)) * 400, "not a text table"),
        (b"%PDF-1.7 anything", "a PDF"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"\x1f\x8b\x08 anything", "compressed"),
        (b"<!DOCTYPE html><table>", "web page"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600, "old format"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "password",
        ),
    ],
)
def test_what_is_no_table_is_refused_with_words(content, said):
    with pytest.raises(SheetUnreadable, match=said):
        read(content)


def test_row_with_control_character_is_not_trusted_alone():
    table = read(b"email,name\na@example.com,An\x00na\nb@example.com,Bo\n")
    assert "control character" in table.rows[0].problem
    assert table.rows[0].cells[1] == "An\ufffdna"
    assert not table.rows[1].problem


SMALL = Limits(size=60_000, rows=20, columns=5, cell=50, characters=2_000)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x" * 60_001, "larger than"),
        ("email\n" + "a\n" * 21, "more than 20 rows"),
        (",".join(f"c{n}" for n in range(500)) + "\na\n", "more than 5 columns"),
        ("a,b,c,d,e\n" + (",".join(["x" * 45] * 5) + "\n") * 10, "too much text"),
    ],
)
def test_each_bound_has_its_own_words(text, said):
    with pytest.raises(SheetUnreadable, match=said):
        read(text, limits=SMALL)


def test_a_cell_without_end_is_refused():
    with pytest.raises(SheetUnreadable, match="A cell in row 2 contains more than"):
        read("a,b\n" + "x" * 140_000)


def test_a_cell_that_is_too_long_spoils_its_row_alone():
    table = read(f"email,b\n{'x' * 51},1\ny,2\n", limits=SMALL)
    assert "more than 50 characters" in table.rows[0].problem
    assert not table.rows[1].problem


def test_lost_zeros_are_noticed_where_digits_are_counted():
    table = read("email,host_key\na,012345\nb,12345\nc,\nd,abc\ne,1\n")
    assert [row.number for row in lost_zeros(table, 1, 6)] == [3, 6]


def test_the_apostrophe_of_an_export_is_taken_off_again():
    table = read("email,'=a\n'=1+1 ,' -x\n'plain,'t Hooft;'-1\n")
    assert table.headers == ("email", "=a")
    assert [row.cells for row in table.rows] == [("=1+1 ", " -x"), ("'plain", "'t Hooft;-1")]
    assert plain(" =1+1\u200b") == "=1+1"


def test_a_table_survives_being_kept():
    table = read("email,name\na@example.com,An\x00na\nb@example.com,Łukasz\n")
    assert Sheet.load(table.dump()) == table


_text = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff"),
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(_text, min_size=3, max_size=3), min_size=1, max_size=8),
    st.sampled_from(",;\t|"),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_whatever_was_written_is_read(rows, separator, codec, newline):
    assume(any(any(cell.strip() for cell in row) for row in rows))
    written = io.StringIO()
    writer = csv.writer(written, delimiter=separator, lineterminator=newline, quoting=csv.QUOTE_ALL)
    writer.writerows([["email", "name", "dept"], *rows])
    table = read(written.getvalue().encode(codec))
    expected = [tuple(map(as_typed, row)) for row in rows if any(cell.strip() for cell in row)]
    assert _cells(table) == expected
    assert not any(row.problem for row in table.rows)


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=400),
        st.binary(max_size=400).map(lambda noise: b"PK\x03\x04" + noise),
        st.text(max_size=200).map(str.encode),
        st.tuples(st.just(b"email,name\n"), st.binary(max_size=200)).map(b"".join),
    )
)
def test_noise_is_a_table_or_refused_and_never_a_crash(content):
    try:
        table = read(content)
    except SheetUnreadable:
        return
    assert all(len(row.cells) == len(table.headers) for row in table.rows)


def test_rows_with_unseen_characters_are_named():
    table = read(
        "name,email\nAda,a\u200bda@a.example\nJoan,joan@a.example\n".encode(), limits=Limits()
    )
    assert "removed from 1 row: 2" in table.description
    assert plain(table.rows[0].cells[1]) == "ada@a.example"
