"""Lists of objects within a form: a row for each, and an empty one to add to them."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from portal.contract.model import Model
from portal.ui.forms.fields import form_field
from portal.ui.forms.specs import ArraySpec, FieldSpec


class RowSet:
    """The rows of one list in one form. Rows that are left empty are not sent."""

    def __init__(self, form: forms.Form, rows: ArraySpec, values: list[object]) -> None:
        self.form, self.declared, self.name = form, rows, rows.name
        self.existing = [_plain(value) for value in values]
        # The rows that rows of the form were made of, by their numbers.
        self.origins = dict(enumerate(self.existing))
        self.numbers = self._numbers()
        self.field_specs: dict[str, FieldSpec] = {}
        self.fields: dict[str, forms.Field] = {}
        self.initial: dict[str, Any] = {}
        for number in self.numbers:
            row = self.existing[number] if number < len(self.existing) else {}
            for spec in rows.field_specs:
                name = f"{self.name}.{number}.{spec.name}"
                self.field_specs[name] = spec
                self.fields[name] = form_field(spec)
                self.fields[name].required = False
                if spec.name in row and not spec.is_sensitive:
                    self.initial[name] = row[spec.name]

    @property
    def title(self) -> str:
        return self.declared.title

    @property
    def description(self) -> str:
        return self.declared.description

    @property
    def most(self) -> int:
        return self.declared.most or 100

    def lines(self) -> list[list[forms.BoundField]]:
        return [
            [self.form[f"{self.name}.{number}.{spec.name}"] for spec in self.declared.field_specs]
            for number in self.numbers
        ]

    def is_changed(self) -> bool:
        """Returns whether the typed values differ from those that the rows were made of."""
        if not self.form.is_bound:
            return False
        if len(self.filled()) < len(self.existing):
            return True
        return any(
            field.has_changed(self.initial.get(name, field.initial), self._typed(name, field))
            for name, field in self.fields.items()
        )

    def values(self) -> dict[str, Any]:
        """Returns the rows that are filled in, ready for the model."""
        cleaned = self.form.cleaned_data
        rows = [
            {
                **self.beside(number),
                **{
                    spec.name: value
                    for spec in self.declared.field_specs
                    if (value := cleaned.get(f"{self.name}.{number}.{spec.name}"))
                    not in (None, "", [])
                },
            }
            for number in self.filled()
        ]
        return {self.name: rows} if rows or self.declared.is_required or self.existing else {}

    def beside(self, number: int) -> dict[str, Any]:
        """Returns what the service holds in a row beside the fields of the form. The list is sent
        as a whole, so that this goes back unchanged."""
        shown = {spec.name for spec in self.declared.field_specs}
        origin = self.origins.get(number, {})
        return {name: value for name, value in origin.items() if name not in shown}

    def as_typed(self, name: str) -> str:
        """Returns the field of an error's name: the model counts only rows that are filled in."""
        match = re.fullmatch(rf"{re.escape(self.name)}\.(\d+)\.(.+)", name)
        filled = self.filled()
        if not match or int(match[1]) >= len(filled):
            return name
        return f"{self.name}.{filled[int(match[1])]}.{match[2]}"

    def show_in(self, data: MultiValueDict[str, Any]) -> None:
        """Replaces what stands in `data` by the values that the rows were made of."""
        start = f"{self.form.add_prefix(self.name)}."
        for key in [key for key in data if key.startswith(start)]:
            del data[key]
        for name, value in self.initial.items():
            text = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
            data[self.form.add_prefix(name)] = text

    def _numbers(self) -> list[int]:
        if not self.form.is_bound:
            count = min(len(self.existing) + 1, max(self.most, len(self.existing)))
            return list(range(count))
        start = re.escape(f"{self.form.add_prefix(self.name)}.")
        results = {
            int(match[1])
            for key in self.form.data
            if (match := re.match(rf"{start}(\d{{1,4}})\.", key))
        }
        return sorted(results)[: self.most + 1] or [0]

    def filled(self) -> list[int]:
        """Returns the numbers of the rows that have anything."""
        return [number for number in self.numbers if self._is_filled(number)]

    def _is_filled(self, number: int) -> bool:
        start = f"{self.name}.{number}."
        return any(
            self._typed(name, field) not in (None, "", False)
            for name, field in self.fields.items()
            if name.startswith(start)
        )

    def _typed(self, name: str, field: forms.Field) -> object:
        value = field.widget.value_from_datadict(
            self.form.data, self.form.files, self.form.add_prefix(name)
        )
        return value.strip() if isinstance(value, str) else value


def _plain(value: Any) -> Mapping[str, object]:
    return value.sent() if isinstance(value, Model) else value
