"""`ContractForm`: asks for what a contract model holds, and gives the model back."""

from collections.abc import Mapping
from typing import Any, ClassVar, Generic

from django import forms
from pydantic import ValidationError
from typing_extensions import TypeVar

from portal.contract.model import Model
from portal.contract.problems import problems
from portal.ui.forms import edit_conflicts, layout
from portal.ui.forms.fields import fit_reported, fit_unreported
from portal.ui.forms.layout import FieldGroup, groups_of
from portal.ui.forms.rows import RowSet
from portal.ui.forms.specs import ArraySpec, FieldSpec, ObjectSpec

SUGGESTED = "suggested"  # the hidden field with what a form for something new opened with
Model_co = TypeVar("Model_co", bound=Model, default=Model, covariant=True)


class ContractForm(forms.Form, Generic[Model_co]):
    """A form of one contract model; made by `contract_form`, or a class with `contract_fields`.

    With `initial`, the form changes something that exists: `changes()` holds what differs from it.
    `initial` is then the state as it is now, read again for every request; what the form was opened
    with travels with it, so that a field which another user has changed since is reported and not
    overwritten. Without `initial` the form makes something new, and `suggest` fills it in: this too
    travels with the form, so that it has the same fields when it is sent.
    """

    template_name = "ui/forms/contract_form.html"

    contract: ClassVar[type[Model]]
    object_specs: ClassVar[tuple[ObjectSpec, ...]]
    required: ClassVar[tuple[str, ...]] = ()
    rare: ClassVar[frozenset[str]] = frozenset()

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        files: Any = None,
        *,
        initial: Model | Mapping[str, object] | None = None,
        suggest: Mapping[str, object] | None = None,
        prefix: str | None = None,
    ) -> None:
        self.is_change = initial is not None
        self.items = {
            item.name: item for object_spec in self.object_specs for item in object_spec.items
        }
        self.field_specs = {
            name: item for name, item in self.items.items() if isinstance(item, FieldSpec)
        }
        self.reported = (
            layout.flat(initial) if self.is_change else self._suggestion(data, prefix, suggest)
        )
        self.current = {name: value for name, value in self.reported.items() if name in self.items}
        super().__init__(data, files, prefix=prefix, initial=self._shown(self.current))
        for name, spec in self.field_specs.items():
            field = self.fields[name]
            if name in self.current:
                current_value = self.current[name]
                self.fields[name] = fit_reported(
                    spec, field, current_value, is_change=self.is_change
                )
            elif self.is_change:
                self.fields[name] = fit_unreported(spec, field)
        if self.current and not self.is_change:
            self._carry_suggestion()
        self.elsewhere = (
            edit_conflicts.merge(self, self.items, self.current) if self.is_change else frozenset()
        )
        self.row_sets = [
            RowSet(self, item, self.current.get(name) or [])
            for name, item in self.items.items()
            if isinstance(item, ArraySpec)
        ]
        for rows in self.row_sets:
            self.field_specs |= rows.field_specs
            self.fields |= rows.fields
            self.initial = {**self.initial, **rows.initial}
        self._built: Any = None  # a `Model_co`, once the form is valid

    def _suggestion(
        self,
        data: Mapping[str, object] | None,
        prefix: str | None,
        suggest: Mapping[str, object] | None,
    ) -> layout.Flat:
        """Returns what the form suggests, or suggested when it was opened."""
        name = f"{prefix}-{SUGGESTED}" if prefix else SUGGESTED
        carried = layout.unsign(str((data or {}).get(name) or "")) or {}
        return {**carried, **layout.flat(suggest)}

    def _carry_suggestion(self) -> None:
        signed = layout.sign(self._shown(self.current), frozenset())
        self.fields[SUGGESTED] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.initial = {**self.initial, SUGGESTED: signed}

    def model(self) -> Model_co:
        """Returns the model with what was filled in."""
        built: Model_co = self._built
        return built

    def changes(self) -> Model_co | None:
        """Returns the model with what differs from `initial`, or None if nothing does."""
        built: Model_co | None = self._built
        return built

    @property
    def groups(self) -> list[FieldGroup]:
        """Returns the fields as they are laid out: one fieldset for each object of the model."""
        return groups_of(
            self, self.object_specs, self.row_sets, rare=self.rare, current=self.current
        )

    def field_named(self, name: str) -> str | None:
        """Returns the field that the service means, by its dotted name or by a unique last part.

        What is wrong with one value of a list is wrong with its field.
        """
        if name in self.fields:
            return name
        whole, _, last = name.rpartition(".")
        if last.isdigit() and whole in self.fields:
            return whole
        results = [own for own in self.fields if own.rsplit(".", 1)[-1] == last]
        return results[0] if len(results) == 1 else None

    def clean(self) -> dict[str, object]:
        values = self._values()
        if self.is_change:
            values = values and values | self._required_beside(values)
        if values or not self.is_change:
            try:
                # Rows of lists that are sent as a whole have what the service holds beside.
                self._built = self.contract.model_validate(layout.nested(values), extra="allow")
            except ValidationError as error:
                for problem in problems(error):
                    self._report(problem.field, problem.message)
        for name in self.elsewhere:
            if name not in self.errors:
                words = edit_conflicts.message_of(self, self.items[name], self.current.get(name))
                self.add_error(name if name in self.fields else None, words)
        return self.cleaned_data

    def _report(self, name: str, message: str) -> None:
        for rows in self.row_sets:
            name = rows.as_typed(name)
        own = self.field_named(name)
        if own is None or own not in self.errors:
            self.add_error(own, message)

    def _values(self) -> dict[str, object]:
        """Returns the values that were filled in, or, in a change, those that were changed."""
        values: dict[str, object] = {}
        for name, item in self.items.items():
            if (
                isinstance(item, FieldSpec)
                and name in self.cleaned_data
                and self._is_meant(name, item)
            ):
                value = self.cleaned_data[name]
                values[name] = value.read() if item.kinds == (bytes,) else value
        for rows in self.row_sets:
            if not self.is_change or rows.is_changed():
                values |= rows.values()
        return values

    def _is_meant(self, name: str, spec: FieldSpec) -> bool:
        if self.is_change:
            return name in self.changed_data
        value = self.cleaned_data[name]
        if value is False:
            return spec.is_required or name in self.current or spec.default is True
        return value not in (None, "", [])

    def _required_beside(self, values: dict[str, object]) -> dict[str, object]:
        """Returns the values that the model demands beside the changes, as they are now."""
        touched = {name.rpartition(".")[0] for name in values} | {""}
        return {
            name: self.reported[name]
            for name in self.required
            if name not in values and name in self.reported and name.rpartition(".")[0] in touched
        }

    def _shown(self, values: layout.Flat) -> layout.Flat:
        return {
            name: value
            for name, value in values.items()
            if name in self.field_specs and not self.field_specs[name].is_sensitive
        }
