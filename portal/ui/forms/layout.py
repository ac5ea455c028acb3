"""How a contract form is laid out and what its values are called."""

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from django import forms

from portal.ui.forms.fields import NOT_SET
from portal.ui.forms.leaves import Leaf

if TYPE_CHECKING:
    from portal.ui.forms.contract import ContractForm
    from portal.ui.forms.rows import RowSet


@dataclass
class Group:
    """A fieldset: the common fields, the rare ones that are folded, and lists of objects."""

    name: str
    title: str
    description: str
    fields: list[forms.BoundField] = field(default_factory=list)
    rare: list[forms.BoundField] = field(default_factory=list)
    row_sets: list["RowSet"] = field(default_factory=list)
    rare_changed: int = 0

    @property
    def rare_is_open(self) -> bool:
        return any(bound.errors for bound in self.rare)


def groups_of(form: "ContractForm") -> list[Group]:
    row_sets = {rows.name: rows for rows in form.row_sets}
    groups = []
    for branch in form.branches:
        group = Group(branch.name, branch.title, branch.description)
        for item in branch.items:
            if not isinstance(item, Leaf):
                group.row_sets.append(row_sets[item.name])
            elif item.name in form.rare:
                group.rare.append(form[item.name])
                group.rare_changed += form.current.get(item.name, _usual(item)) != _usual(item)
            else:
                group.fields.append(form[item.name])
        groups.append(group)
    return groups


def _usual(leaf: Leaf) -> Any:
    default = leaf.default
    return default.value if isinstance(default, Enum) else default


def in_words(shown_by: forms.Field, value: Any) -> str:
    """A value as the person reads it: "On", a choice's label, or the text itself."""
    value = value.value if isinstance(value, Enum) else value
    if isinstance(shown_by, forms.BooleanField) or isinstance(value, bool):
        return "On" if value else "Off"
    if isinstance(value, list):
        return ", ".join(in_words(shown_by, each) for each in value) or NOT_SET
    if isinstance(shown_by, forms.ChoiceField):
        labels = {str(key): str(label) for key, label in shown_by.choices}  # type: ignore[union-attr, misc]
        return labels.get("" if value is None else str(value), NOT_SET)
    return NOT_SET if value in (None, "") else str(value)
