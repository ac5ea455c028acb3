"""Headings of tables and names of choices, as users write them in many languages."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Self, TypeVar

from portal.translation import gettext_lazy, in_all_languages

E = TypeVar("E", bound=Enum)
_REQUIRED = re.compile(r"[\s*]required\s*\Z", re.IGNORECASE)
_ACCENTS = re.compile("[\u0300-\u036f]")


@dataclass(frozen=True)
class TableWords:
    """The words of one kind of table, beside the names and titles of its columns.

    `headings` are by column, the likeliest first, `values` by column and the name of a choice.
    """

    headings: Mapping[str, tuple[str, ...]]
    values: Mapping[str, Mapping[str, tuple[str, ...]]]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Returns the words of a file. Raises `KeyError` for an unknown list."""
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        values = {column: _whole(names) for column, names in data.get("values", {}).items()}
        return cls(_whole(data["headings"]), values)

    def meanings(self, column: str, kind: type[E]) -> dict[str, E]:
        """Returns the choices of a column by the words for them."""
        named = self.values.get(column, {})
        return {word: kind[name.upper()] for name, words in named.items() for word in words}


@cache
def common(name: str) -> tuple[str, ...]:
    """Returns a list that several kinds of table share. Raises `KeyError`."""
    return tuple(_common()[name])


@cache
def _common() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def _whole(lists: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(_included(words)) for name, words in lists.items()}


def _included(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        if word.startswith("*"):
            yield from common(word[1:])
        else:
            yield word


def normal(heading: str) -> str:
    """Returns a heading without case, accents, space, punctuation, text in brackets, and the word
    that it is required."""
    text = re.sub(r"\[[^]]*\]|\([^)]*\)", "", unicodedata.normalize("NFKC", heading))
    return _bare(_REQUIRED.sub("", text)) or _bare(heading)


def _bare(text: str) -> str:
    """Returns letters and digits alone; marks that change a letter, as in Japanese, are kept."""
    without = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", without))


def meant(headings: Iterable[str], columns: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Returns the name of each heading's column; empty if it has none, or another heading is more
    likely.

    `columns` has the normal headings of each column by its name, the likeliest first.
    """
    by_heading = {each: name for name, words in columns.items() for each in words}
    plain = [normal(heading) for heading in headings]
    names = [by_heading.get(heading, "") for heading in plain]
    for name in filter(None, set(names)):
        order = columns[name]
        places = [place for place, each in enumerate(names) if each == name]
        best = min(places, key=lambda place: order.index(plain[place]))
        for place in places:
            if place != best:
                names[place] = ""
    return tuple(names)


def headed(*titles: str) -> frozenset[str]:
    """Returns the headings of these titles, in each language."""
    return frozenset(normal(each) for title in titles for each in in_all_languages(title))


# Columns that the report of a job adds to the rows of a table.
OF_REPORTS = headed(gettext_lazy("Row"), gettext_lazy("Problem"), gettext_lazy("State"))


FULL_NAME = "full_name"
_DISPLAYED = "[displayname]"


def with_names(headings: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Reads a “name” beside a first name as the last name, and one alone as the whole name, which
    stands for nothing beside both. Directories add their own name of a field in brackets."""
    plain = {normal(each) for each in common("name")}
    shown = [_DISPLAYED in each.casefold() for each in headings]
    names = [FULL_NAME if is_shown else name for is_shown, name in zip(shown, names, strict=True)]
    places = [at for at, each in enumerate(headings) if normal(each) in plain and not shown[at]]
    parts = {"first_name", "last_name"}.intersection(names)
    results = ["" if len(parts) > 1 and name == FULL_NAME else name for name in names]
    if len(places) == 1 and not results[places[0]] and "last_name" not in results:
        results[places[0]] = "last_name" if parts else FULL_NAME
    return tuple(results if results.count(FULL_NAME) < 2 else names)
