"""Widgets and fields in the house's look; their templates are in `templates/ui/forms/`."""

import tomllib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django import forms

from portal.access.grants import recipients_of
from portal.access.models import Connection, User
from portal.access.typed_secrets import TypedSecretInput
from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.operation import AnyOperation
from portal.contract.types import time_zone_ids
from portal.translation import gettext as _, gettext_lazy, ngettext
from portal.ui.addresses import Addressed, as_lines, people_in

_FILE = Path(__file__).with_name("cities.toml")
_GMT = "Z"
_ROUNDS = 4  # until a list of odd signs is written as it is read again
Choices = type[TextChoice] | type[NumberChoice]


@cache
def cities() -> Mapping[str, str]:
    """Returns the zones of cities after which none is called."""
    zones = tomllib.loads(_FILE.read_text())
    return {city: zone for zone, names in zones.items() for city in names}


@cache
def _zones() -> Mapping[str, str]:
    """Returns the zones of all cities by their names, those too that zones are called after."""
    called = {zone.rpartition("/")[2].replace("_", " "): zone for zone in sorted(time_zone_ids())}
    zones = {**called, **cities(), **{zone: zone for zone in time_zone_ids()}}
    return {city.casefold(): zone for city, zone in zones.items()}


class Switch(forms.CheckboxInput):
    """On or off."""

    template_name = "ui/forms/switch.html"


class _Explained(forms.widgets.ChoiceWidget):
    """Choices, each with what it means."""

    explanations: dict[str, str] = {}

    def create_option(self, name: str, value: object, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
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


class SecretInput(TypedSecretInput):
    """A value that is typed in and never sent back to be read, with a button that shows it. One
    that was `generated` for a new form is shown at once."""

    template_name = "ui/forms/secret.html"
    generated = ""

    def __init__(self, attrs: dict[str, object] | None = None) -> None:
        usual = {"autocomplete": "new-password", "spellcheck": "false"}
        super().__init__({**usual, **(attrs or {})})

    def get_context(
        self, name: str, value: object, attrs: dict[str, object] | None
    ) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        if self.generated:
            context["widget"] |= {"type": "text", "value": self.generated}
        return {**context, "is_shown": bool(self.generated)}


class TimeZones(forms.TextInput):
    """A time zone, chosen by typing a part of its name, or a city; a city stands for its zone."""

    template_name = "ui/forms/time_zones.html"

    def get_context(
        self, name: str, value: object, attrs: dict[str, object] | None
    ) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        return {**context, "zones": sorted(time_zone_ids()), "cities": cities().items()}

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        typed = super().value_from_datadict(data, files, name)
        return _zones().get(typed.strip().casefold(), typed) if isinstance(typed, str) else typed


class LinesInput(forms.Textarea):
    """A list of simple values, one on each line."""

    def format_value(self, value: object) -> str:
        return "\n".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")


class SearchInput(forms.TextInput):
    """Search field of a list; `/` leads to it."""

    input_type = "search"

    def __init__(self, placeholder: str) -> None:
        super().__init__({"placeholder": placeholder, "autocomplete": "off", "spellcheck": "false"})


class MomentInput(forms.TextInput):
    input_type = "datetime-local"


class MomentField(forms.CharField):
    """Never moves a time between zones: what came in GMT goes back in GMT, local stays local.

    `in_gmt` says which one is asked for; a browser's field knows no zone.
    """

    def __init__(self, *, in_gmt: bool = False) -> None:
        super().__init__(widget=MomentInput({"step": "any"}))
        self.in_gmt = in_gmt
        # The contract says itself what is wrong.
        self.validators = []

    def fit_reported(self, value: object) -> None:
        """Keeps to the kind of time that stands there now."""
        if not self.in_gmt and _text(value).endswith(_GMT):
            self.in_gmt = True
            self.help_text = " ".join((str(self.help_text), _("This one is in GMT.")))

    def prepare_value(self, value: object) -> object:
        """As the browser's field takes it: without the zone, and without seconds that are none."""
        moment = _moment(_text(value))
        return value if moment is None else _local(moment)

    def to_python(self, value: object) -> str:
        text = str(super().to_python(value) or "")
        moment = _moment(text)
        if moment is None or text.endswith(_GMT) or not self.in_gmt:
            return text
        return text + _GMT

    def has_changed(self, initial: object, data: object) -> bool:
        before, after = _text(initial), self.to_python(data)
        return (_moment(before) or before) != (_moment(after) or after)


def _text(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", _GMT)
    return str(value or "")


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _local(moment: datetime) -> str:
    text = moment.replace(tzinfo=None).isoformat()
    return text.removesuffix(":00") if moment.second == 0 == moment.microsecond else text


def people_field(*, rows: int, **options: object) -> forms.CharField:
    """Returns a field for a list of people, which `understood` reads."""
    widget = forms.Textarea({"rows": rows, "spellcheck": "false", "autocapitalize": "none"})
    return forms.CharField(widget=widget, **options)  # type: ignore[arg-type]


def understood(form: forms.Form, name: str) -> list[Addressed]:
    """Returns the people whom the list in a field names.

    A list that is not written as they are shown is refused: the form then has them one on each
    line, to be looked at. Raises `ValidationError`.
    """
    text = str(form.data.get(form.add_prefix(name)) or "")
    people = people_in(text)
    shown = as_lines(people)
    if not people or _lines(shown) == _lines(text):
        return people
    for _round in range(_ROUNDS):
        shown = as_lines(people_in(shown))
    data = form.data.copy()  # type: ignore[attr-defined]
    data[form.add_prefix(name)] = shown
    form.data = data
    words = ngettext(
        "%(count)s person was understood, on the line below. Check it and send it again.",
        "%(count)s people were understood, each on a line below. Check them and send it again.",
        len(people),
    )
    raise forms.ValidationError(words % {"count": len(people)})


def _lines(text: str) -> list[list[str]]:
    """Words of each line, without what separates lines."""
    return [words for line in text.splitlines() if (words := line.strip(" \t,;").split())]


class RecipientsField(forms.ModelMultipleChoiceField[User]):
    """Choice among the people of a connection, by name and address; none are `offered` at first."""

    widget = Picks

    def __init__(self) -> None:
        label = gettext_lazy("Recipients")
        super().__init__(User.objects.none(), required=False, label=label)

    def offer(
        self,
        connection: Connection,
        operation: AnyOperation,
        help_text: str,
        *,
        without: User | None = None,
    ) -> None:
        """Offers the users who see all that this operation returns, `without` a recipient who is
        one anyway."""
        seeing = recipients_of(connection, operation)
        self.queryset = seeing.exclude(pk=without.pk) if without else seeing
        self.help_text = help_text

    def label_from_instance(self, obj: User) -> str:
        return obj.email if str(obj) == obj.email else f"{obj} · {obj.email}"
