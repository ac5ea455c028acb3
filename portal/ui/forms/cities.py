"""Time zones by the cities that people type."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from portal.contract.types import time_zone_ids

_FILE = Path(__file__).with_name("cities.toml")


@cache
def cities() -> Mapping[str, str]:
    """Returns the zones of cities after which none is called."""
    zones = tomllib.loads(_FILE.read_text())
    return {city: zone for zone, names in zones.items() for city in names}


@cache
def _zones() -> Mapping[str, str]:
    """Returns the zones of all cities by their names, those too that zones are called after."""
    called = {zone.rpartition("/")[2].replace("_", " "): zone for zone in sorted(time_zone_ids())}
    known = {**called, **cities(), **{zone: zone for zone in time_zone_ids()}}
    return {city.casefold(): zone for city, zone in known.items()}


def zone_of_city(typed: str) -> str:
    """Returns the zone of a city, or what was typed where it is none."""
    return _zones().get(typed.strip().casefold(), typed)
