"""Widgets in the house's look; what they are made of is in `templates/ui/forms/`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django import forms

from portal.contract.choices import NumberChoice, TextChoice
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


Choices = type[TextChoice] | type[NumberChoice]


class Switch(forms.CheckboxInput):
    """On or off."""

    template_name = "ui/forms/switch.html"


class _Explained:
    """Choices, each with what it means."""

    explanations: dict[str, str] = {}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)  # type: ignore[misc]
        option["explanation"] = self.explanations.get(str(option["value"]), "")
        return option


class Cards(_Explained, forms.RadioSelect):
    """One of a few choices."""

    template_name = "ui/forms/cards.html"


class Checks(_Explained, forms.CheckboxSelectMultiple):
    """Some of a few choices."""

    template_name = "ui/forms/cards.html"


class Picks(forms.CheckboxSelectMultiple):
    """Some of many choices."""

    template_name = "ui/forms/picks.html"


class SecretInput(forms.PasswordInput):
    """A value that is typed in and never sent back; htmx keeps what was typed."""

    template_name = "ui/forms/secret.html"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        usual = {"autocomplete": "new-password", "spellcheck": "false", "hx-preserve": "true"}
        super().__init__({**usual, **(attrs or {})})


class TimeZones(forms.TextInput):
    """A time zone, found by typing a part of its name, or a city; a city stands for its zone."""

    template_name = "ui/forms/time_zones.html"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        return {**context, "zones": sorted(time_zone_ids()), "cities": cities().items()}

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        typed = super().value_from_datadict(data, files, name)
        return zone_of_city(typed) if isinstance(typed, str) else typed


class LinesInput(forms.Textarea):
    """A list of simple values, one on each line."""

    def format_value(self, value: Any) -> str:
        return "\n".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")


class SearchInput(forms.TextInput):
    """Search field of a list; `/` leads to it."""

    input_type = "search"

    def __init__(self, placeholder: str) -> None:
        super().__init__({"placeholder": placeholder, "autocomplete": "off", "spellcheck": "false"})
