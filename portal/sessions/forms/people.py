"""Picking people within a form: found by a search, kept as ids or email addresses."""

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.http import QueryDict

from portal.sessions.people import Host
from portal.ui.picking import Pick, Picker

SEARCH = "search:"  # before the field's name: what is searched for

_LABEL = "Find by name, email or department"

Lookup = Callable[[Iterable[str]], list[Host]]


class PeoplePicker(forms.Widget):
    """Check boxes, or radio buttons, of who is picked and of whom the search finds.

    `lookup` tells people by their ids or emails; `by_email` says which of them a pick stands for.
    """

    template_name = "ui/picker.html"
    use_fieldset = True
    lookup: Lookup
    search = ""
    typed = ""
    found: list[Host] = []
    address = ""

    def __init__(self, *, several: bool, by_email: bool) -> None:
        super().__init__()
        self.several, self.by_email = several, by_email

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:  # noqa: ARG002
        self.typed = str(data.get(f"{SEARCH}{name}") or "").strip()
        values = data.getlist(name) if isinstance(data, QueryDict) else [data.get(name) or ""]
        picked = split(",".join(values))
        return ",".join(picked if self.several else picked[-1:])

    def value_of(self, host: Host) -> str:
        return host.email if self.by_email and host.email else host.id

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        picker = self.picker(name, self.lookup(split(value)), (attrs or {}).get("id", ""))
        return {**context, "picker": picker}

    def picker(self, name: str, picked: list[Host], html_id: str = "") -> Picker:
        """As it is shown with these people picked, and found whom the search has found."""
        taken = {self.value_of(host) for host in picked}
        return Picker(
            id=html_id,
            label=_LABEL,
            help_text=_LABEL,
            nothing="No other active users match.",
            picked=[self._pick(host) for host in picked],
            found=[self._pick(host) for host in self.found if self.value_of(host) not in taken],
            search=self.search,
            several=self.several,
            name=name,
            search_name=f"{SEARCH}{name}",
            find=name,
            address=self.address and f"{self.address}?field={name}",
            has_legend=True,
        )

    def _pick(self, host: Host) -> Pick:
        note = host.email if host.email != host.name else ""
        return Pick(self.value_of(host), host.name, note, host.initials)


class PeopleField(forms.CharField):
    """One person, or several with commas between them, as the interface writes them."""

    widget: PeoplePicker

    def __init__(self, *, several: bool = False, by_email: bool = False, **options: Any) -> None:
        picker = PeoplePicker(several=several, by_email=by_email)
        super().__init__(widget=picker, **{"required": False, **options})

    def clean(self, value: Any) -> str:
        typed = self.widget.typed
        if typed and not value:
            raise forms.ValidationError(
                f"“{typed}” is not selected. Choose one of the search results, or clear the field."
            )
        return str(super().clean(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return set(split(initial)) != set(split(data))


def split(text: Any) -> list[str]:
    """The names in a list with commas, each once."""
    names = (name.strip() for name in str(text or "").replace(";", ",").split(","))
    return list(dict.fromkeys(name for name in names if name))
