"""Picking people within a form: found by a search, kept as ids or email addresses."""

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.http import QueryDict

from portal.sessions.people import Host

FIND = "find"  # the button that searches, with the field's name as its value
SEARCH = "search:"  # before the field's name: what is searched for

Lookup = Callable[[Iterable[str]], list[Host]]


class PeoplePicker(forms.Widget):
    """Check boxes, or radio buttons, of who is picked and of whom the search finds.

    `lookup` tells people by their ids or emails; `by_email` says which of them a pick stands for.
    """

    template_name = "sessions/people_picker.html"
    use_fieldset = True
    lookup: Lookup
    search = ""
    found: list[Host] = []
    address = ""

    def __init__(self, *, several: bool, by_email: bool) -> None:
        super().__init__()
        self.several, self.by_email = several, by_email

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:  # noqa: ARG002
        values = data.getlist(name) if isinstance(data, QueryDict) else [data.get(name) or ""]
        picked = split(",".join(values))
        return ",".join(picked if self.several else picked[-1:])

    def value_of(self, host: Host) -> str:
        return host.email if self.by_email and host.email else host.id

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        picked = [(self.value_of(host), host) for host in self.lookup(split(value))]
        taken = {key for key, _host in picked}
        found = [(self.value_of(host), host) for host in self.found]
        return {
            **context,
            "picked": picked,
            "found": [(key, host) for key, host in found if key not in taken],
            "search": self.search,
            "several": self.several,
            "address": self.address,
            "find": FIND,
            "search_name": f"{SEARCH}{name}",
            "summary_id": (attrs or {}).get("id", ""),
        }


class PeopleField(forms.CharField):
    """One person, or several with commas between them, as the interface writes them."""

    widget: PeoplePicker

    def __init__(self, *, several: bool = False, by_email: bool = False, **options: Any) -> None:
        picker = PeoplePicker(several=several, by_email=by_email)
        super().__init__(widget=picker, **{"required": False, **options})

    def has_changed(self, initial: Any, data: Any) -> bool:
        return set(split(initial)) != set(split(data))


def split(text: Any) -> list[str]:
    """The names in a list with commas, each once."""
    names = (name.strip() for name in str(text or "").replace(";", ",").split(","))
    return list(dict.fromkeys(name for name in names if name))
