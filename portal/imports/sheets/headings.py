"""Meanings of a table's headings, as people and other products write them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from portal.imports.sheets.words import common
from portal.translation import gettext_lazy, in_all_languages

_ACCENTS = re.compile("[\u0300-\u036f]")


def normal(heading: str) -> str:
    """A heading without case, accents, space, punctuation, and what stands in brackets."""
    text = re.sub(r"\[[^]]*\]|\([^)]*\)", "", unicodedata.normalize("NFKC", heading))
    return _bare(text) or _bare(heading)


def _bare(text: str) -> str:
    """Signs of other scripts that change a letter altogether, as Japanese ones do, are kept."""
    without = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", without))


def meant(headings: Iterable[str], columns: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The name of the column that each heading means; empty where that is not known, or another
    heading means it more likely.

    `columns` has by its name the headings that mean a column, normal ones, the likeliest first.
    """
    by_heading = {each: name for name, known in columns.items() for each in known}
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
    """Headings of these titles, in each language offered."""
    return frozenset(normal(each) for title in titles for each in in_all_languages(title))


# What the report of a job adds to the rows of a table that is imported again.
OF_REPORTS = headed(gettext_lazy("Row"), gettext_lazy("Problem"), gettext_lazy("State"))


def with_last_name(headings: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Reads a “name” beside a first name as the last name."""
    plain = {normal(each) for each in common("name")}
    places = [place for place, each in enumerate(headings) if normal(each) in plain]
    found = list(names)
    is_other = "first_name" in found and "last_name" not in found
    if is_other and len(places) == 1 and not found[places[0]]:
        found[places[0]] = "last_name"
    return tuple(found)
