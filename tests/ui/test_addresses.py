"""Lists of people as they are pasted: whoever is written is read, and nobody else."""

import re
import time

import pytest
from hypothesis import given, settings, strategies as st
from pydantic import ValidationError

from portal.contract.webinars import Panelist
from portal.ui.addresses import Addressed, address_in, as_lines, people_in

ADA, GRACE, ALAN = ("Ada", "ada@a.example"), ("Grace", "grace@a.example"), ("Alan", "al@a.example")


def read(text):
    return [(one.name, one.email) for one in people_in(text)]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ada <ada@a.example>; Grace <grace@a.example>; Alan <al@a.example>", [ADA, GRACE, ALAN]),
        (
            "Ada <ada@a.example>, Grace <grace@a.example>,\r\n Alan <al@a.example>",
            [ADA, GRACE, ALAN],
        ),
        ("ada@a.example; grace@a.example", [("", ADA[1]), ("", GRACE[1])]),
        ("ada@a.example grace@a.example", [("", ADA[1]), ("", GRACE[1])]),
        ('"King, Ada" <ada@a.example>; Grace <grace@a.example>', [("King, Ada", ADA[1]), GRACE]),
        ("King, Ada <ada@a.example>, Grace <grace@a.example>", [("King, Ada", ADA[1]), GRACE]),
        ("Ada\n <ada@a.example>\nGrace\t<grace@a.example>", [ADA, GRACE]),
        ("<mailto:ada@a.example>; MAILTO:grace@a.example", [("", ADA[1]), ("", GRACE[1])]),
        ("ada@a.example (Ada), Grace (Navy) <grace@a.example>", [ADA, GRACE]),
        ("'Ada' <ada@a.example>", [ADA]),
        ("“Ada” <ada@a.example>\uff1bGrace <grace@a.example>", [ADA, GRACE]),
        ("Friends: Ada <ada@a.example>, grace@a.example;", [ADA, ("", GRACE[1])]),
        ('"ada@a.example" <ada@a.example>', [("", ADA[1])]),
        ("=?utf-8?q?J=C3=B6rg?= <ada@a.example>", [("Jörg", ADA[1])]),
        ("Ada ada@a.example; Grace, grace@a.example", [ADA, GRACE]),
        ("\u202aada@a.exam\u200bple\u202c\u3000", [("", ADA[1])]),
        ("Conor O'Donoghue <ada@a.example>", [("Conor O'Donoghue", ADA[1])]),
        ('"ada@a.example"; "grace@a.example"', [("", ADA[1]), ("", GRACE[1])]),
        ("ada@a.example <mailto:ada@a.example>", [("", ADA[1])]),
        ("'ada@a.example' <ada@a.example>, Grace <grace@a.example>", [("", ADA[1]), GRACE]),
        ("[Ada](mailto:ada@a.example?subject=Hello)", [ADA]),
        ("Ada [ada@a.example], Grace (grace@a.example)", [ADA, GRACE]),
        ("1. Ada <ada@a.example>\n\N{BULLET} Grace <grace@a.example>", [ADA, GRACE]),
        ("ada@a.example and Grace <grace@a.example>", [("", ADA[1]), GRACE]),
        ("ada@a.example | grace@a.example", [("", ADA[1]), ("", GRACE[1])]),
        ("Grace <grace@a.\r\n example>\u2028Ada <ada@a.example>", [GRACE, ADA]),
        (
            "\N{FULLWIDTH LESS-THAN SIGN}ada@a.example\N{FULLWIDTH GREATER-THAN SIGN}",
            [("", ADA[1])],
        ),
        ("Ada [SMTP:ada@a.example]; smtp:grace@a.example", [ADA, ("", GRACE[1])]),
        ("Ada &lt;ada@a.example&gt;; Grace &lt;grace@a.example&gt;", [ADA, GRACE]),
        ("<ada@a.example><grace@a.example>", [("", ADA[1]), ("", GRACE[1])]),
        (
            "Ada - ada@a.example\nada@a.example / grace@a.example",
            [ADA, ("", ADA[1]), ("", GRACE[1])],
        ),
        ("Ada <ada@a.example>, and Grace <grace@a.example>", [ADA, GRACE]),
        ("ada@a.example, y grace@a.example", [("", ADA[1]), ("", GRACE[1])]),
        ("Ada <ada@a.example>, Y Grace <grace@a.example>", [ADA, ("Y Grace", GRACE[1])]),
        ("Ada\u3164 (was ada@old.example) <ad\u200da@a.example>", [ADA]),
    ],
)
def test_a_list_is_read_as_mail_programs_write_it(text, people):
    assert [one.problem for one in people_in(text)] == [""] * len(people)
    assert read(text) == people


