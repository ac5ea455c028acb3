"""Forms made from contract models: fields, limits and words are declared once, in the contract."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from portal.contract.model import Model
from portal.ui.forms.contract import ContractForm
from portal.ui.forms.fields import form_field
from portal.ui.forms.specs import FieldSpec, ObjectSpec, object_specs

M = TypeVar("M", bound=Model)
ContractFormT = TypeVar("ContractFormT", bound=ContractForm[Any])

__all__ = ["ContractForm", "contract_fields", "contract_form", "form_field"]


def contract_form(
    model: type[M],
    fields: Collection[str] | None = None,
    exclude: Collection[str] = (),
    *,
    lines: Collection[str] = (),
) -> type[ContractForm[M]]:
    """Returns a form class of the fields of a model and nothing else; see `contract_fields`."""
    form = type(f"{model.__name__}Form", (ContractForm,), {"__doc__": model.__doc__})
    return contract_fields(model, fields, exclude, lines=lines)(form)


def contract_fields(
    model: type[Model],
    fields: Collection[str] | None = None,
    exclude: Collection[str] = (),
    *,
    rare: Collection[str] = (),
    lines: Collection[str] = (),
    attrs: Mapping[str, Mapping[str, object]] = MappingProxyType({}),
) -> Callable[[type[ContractFormT]], type[ContractFormT]]:
    """Gives a form class the fields of a model, before its own.

    `fields` and `exclude` are dotted names on the wire; the name of an object (`in_meeting`) means
    all that is in it. `fields` also says the order. `rare` fields are folded, `lines` hold several
    lines of text, and `attrs` adds HTML attributes to the widget of a field.
    """
    everything = tuple(object_specs(model))
    chosen = tuple(_chosen(everything, fields, exclude))
    field_specs = [
        item for object_spec in chosen for item in object_spec.items if isinstance(item, FieldSpec)
    ]
    made = {spec.name: form_field(spec, has_lines=spec.name in lines) for spec in field_specs}
    for name, more in attrs.items():
        made[name].widget.attrs |= more
    required = tuple(
        item.name for object_spec in everything for item in object_spec.items if item.is_required
    )

    def declare(form: type[ContractFormT]) -> type[ContractFormT]:
        form.contract, form.object_specs, form.required = model, chosen, required
        form.rare = frozenset(spec.name for spec in field_specs if _is_among(spec.name, rare))
        form.base_fields = {**made, **form.base_fields}
        form.declared_fields = {**made, **form.declared_fields}
        return form

    return declare


def _chosen(
    all_of_them: Iterable[ObjectSpec], wanted: Collection[str] | None, unwanted: Collection[str]
) -> Iterator[ObjectSpec]:
    order = {name: number for number, name in enumerate(wanted or ())}
    for object_spec in all_of_them:
        items = [
            item
            for item in object_spec.items
            if (wanted is None or _is_among(item.name, wanted))
            and not _is_among(item.name, unwanted)
        ]
        items.sort(key=lambda item: order.get(item.name, len(order)))
        if items:
            yield replace(object_spec, items=tuple(items))


def _is_among(name: str, names: Collection[str]) -> bool:
    segments = name.split(".")
    return any(".".join(segments[:count]) in names for count in range(1, len(segments) + 1))
