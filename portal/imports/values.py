"""Values of the service compared with those of a table, and in words."""

from enum import Enum
from typing import Any

from portal.contract.model import MASK
from portal.imports.columns import Column
from portal.imports.sheets.meanings import several, text_of
from portal.translation import gettext as _

_JOINED = "; "  # as exports have it


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
    """A value as people read it; what is secret is not."""
    if value in (None, "", []):
        return ""
    if column.is_secret:
        return MASK
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, list):
        return _JOINED.join(map(str, value))
    labels = (each.label for each in column.offered if str(each.value) == str(value))
    return next(labels, str(value))
