"""Layout of a contract form, and the state that it was made from, signed to travel with it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from django import forms
from django.core import signing
from django.http import QueryDict
from django.utils.crypto import salted_hmac

from portal.access.form_fields import choices_in
from portal.contract.model import Model
from portal.translation import gettext as _
from portal.ui.forms.fields import NOT_SET
from portal.ui.forms.rows import RowSet
from portal.ui.forms.specs import FieldSpec, ObjectSpec

_SALT = "portal.ui.forms.state"
Flat = dict[str, Any]
F = TypeVar("F", bound=forms.BaseForm)
_ALL_SEEN = (forms.RadioSelect, forms.CheckboxSelectMultiple)
_SHORT = 12  # fields that stand on one screen


def flat(state: Model | Mapping[str, object] | None) -> Flat:
    """`{"in_meeting.chat": True}` of a model or of nested values; what is not known is left out."""
    return dict(_flat("", state or {}))


def _flat(prefix: str, value: object) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Model):
        value = value.whole()
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _flat(f"{prefix}.{name}" if prefix else str(name), item)
    elif value is not None:
        yield prefix, value.value if isinstance(value, Enum) else value


def nested(values: Mapping[str, object]) -> dict[str, Any]:
    """Returns the reverse of `flat`."""
    tree: dict[str, Any] = {}
    for name, value in values.items():
        *path, last = name.split(".")
        object_spec = tree
        for step in path:
            object_spec = object_spec.setdefault(step, {})
        object_spec[last] = value
    return tree


def sign(state: Flat, secret: frozenset[str]) -> str:
    """Returns the state as a hidden field carries it; of secret values only a keyed hash."""
    signed = {name: _hash(value) if name in secret else value for name, value in state.items()}
    return signing.dumps(signed, salt=_SALT, compress=True)


def unsign(text: str) -> Flat | None:
    """Returns the values that `sign` signed; None for anything else."""
    try:
        state = signing.loads(text, salt=_SALT)
    except signing.BadSignature:
        return None
    return state if isinstance(state, dict) else None


def is_same(was: object, now: object, *, secret: bool) -> bool:
    return bool(was == (_hash(now) if secret and now is not None else now))


def _hash(value: object) -> str:
    return salted_hmac(_SALT, json.dumps(value, sort_keys=True), algorithm="sha256").hexdigest()


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
    """Returns the fields of a form by the branches of its model, with how many `rare` ones are
    set."""
    rows_by_name = {rows.name: rows for rows in row_sets}
    groups = []
    for object_spec in branches:
        group = FieldGroup(object_spec.name, object_spec.title, object_spec.description)
        for item in object_spec.items:
            if not isinstance(item, FieldSpec):
                group.row_sets.append(rows_by_name[item.name])
            elif item.name not in form.fields:  # the form does not offer it
                continue
            elif item.name in rare:
                group.rare.append(form[item.name])
                group.rare_changed += current.get(item.name, _usual(item)) != _usual(item)
            else:
                group.fields.append(form[item.name])
        groups.append(group)
    return groups


def _usual(spec: FieldSpec) -> object:
    default = spec.default
    return default.value if isinstance(default, Enum) else default


def in_words(shown_by: forms.Field, value: Any) -> str:
    """Returns a value as the person reads it: "On", a choice's label, or the text itself."""
    value = value.value if isinstance(value, Enum) else value
    if isinstance(shown_by, forms.BooleanField) or isinstance(value, bool):
        return _("On") if value else _("Off")
    if isinstance(value, list):
        return ", ".join(in_words(shown_by, each) for each in value) or str(NOT_SET)
    if isinstance(shown_by, forms.ChoiceField):
        labels = {str(key): str(label) for key, label in choices_in(shown_by).items()}
        return labels.get("" if value is None else str(value), str(NOT_SET))
    return str(NOT_SET) if value in (None, "") else str(value)


def as_sent(form: forms.BaseForm) -> QueryDict:
    """Returns what a browser sends of a form that was opened and left as it is."""
    data = QueryDict(mutable=True)
    for bound in form:
        value, widget = bound.value(), bound.field.widget
        if isinstance(bound.field, forms.BooleanField):
            values = ["on"] if value else []
        elif isinstance(bound.field, forms.MultipleChoiceField):
            values = list(map(str, value or []))
        else:
            shown = widget.format_value(value)
            values = list(map(str, shown if isinstance(shown, list) else [shown or ""]))
        data.setlist(bound.html_name, values)
    return data


def focused(form: F) -> F:
    """Returns the form with the cursor in its first field, or in the summary of its errors.

    Of several choices that are all to be seen, one with the focus would look chosen. A long form
    opens at its top: its template may draw another field first, and the page would scroll to this.
    """
    fields = form.visible_fields()
    first = next(iter(fields), None)
    is_open = first and isinstance(first.field.widget, _ALL_SEEN)
    if first and not is_open and not form.is_bound and len(fields) <= _SHORT:
        first.field.widget.attrs["autofocus"] = True
    return form
