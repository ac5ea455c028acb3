"""Cells to values that any table may hold, as people and other products write them."""

from collections.abc import Mapping
from functools import cache

from tzlocal.windows_tz import win_tz

from portal.contract.types import time_zone_ids

_TRUE = frozenset(("true", "yes", "y", "on", "x", "1", "enabled", "ja", "oui", "wahr", "✓", "✔"))
_FALSE = frozenset(("false", "no", "n", "off", "0", "disabled", "nein", "non", "falsch", "-"))


def truth(text: str) -> bool:
    """Yes or no. Raises `ValueError` with words."""
    word = text.casefold()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError(f"“{text}” is neither yes nor no.")


def time_zone(text: str) -> str:
    """An id of the tz database, from one in any case or from a name of Windows.

    Raises `ValueError` with words.
    """
    found = _zones().get(text.casefold())
    if found is None:
        raise ValueError(f"“{text}” is no time zone, such as Europe/Berlin.")
    return found


@cache
def _zones() -> Mapping[str, str]:
    known = time_zone_ids()
    windows = {name.casefold(): zone for name, zone in win_tz.items() if zone in known}
    return windows | {zone.casefold(): zone for zone in known}
