"""Cells to values that any table may hold, as people and other products write them."""

from collections.abc import Mapping
from functools import cache

from tzlocal.windows_tz import win_tz

from portal.contract.types import time_zone_ids
from portal.imports.sheets.languages import NO, YES
from portal.translation import gettext as _

_TRUE = YES | frozenset(("true", "yes", "y", "on", "x", "1", "enabled", "✓", "✔"))
_FALSE = NO | frozenset(("false", "no", "n", "off", "0", "disabled", "-"))


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