@pytest.mark.parametrize(
    "text",
    [
        "Ada, ada@a.example, Grace, grace@a.example",
        "Ada, Grace",
        '"grace@a.example" <ada@a.example>',
        "grace@a.example <ada@a.example>",
        "ada@a.example/grace@a.example",
    ],
)
def test_what_cannot_be_told_apart_is_said(text):
    assert any(one.problem for one in people_in(text))
    assert not any("@" in one.name for one in people_in(text))


def test_a_name_with_a_comma_has_the_last_name_first():
    assert Addressed("", "King, Ada").names == ("Ada", "King")
    assert Addressed("", "Ada King Lovelace").names == ("Ada King", "Lovelace")
    assert Addressed("", "Ada").names == ("Ada", "")


_WORD = st.text(st.sampled_from("abcdeéüßñžAøÅ李ق'-"), min_size=1, max_size=8).filter(
    lambda word: word.strip("'-") and "'" not in (word[0], word[-1])
)
_NAME = st.lists(_WORD, min_size=1, max_size=3).map(" ".join)
_LABEL = st.text(st.sampled_from("abcxyz09"), min_size=1, max_size=6)
_EMAIL = st.builds("{}.{}@{}.example".format, _LABEL, _LABEL, _LABEL)
_PERSON = st.tuples(_NAME, _NAME, _EMAIL)
_SEPARATORS = st.sampled_from([";", "; ", ",", ", ", "\n", ",\n", ",\r\n\t", ";\r\n  ", " ;\n\n"])

# How somebody is written, by first name, last name and address, and the name that is read of it.
_NOTATIONS = {
    "{0} {1} <{2}>": "{0} {1}",
    "{0} {1}<{2}>": "{0} {1}",
    '"{0} {1}" <{2}>': "{0} {1}",
    '"{1}, {0}" <{2}>': "{1}, {0}",
    "{1}, {0} <{2}>": "{1}, {0}",
    "'{0} {1}' <{2}>": "{0} {1}",
    "{0} {1} (at work) <{2}>": "{0} {1}",
    "{0} {1}\n<{2}>": "{0} {1}",
    "{0} {1}\r\n\t<{2}>": "{0} {1}",
    "{0} {1} [SMTP:{2}]": "{0} {1}",
    "{0} {1} \N{EN DASH} {2}": "{0} {1}",
    "{2} ({1}, {0})": "{1}, {0}",
    "[{2}]": "",
    "{0} {1} {2}": "{0} {1}",
    "{0} {1} <mailto:{2}>": "{0} {1}",
    "\u202a{0} {1}\u202c <\u200b{2}>": "{0} {1}",
    "{2} ({0} {1})": "{0} {1}",
    "<{2}>": "",
    "{2}": "",
    "mailto:{2}": "",
}


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(_PERSON, st.sampled_from(sorted(_NOTATIONS)), _SEPARATORS), max_size=6))
def test_a_list_in_any_notation_names_the_same_people(written):
    text = "".join(notation.format(*person) + after for person, notation, after in written)
    wanted = [(_NOTATIONS[notation].format(*person), person[2]) for person, notation, _ in written]
    assert read(text) == wanted
    assert read(as_lines(people_in(text))) == wanted
    assert not any(one.problem for one in people_in(text))


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab@.<>()[]\",;:\n\t ' é\u200b"), max_size=60))
def test_whatever_is_pasted_no_name_contains_an_address(text):
    for one in people_in(text):
        assert "@" not in one.name
        assert one.problem or one.email


