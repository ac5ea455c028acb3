"""Email addresses that were typed or pasted, in whatever shape they came."""

import re

from django import forms
from pydantic import TypeAdapter, ValidationError

from portal.contract.types import Email

_EMAIL: TypeAdapter[str] = TypeAdapter(Email)
_SHOWN = 10


class EmailsField(forms.CharField):
    """Addresses on lines, between commas or semicolons, or as `Ada Lovelace <ada@example.com>`.

    Gives a list without repetitions.
    """

    def __init__(self, *, rows: int = 3, **options: object) -> None:
        options.setdefault("help_text", "One address on each line.")
        widget = forms.Textarea({"rows": rows, "spellcheck": "false", "autocapitalize": "none"})
        super().__init__(required=False, widget=widget, **options)  # type: ignore[arg-type]

    def clean(self, value: object) -> list[str]:
        addresses = _addresses(super().clean(value))
        wrong = [address for address in addresses if not _is_email(address)]
        if wrong:
            more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
            raise forms.ValidationError(f"Not an email address: {', '.join(wrong[:_SHOWN])}{more}.")
        return addresses


def _addresses(text: str) -> list[str]:
    found: dict[str, str] = {}
    for part in re.split(r"[\n\r\t,;]+", text):
        within = re.search(r"<([^<>]*@[^<>]*)>", part)
        address = (within[1] if within else part).strip()
        if address:
            found.setdefault(address.casefold(), address)
    return list(found.values())


def _is_email(text: str) -> bool:
    try:
        _EMAIL.validate_python(text)
    except ValidationError:
        return False
    return True
