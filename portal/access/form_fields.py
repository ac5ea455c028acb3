"""Fields of a form by their kind, which `form.fields` does not tell; roles and days in forms."""

from collections.abc import Iterable
from datetime import date
from typing import Any, TypeVar

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.choices import flatten_choices

from portal.access.models import explanation_of

FieldT = TypeVar("FieldT", bound=forms.Field)
# Days that have others before and after them, in any time zone, as many as a page steps over.
WITHIN_REASON = [MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31))]


def field_of(form: forms.BaseForm, name: str, kind: type[FieldT]) -> FieldT:
    """Returns a form's field. Raises `TypeError` if it is of another kind."""
    field = form.fields[name]
    if not isinstance(field, kind):
        raise TypeError(f"{name} is a {type(field).__name__}, not a {kind.__name__}")
    return field


def offer_choices(
    form: forms.BaseForm, name: str, choices: Iterable[tuple[object, object]], *, unset: str = ""
) -> None:
    """Offers these choices in a form's field, after one that is `unset` if it has words."""
    first = [("", unset)] if unset else []
    field_of(form, name, forms.ChoiceField).choices = [*first, *choices]


def choices_of(form: forms.BaseForm, name: str) -> dict[Any, str]:
    """Returns what a form's field of this name offers."""
    return choices_in(field_of(form, name, forms.ChoiceField))


def choices_in(field: forms.ChoiceField) -> dict[Any, str]:
    """Returns what a field offers: values, those within groups too, and their words."""
    offered: Any = field.choices
    return dict(flatten_choices(offered))


class RoleCards(forms.RadioSelect):
    """The roles, each with what it may do."""

    template_name = "ui/forms/cards.html"

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        return option | {"explanation": explanation_of(str(value))}
