"""Tables from lists of people, as mail programs and people write them: without headings."""

import re
from collections.abc import Collection
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from portal.imports.sheets.headings import normal
from portal.imports.sheets.limits import Limits
from portal.imports.sheets.table import Sheet, SheetRow, make, unseen_in_words
from portal.translation import gettext as _
from portal.ui.addresses import has_unseen, people_in

_NAMED = frozenset({"email", "firstname", "lastname"})  # headings as `normal` makes them
_CELLS = 3  # of a pasted row that may be one person: more are a table that lacks its headings
_SEPARATORS = "\t;,|"
_LINE = re.compile(r"[^\r\n]*\S[^\r\n]*")
_ADDRESS = re.compile(r"[^\s@<>(),;]@[^\s@<>(),;]")
_NAMED_ADDRESS = re.compile(r"<[^<>@\s]+@")


def takes_people(headings: Collection[str]) -> bool:
    """Returns whether a table of these headings is one of people."""
    return set(headings) >= _NAMED


def listed(text: str, headings: Collection[str], *, is_file: bool) -> str:
    """Returns the list in a text that names people from its first line on, or below a heading that
    stands alone; empty for others, such as a file with cells."""
    first, second = [*islice(map(itemgetter(0), _LINE.finditer(text)), 2), "", ""][:2]
    if _ADDRESS.search(first) or ("<" in first and _NAMED_ADDRESS.search(text)):
        is_one = first.count("@") == 1 and "<" not in first
        cells = max(map(first.count, _SEPARATORS))
        return "" if is_one and cells >= (1 if is_file else _CELLS) else text
    if _NAMED_ADDRESS.search(text) and not any(each in first for each in _SEPARATORS):
        return text.partition(first)[2] if normal(first) in headings else text
    return text if second.lstrip().startswith("<") else ""


def read(text: str, limits: Limits, **values: Any) -> Sheet:
    """Returns a row for each person. Raises `SheetUnreadable`."""
    lines = enumerate(text.splitlines(), start=1)
    unseen = unseen_in_words(number for number, line in lines if has_unseen(line))
    rows = (
        SheetRow(number, (one.email or one.text, *one.names), one.problem)
        for number, one in enumerate(people_in(text), start=1)
    )
    head = SheetRow(0, (_("Email"), _("First name"), _("Last name")))
    description = _("Names and email addresses") + unseen
    return make(chain([head], rows), limits, description=description, **values)
