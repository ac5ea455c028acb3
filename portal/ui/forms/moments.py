"""A date with a time of day, in GMT or local to a time zone that another field names."""

from datetime import datetime
from typing import Any

from django import forms

from portal.translation import gettext as _

_GMT = "Z"


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

    def settle(self, known: Any) -> None:
        """Keeps to the kind of time that stands there now."""
        if not self.in_gmt and _text(known).endswith(_GMT):
            self.in_gmt = True
            self.help_text = " ".join((str(self.help_text), _("This one is in GMT.")))

    def prepare_value(self, value: Any) -> Any:
        """As the browser's field takes it: without the zone, and without seconds that are none."""
        moment = _moment(_text(value))
        return value if moment is None else _local(moment)

    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value) or "")
        moment = _moment(text)
        if moment is None or text.endswith(_GMT) or not self.in_gmt:
            return text
        return text + _GMT

    def has_changed(self, initial: Any, data: Any) -> bool:
        before, after = _text(initial), self.to_python(data)
        return (_moment(before) or before) != (_moment(after) or after)


def _text(value: Any) -> str:
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