@pytest.mark.parametrize(
    ("cell", "address"),
    [
        ("MAILTO:ada@a.example?cc=b@a.example", "ada@a.example"),
        ("Ada <ada@a.example>", "ada@a.example"),
        ("<ada@a.example>", "ada@a.example"),
        ("ada@a.example", "ada@a.example"),
        ("Ada King [SMTP:ada@a.example]", "ada@a.example"),
        ("Ada King (ada@a.example)", "ada@a.example"),
        ('"King, Ada" ada@a.example', "ada@a.example"),
        ("ada@a.example (Ada King)", "ada@a.example"),
        ("\N{BULLET} ada@a.example;", "ada@a.example"),
        ("Ada King", "Ada King"),
        ('"ada@a.example" <ada@a.example>', "ada@a.example"),
        ("'ada@a.example'", "ada@a.example"),
        ("\ufe0fada@a.exa\U000e0100mple", "ada@a.example"),
        ("a\u180bd\u17b5a@a.example", "ada@a.example"),
        ("Ada \ufe0f<a\ufe0fda@a.example>", "ada@a.example"),
        ("ａｄａ@a.example", "ada@a.example"),  # noqa: RUF001
    ],
)
def test_cell_of_one_person_gives_the_address(cell, address):
    assert address_in(cell) == address


@pytest.mark.parametrize(
    "cell",
    [
        "ada king@a.example",
        "ada,king@a.example",
        "ada:king@a.example",
        "ada|king@a.example",
        "<ada king@a.example>",
        "(ada)king@a.example",
        "ada@a.example; grace@a.example",
        "Ada <ada@a.example>, grace@a.example",
        "ada@a.example Sales",
        "write to ada@a.example",
        "ada @a.example",
    ],
)
def test_cell_with_words_around_an_address_is_refused(cell):
    with pytest.raises(ValueError, match=re.escape(cell)):
        address_in(cell)


@pytest.mark.parametrize(
    ("name", "is_taken"), [("Ada King", True), ("King Ada", True), ("Ada", False), ("", False)]
)
def test_words_before_an_address_are_only_the_name_beside_it(name, is_taken):
    cell = "Ada King ada@a.example" if name != "Ada" else "ada king@a.example"
    if is_taken:
        assert address_in(cell, name) == "ada@a.example"
    else:
        with pytest.raises(ValueError, match="is not one address"):
            address_in(cell, name)


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab@.<>()[]\",;:|\n\t ' é"), max_size=40))
def test_address_of_a_cell_is_never_a_part_of_a_word(text):
    try:
        address = address_in(text)
    except ValueError:
        return
    before, _address, after = text.rpartition(address or " ")
    assert address == text or not (re.search(r"[\w@]$", before) or re.match(r"[\w@]", after))


@pytest.mark.parametrize(
    "email",
    [
        "a\u200dda@a.example",
        "mailto:ada@a.example",
        "a(b)@a.example",
        "a\u2019b@a.example",
        "ada.@a.example",
        "a..b@a.example",
        "ada@-a.example",
        "ada@a_b.example",
        "ada@a.example\u3164",
        "a|b@\u2026.example",
        f"{'a' * 65}@a.example",
    ],
)
def test_an_address_that_mail_does_not_allow_is_refused(email):
    with pytest.raises(ValidationError):
        Panelist(email=email)


@pytest.mark.parametrize("email", ["o'b+x&y@a-b.example", "j\u00f6rg@m\u00fcller.example"])
def test_an_address_that_mail_allows_is_taken(email):
    assert Panelist(email=email).email == email


@pytest.mark.deep
@pytest.mark.parametrize("signs", ['"a@b', "(a) ", "<a@b", "a@b, ", "aaaa"])
def test_long_list_of_hostile_signs_is_read_in_proportion(signs):
    begun = time.process_time()
    people_in(signs * 8000)
    assert time.process_time() - begun < 3
