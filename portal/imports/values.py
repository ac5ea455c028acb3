"""Cells to values of the interface, and values to words, by what the contract says of a column."""

import re
import unicodedata
from collections.abc import Mapping
from enum import Enum
from typing import Any

from portal.imports.columns import Choice, Column
from portal.imports.sheets import plain
from portal.imports.sheets.headings import normal
from portal.imports.sheets.meanings import truth
from portal.translation import gettext as _

_SEPARATORS = re.compile(r"[;\n]")
_JOINED = "; "  # as exports have it


def text_of(cell: str) -> str:
    """A cell as it is meant; empty where it says nothing."""
    return unicodedata.normalize("NFC", plain(cell))


def several(text: str) -> list[str]:
    """Several values in one cell, between them semicolons or line breaks."""
    parts = (part.strip() for part in _SEPARATORS.split(text))
    return list(dict.fromkeys(part for part in parts if part))


def choice(kind: type[Choice], text: str, words: Mapping[str, Any]) -> Enum:
    """A choice by its label, its value or one of `words`. Raises `ValueError` with all of them."""
    own = {normal(each.label): each for each in kind}
    own |= {normal(str(each.value)): each for each in kind}
    found: Enum | None = {**words, **own}.get(normal(text))
    if found is None:
        listed = ", ".join(str(each.label) for each in kind)
        raise ValueError(_("“%(text)s” is none of: %(listed)s.") % {"text": text, "listed": listed})
    return found


def value_of(column: Column, text: str) -> Any:
    """The value, as JSON has it, that a text stands for. Raises `ValueError` with what is wrong.

    Limits are not checked here: the contract does that.
    """
    if column.kind:
        return choice(column.kind, text, column.words).value
    if column.spec and column.spec.is_list:
        return several(text)
    return truth(text) if column.spec and column.spec.kinds[0] is bool else text


def held(column: Column, thing: Any) -> Any:
    """Returns the value of an object in a column, as JSON has it."""
    value = getattr(thing, column.name, None)
    if column.spec and column.spec.is_list:
        return [str(each) for each in value or ()]
    return value.value if isinstance(value, Enum) else value


def is_same(present: Any, wanted: Any) -> bool:
    """Returns whether a value would be exported as the table has it."""
    if isinstance(wanted, list):
        return bool(present == wanted) or several(_JOINED.join(present or ())) == wanted
    if isinstance(wanted, str):
        return text_of(str(present or "")) == wanted
    return bool(present == wanted)


def in_words(column: Column, value: Any) -> str:
    """A value as people read it."""
    if value in (None, "", []):
        return ""
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, list):
        return _JOINED.join(map(str, value))
    return dict(column.choices).get(str(value), str(value))
