"""Layout of a contract form, and titles of its values."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from django import forms

from portal.translation import gettext as _
from portal.ui.forms.fields import NOT_SET
from portal.ui.forms.rows import RowSet
from portal.ui.forms.specs import FieldSpec, ObjectSpec
from portal.ui.forms.state import Flat


@dataclass
class FieldGroup:
    """A fieldset: the common fields, the rare ones that are folded, and lists of objects."""

    name: str
    title: str
    description: str
    fields: list[forms.BoundField] = field(default_factory=list)
    rare: list[forms.BoundField] = field(default_factory=list)
    row_sets: list[RowSet] = field(default_factory=list)
    rare_changed: int = 0

    @property
    def rare_is_open(self) -> bool:
        return any(bound.errors for bound in self.rare)


def groups_of(
    form: forms.Form,
    branches: Iterable[ObjectSpec],
    row_sets: Iterable[RowSet],
    *,
    rare: frozenset[str],
    current: Flat,
) -> list[FieldGroup]:
    """The fields of a form by the branches of its model; of `rare` ones, how many are set."""
    rows_by_name = {rows.name: rows for rows in row_sets}
    groups = []
    for object_spec in branches:
        group = FieldGroup(object_spec.name, object_spec.title, object_spec.description)
        for item in object_spec.items:
            if not isinstance(item, FieldSpec):
                group.row_sets.append(rows_by_name[item.name])
            elif item.name in rare:
                group.rare.append(form[item.name])
                group.rare_changed += current.get(item.name, _usual(item)) != _usual(item)
            else:
                group.fields.append(form[item.name])
        groups.append(group)
    return groups


def _usual(spec: FieldSpec) -> Any:
    default = spec.default
    return default.value if isinstance(default, Enum) else default


def in_words(shown_by: forms.Field, value: Any) -> str:
    """A value as the person reads it: "On", a choice's label, or the text itself."""
    value = value.value if isinstance(value, Enum) else value
    if isinstance(shown_by, forms.BooleanField) or isinstance(value, bool):
        return _("On") if value else _("Off")
    if isinstance(value, list):
        return ", ".join(in_words(shown_by, each) for each in value) or str(NOT_SET)
    if isinstance(shown_by, forms.ChoiceField):
        labels = {str(key): str(label) for key, label in shown_by.choices}  # type: ignore[union-attr, misc]
        return labels.get("" if value is None else str(value), str(NOT_SET))
    return str(NOT_SET) if value in (None, "") else str(value)


F = TypeVar("F", bound=forms.Form)

_ALL_SEEN = (forms.RadioSelect, forms.CheckboxSelectMultiple)
_SHORT = 12  # fields that stand on one screen


def focused(form: F) -> F:
    """The form with the cursor in its first field; one that is refused has it in its summary.

    Of several choices that are all to be seen, one with the focus would look chosen. A long form
    opens at its top: its template may draw another field first, and the page would scroll to this.
    """
    fields = form.visible_fields()
    first = next(iter(fields), None)
    is_open = first and isinstance(first.field.widget, _ALL_SEEN)
    if first and not is_open and not form.is_bound and len(fields) <= _SHORT:
        first.field.widget.attrs["autofocus"] = True
    return form
