"""Tables from lists of people, as mail programs and people write them: without headings."""

from collections.abc import Collection, Iterator
from itertools import chain, islice
from typing import Any

from portal.imports.sheets.limits import Limits
from portal.imports.sheets.table import Sheet, SheetLine, make, unseen_in_words
from portal.translation import gettext as _
from portal.ui.addresses import has_unseen, people_in

_NAMED = frozenset({"email", "firstname", "lastname"})  # headings as `normal` makes them
_CELLS = 3  # of a pasted row that may be one person: more are a table that lacks its headings
_SEPARATORS = "\t;,|"


def takes_people(headings: Collection[str]) -> bool:
    """Returns whether a table of these headings is one of people."""
    return set(headings) >= _NAMED


def is_list(text: str, *, is_file: bool) -> bool:
    """Returns whether a text names people from its first line on; cells of a file are a table."""
    first, second = [*islice(filter(str.strip, _lines(text)), 2), "", ""][:2]
    if "@" not in first:
        return second.lstrip().startswith("<")
    is_one = first.count("@") == 1 and "<" not in first
    return not is_one or max(map(first.count, _SEPARATORS)) < (1 if is_file else _CELLS)


def read(text: str, limits: Limits, **values: Any) -> Sheet:
    """Returns a row for each person. Raises `SheetUnreadable`."""
    lines = enumerate(text.splitlines(), start=1)
    unseen = unseen_in_words(number for number, line in lines if has_unseen(line))
    rows = (
        SheetLine(number, (one.email or one.text, *one.names), one.problem)
        for number, one in enumerate(people_in(text), start=1)
    )
    head = SheetLine(0, (_("Email"), _("First name"), _("Last name")))
    description = _("Names and email addresses") + unseen
    return make(chain([head], rows), limits, description=description, **values)


def _lines(text: str) -> Iterator[str]:
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        yield text[begin:end]
        begin = end + 1
