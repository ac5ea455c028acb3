"""Cells to values that any table may hold, as people and other products write them."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from tzlocal.windows_tz import win_tz

from portal.contract.types import time_zone_ids
from portal.imports.sheets.table import plain
from portal.imports.sheets.words import common
from portal.translation import gettext as _

_SEPARATORS = re.compile(r"[;\n]")
_HIDDEN = re.compile(r"[*•·]{3,}")  # how exports show a password they do not have
_TRUE = {*common("yes"), "true", "yes", "y", "on", "x", "1", "enabled", "✓", "✔"}
_FALSE = {*common("no"), "false", "no", "n", "off", "0", "disabled", "-"}


def text_of(cell: str) -> str:
    """A cell as it is meant; empty where it says nothing."""
    return cell.strip() if cell.isascii() else unicodedata.normalize("NFC", plain(cell))


def several(text: str) -> list[str]:
    """Several values in one cell, between them semicolons or line breaks."""
    parts = (part.strip() for part in _SEPARATORS.split(text))
    return list(dict.fromkeys(part for part in parts if part))


def password(text: str) -> str:
    """A password; empty where stars stand for one that an export does not have."""
    return "" if _HIDDEN.fullmatch(text.strip()) else text


def truth(text: str) -> bool:
    """Yes or no. Raises `ValueError` with words."""
    word = text.casefold()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError(_("“%(text)s” is not valid. Enter yes or no.") % {"text": text})


def time_zone(text: str) -> str:
    """An id of the tz database, from one in any case or from a name of Windows.

    Raises `ValueError` with words.
    """
    found = _zones().get(text.casefold())
    if found is None:
        words = _("“%(text)s” is not a time zone. Example: Europe/Berlin.")
        raise ValueError(words % {"text": text})
    return found


@cache
def _zones() -> Mapping[str, str]:
    known = time_zone_ids()
    windows = {name.casefold(): zone for name, zone in win_tz.items() if zone in known}
    return windows | {zone.casefold(): zone for zone in known}
