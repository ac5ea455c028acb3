"""Email addresses that were typed or pasted, in whatever shape they came."""

import re

from django import forms


class EmailsField(forms.CharField):
    """Addresses on lines, between commas or semicolons, or as `Ada Lovelace <ada@example.com>`.

    Gives a list without repetitions. What is no address is among them: it is told as what cannot
    be added, and holds up nobody else.
    """

    def __init__(self, *, rows: int = 3, **options: object) -> None:
        options.setdefault("help_text", "One address on each line.")
        widget = forms.Textarea({"rows": rows, "spellcheck": "false", "autocapitalize": "none"})
        super().__init__(required=False, widget=widget, **options)  # type: ignore[arg-type]

    def clean(self, value: object) -> list[str]:
        return _addresses(super().clean(value))


def _addresses(text: str) -> list[str]:
    found: dict[str, str] = {}
    for part in re.split(r"[\n\r\t,;]+", text):
        within = re.search(r"<([^<>]*@[^<>]*)>", part)
        address = (within[1] if within else part).strip()
        if address:
            found.setdefault(address.casefold(), address)
    return list(found.values())
