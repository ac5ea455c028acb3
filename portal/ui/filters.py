"""The base of every filter bar: a form whose values stand in the URL."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from portal.access.form_fields import offer_choices
from portal.translation import gettext as _, gettext_lazy
from portal.translation.stored import in_english
from portal.ui.forms.widgets import SearchInput

PAGE_SIZES = (25, 50, 100, 300)
_USUAL_SIZE = 50


@dataclass(frozen=True)
class Chip:
    """One filter that is set, in words, by the field that clears it."""

    field: str
    words: str


def search_field(label: str, placeholder: str = "") -> forms.CharField:
    """Returns a field for the words that a list is searched for."""
    return forms.CharField(
        label=label, required=False, max_length=200, widget=SearchInput(placeholder or label)
    )


def choice_field(
    label: str,
    unset: str,
    choices: Iterable[tuple[object, object]] | Callable[[], Iterable[tuple[object, object]]],
) -> forms.ChoiceField:
    """Returns a field for one of `choices`, which may be a function that returns them when a form
    is shown; `unset` names what is listed without one."""

    def offered() -> list[tuple[object, object]]:
        return [("", unset), *(choices() if callable(choices) else choices)]

    return forms.ChoiceField(
        label=label, required=False, choices=offered if callable(choices) else offered()
    )


def hidden_field(label: str, *, max_length: int = 200) -> forms.CharField:
    """Returns a field for a value that links set, and a chip shows."""
    return forms.CharField(
        label=label, required=False, max_length=max_length, widget=forms.HiddenInput
    )


class ListFilter(forms.Form):
    """A filter bar. Values that mean nothing are ignored, so that no bookmark ever breaks.

    A list's own form adds the fields that narrow it. `sorts` are the keys it can be sorted by, by
    `usual_sort` or the first one unless a user chooses; fields `without_chip` are those that tabs
    show; `rare` ones are folded behind "More filters".
    """

    sorts: ClassVar[tuple[str, ...]] = ()
    usual_sort: ClassVar[str] = ""
    without_chip: frozenset[str] = frozenset()
    rare: ClassVar[tuple[str, ...]] = ()

    sort = forms.ChoiceField(required=False, widget=forms.HiddenInput)
    per_page = forms.TypedChoiceField(
        required=False,
        coerce=int,
        choices=[(size, size) for size in PAGE_SIZES],
        widget=forms.HiddenInput,
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, auto_id="filter-%s", use_required_attribute=False)
        both = [f"{sign}{key}" for key in self.sorts for sign in ("", "-")]
        offer_choices(self, "sort", [(key, key) for key in both])
        self.prepare()
        self.is_valid()

    def prepare(self) -> None:
        """Fills in choices that are known only now."""

    @property
    def search(self) -> str:
        return self.cleaned_data.get("q") or ""

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or self.usual_sort or self.sorts[0]

    @property
    def page_size(self) -> int:
        return self.cleaned_data.get("per_page") or _USUAL_SIZE

    @property
    def narrowing(self) -> dict[str, object]:
        """Returns the fields that are set and narrow the list."""
        chosen = self.cleaned_data.items()
        return {name: value for name, value in chosen if value and name not in ("sort", "per_page")}

    @property
    def query(self) -> str:
        """Returns the filters that narrow the list, as a URL has them; the same for the same
        filters."""
        return urlencode(sorted((name, str(value)) for name, value in self.narrowing.items()))

    @property
    def is_exact(self) -> bool:
        """Returns whether every filter that was asked for was understood.

        A list may ignore what it does not understand; what is done to "all that match" may not.
        """
        return not self.errors and set(self.data) <= set(self.fields)

    @property
    def chips(self) -> list[Chip]:
        """Returns the filters that are set, each in words, with the field that clears it."""
        return [
            Chip(name, f"{self._label(name)}: {self._words(name, value)}")
            for name, value in self.narrowing.items()
            if name not in self.without_chip
        ]

    @property
    def in_words(self) -> str:
        """Returns all that narrows the list, in one line."""
        phrases = [
            f"{self._label(name)}: {self._words(name, value)}"
            for name, value in self.narrowing.items()
            if self.fields[name].label  # what is only carried along has none
        ]
        return ", ".join(phrases)

    @property
    def in_english(self) -> str:
        """Returns the same in English, as the audit trail stores it."""
        with in_english():
            return self.in_words

    @property
    def common_fields(self) -> list[forms.BoundField]:
        hidden = {*self.without_chip, *self.rare}
        return [field for field in self.visible_fields() if field.name not in hidden]

    @property
    def rare_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.rare]

    @property
    def rare_set(self) -> int:
        """Returns the number of folded filters that are set."""
        return sum(name in self.narrowing for name in self.rare)

    def _label(self, name: str) -> str:
        return _("Search") if name == "q" else str(self.fields[name].label)

    def _words(self, name: str, value: object) -> str:
        choices = getattr(self.fields[name], "choices", ())
        return str(next((words for key, words in choices if key == value), value))


@dataclass(frozen=True)
class FilterTab:
    """`count` is how many rows there are behind it, where that is known."""

    value: str
    label: str
    is_current: bool
    count: int | None = None


class SearchFilter(ListFilter):
    """A filter bar of a search alone."""

    q = search_field(gettext_lazy("Search"))
