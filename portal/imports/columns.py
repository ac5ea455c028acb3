"""The columns that a table may have, by what the contract says of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import Model
from portal.contract.types import Digits
from portal.imports.sheets.headings import normal
from portal.translation import in_all_languages, lazily
from portal.ui.forms.specs import FieldSpec, object_specs

Choice = TextChoice | NumberChoice


@dataclass(frozen=True)
class Column:
    """A field of a table. `spec` is where the contract declares it, `also` other headings for it.

    `note` says more than the contract does, `example` is for the template. `words` are other ways
    to write its choices, as `normal` has them.
    """

    name: str
    title: str
    note: str = ""
    spec: FieldSpec | None = None
    also: tuple[str, ...] = ()
    example: str = ""
    words: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_secret(self) -> bool:
        return self.spec is not None and self.spec.is_sensitive

    @property
    def digits(self) -> int:
        """Returns the number of digits of a value, if that is fixed; else 0."""
        marks = self.spec.marks if self.spec else ()
        return next((mark.count for mark in marks if isinstance(mark, Digits)), 0)

    @property
    def help(self) -> str:
        """Returns a description of the column's values."""
        said = self.spec.description if self.spec else ""
        return " ".join(str(part) for part in (said, self.note) if part)

    @property
    def kind(self) -> type[Choice] | None:
        """The choices that it takes, where these are few."""
        for kind in self.spec.kinds if self.spec else ():
            if isinstance(kind, type) and issubclass(kind, TextChoice | NumberChoice):
                return kind
        return None

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The values that it takes, where these are few, each with its meaning."""
        return [(str(each.value), each.label) for each in self.kind or ()]

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """Headings that mean this column, the likeliest first."""
        known = (self.name, *in_all_languages(self.title), *self.also)
        return tuple(dict.fromkeys(map(normal, known)))


def field_specs(model: type[Model]) -> dict[str, FieldSpec]:
    """The single values of a model by their dotted names."""
    found = (item for object_spec in object_specs(model) for item in object_spec.items)
    return {item.name: item for item in found if isinstance(item, FieldSpec)}


def column_of(model: type[Model], name: str, **values: Any) -> Column:
    """The column of a field; `values` are what the contract does not say."""
    spec = field_specs(model)[name]
    return Column(name, lazily(lambda: spec.title), spec=spec, **values)


def by_name(columns: Iterable[Column]) -> dict[str, Column]:
    return {column.name: column for column in columns}
