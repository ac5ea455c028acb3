"""A field that picks one thing or several, people above all: searched, then chosen.

`ui/picker.html` shows it. Scripts make a combobox of it, whose search is a GET of the form's page
with `field` in the query; without them what the search finds has check boxes, and a button sends
the form to search.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from django import forms
from django.forms.utils import ErrorDict
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from portal.translation import gettext as _, gettext_lazy
from portal.ui.addresses import people_in

F = TypeVar("F", bound=forms.BaseForm)
SEARCH = "search:"  # before the field's name: what is searched for
FIND = "find"  # the button that searches, for those without scripts
FIELD = "field"  # of the query: which field's search a script asks


@dataclass(frozen=True)
class Pick:
    """A choice: the value that is sent, and its appearance; `problem` says why the service may
    refuse it."""

    value: str
    name: str
    detail: str = ""
    initials: str = ""
    problem: str = ""


@dataclass(frozen=True)
class PickSource:
    """The source of picks: `find` searches, without some values; `named` has the picks of values.
    The results of `find` without a search are offered from the beginning."""

    find: Callable[[str, Collection[str]], list[Pick]]
    named: Callable[[Sequence[str]], list[Pick]]
    placeholder: str = gettext_lazy("Find by name, email or department")
    nothing: str = gettext_lazy("No other users match.")
    empty: str = ""  # where nothing is offered from the beginning


_NOTHING = PickSource(lambda _search, _besides: [], lambda _values: [])


@dataclass(frozen=True)
class Picker:
    """A search, what it finds, and what is picked already, as the template shows them."""

    id: str
    name: str
    source: PickSource
    search: str
    address: str
    several: bool
    has_focus: bool
    is_wrong: bool = False
    picked: list[Pick] = field(default_factory=list)
    results: list[Pick] = field(default_factory=list)

    @property
    def search_name(self) -> str:
        return f"{SEARCH}{self.name}"

    @property
    def sample(self) -> Pick:
        """Returns the pick that a script copies to make others."""
        return Pick("", "-", "-", "-")


class PickerWidget(forms.Widget):
    """Check boxes, or radio buttons, of what is picked and of what the search finds.

    `source` and `address`, where the search is answered, are set by the form.
    """

    template_name = "ui/picker.html"
    use_fieldset = True
    source = _NOTHING
    address = ""
    typed = ""

    def __init__(self, *, several: bool) -> None:
        super().__init__()
        self.several = several

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:  # noqa: ARG002
        # PostgreSQL refuses NUL in text.
        self.typed = str(data.get(f"{SEARCH}{name}") or "").replace("\x00", "").strip()
        values = data.getlist(name) if isinstance(data, QueryDict) else [data.get(name) or ""]
        picked = split(",".join(values).replace("\x00", ""))
        return ",".join(picked if self.several else picked[-1:])

    def picker(self, name: str, value: object, html_id: str = "") -> Picker:
        """Returns the picker with these values picked, and with the hits of the search."""
        values = split(value)
        return Picker(
            id=html_id,
            name=name,
            source=self.source,
            search=self.typed,
            address=f"{self.address}?{FIELD}={name}",
            several=self.several,
            has_focus=bool(self.attrs.get("autofocus")),
            picked=self.source.named(values) if values else [],
            results=self.source.find(self.typed, values),
        )

    def get_context(self, name: str, value: object, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        shown = context["widget"]["attrs"]
        picker = self.picker(name, value, shown.get("id", ""))
        return {**context, "picker": replace(picker, is_wrong="aria-invalid" in shown)}


class PickField(forms.CharField):
    """One value, or several with commas between them."""

    widget: PickerWidget

    def __init__(self, *, several: bool = False, **options: Any) -> None:
        widget = PickerWidget(several=several)
        super().__init__(widget=widget, **{"required": False, **options})

    def offer(self, source: PickSource, address: str) -> None:
        """Says what can be picked, and where the search of it is answered."""
        self.widget.source, self.widget.address = source, address

    def clean(self, value: object) -> str:
        typed = self.widget.typed
        if typed and not value:
            raise forms.ValidationError(
                _(
                    "“%(typed)s” is not selected. Choose one of the search results, or clear the "
                    "field."
                )
                % {"typed": typed}
            )
        return str(super().clean(value))

    def has_changed(self, initial: object, data: object) -> bool:
        return set(split(initial)) != set(split(data))


def answer_search(request: HttpRequest, form: forms.BaseForm) -> HttpResponse:
    """Shows the results of the search in the form's field that the query names."""
    name = request.GET.get(FIELD, "")
    widget = form.fields[name].widget if name in form.fields else None
    if not isinstance(widget, PickerWidget):
        raise Http404
    value = widget.value_from_datadict(request.GET, {}, name)
    return render(request, "ui/picker_results.html", {"picker": widget.picker(name, value)})


def unchecked(form: F) -> F:
    """Returns a form that was sent to search, as it was typed, without errors yet."""
    vars(form).update(_errors=ErrorDict(), cleaned_data={})
    return form


def split(text: object) -> list[str]:
    """Returns the values of a list with commas, each once; of people, their addresses."""
    if "<" in str(text or ""):
        return list(dict.fromkeys(one.email or one.text for one in people_in(str(text))))
    values = (value.strip() for value in str(text or "").replace(";", ",").split(","))
    return list(dict.fromkeys(value for value in values if value))
