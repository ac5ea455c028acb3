"""The columns that a table may have, and the meaning of their cells by the contract."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import Model
from portal.contract.types import Digits
from portal.imports.sheets.headings import normal
from portal.imports.sheets.meanings import several, text_of, truth
from portal.imports.sheets.words import TableWords
from portal.translation import gettext as _
from portal.translation import gettext_lazy, in_all_languages, lazily
from portal.ui.forms.specs import FieldSpec, object_specs

Choice = tuple[str, Any]  # of a form
_NONE_OF = gettext_lazy("“%(text)s” is none of: %(listed)s.")


@dataclass(frozen=True)
class Column:
    """A field of a table. `spec` is where the contract declares it, `also` other headings for it.

    `note` says more than the contract does, `example` is for the template. `options` are its
    choices where the contract does not say them, `words` other ways to write these, and `none_of`
    what is said of a text that is none of them. `reader` makes the value of a text, and raises
    `ValueError` with words; where there is none, the contract says what kind of value it is. What
    is `verbatim` keeps the space around it.
    """

    name: str
    title: str
    note: str = ""
    spec: FieldSpec | None = None
    also: tuple[str, ...] = ()
    example: str = ""
    options: Sequence[TextChoice | NumberChoice] = ()
    words: Mapping[str, Any] = field(default_factory=dict)
    none_of: str = _NONE_OF
    reader: Callable[[str], Any] | None = None
    verbatim: bool = False
    is_secret: bool = False

    @property
    def digits(self) -> int:
        """Returns the number of digits of a value, if that is fixed; else 0."""
        marks = self.spec.marks if self.spec else ()
        return next((mark.count for mark in marks if isinstance(mark, Digits)), 0)

    @property
    def help(self) -> str:
        """Returns a description of the column's values."""
        said = self.spec.description if self.spec else ""
        of_truth = _("Write yes or no.") if self.spec and self.spec.kinds[0] is bool else ""
        sentences = (str(part).rstrip(".") for part in (said, self.note, of_truth) if part)
        return " ".join(f"{each}." for each in sentences)

    @cached_property
    def offered(self) -> Sequence[TextChoice | NumberChoice]:
        """The values that it takes, where these are few."""
        kinds = self.spec.kinds if self.spec else ()
        of = (each for each in kinds if isinstance(each, type))
        kind = next((each for each in of if issubclass(each, TextChoice | NumberChoice)), None)
        return self.options or tuple(kind or ())

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Returns the choices with their meanings; none of those that a reader makes."""
        return [] if self.reader else [(str(each.value), each.label) for each in self.offered]

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """Headings that mean this column, the likeliest first."""
        known = (self.name, *in_all_languages(self.title), *self.also)
        return tuple(dict.fromkeys(map(normal, known)))

    def text(self, cell: str) -> str:
        """Returns a cell as it is meant; empty where it says nothing."""
        return cell if self.verbatim and cell.strip() else text_of(cell)

    def value(self, text: str) -> Any:
        """The value, as JSON has it, that a text stands for. Raises `ValueError` with the fault.

        Limits are not checked here: the contract does that.
        """
        if self.reader:
            return self.reader(text)
        if self.offered:
            return self.choice(text).value
        if self.spec and self.spec.is_list:
            return several(text)
        return truth(text) if self.spec and self.spec.kinds[0] is bool else text

    def choice(self, text: str) -> Any:
        """A choice by its label in any language, its value or one of `words`. Raises
        `ValueError` with all of them."""
        found = self._meanings.get(normal(text.removesuffix(".0")))  # as spreadsheets write 2
        if found is None:
            listed = ", ".join(str(each.label) for each in self.offered)
            raise ValueError(self.none_of % {"text": text, "listed": listed})
        return found

    @cached_property
    def _meanings(self) -> Mapping[str, Any]:
        known = {normal(word): meaning for word, meaning in self.words.items()}
        for each in self.offered:
            labels = in_all_languages(lazily(partial(getattr, each, "label")))
            known |= {normal(word): each for word in (*labels, str(each.value))}
        return known


def field_specs(model: type[Model]) -> dict[str, FieldSpec]:
    """The single values of a model by their dotted names."""
    found = (item for object_spec in object_specs(model) for item in object_spec.items)
    return {item.name: item for item in found if isinstance(item, FieldSpec)}


def column_of(
    model: type[Model],
    dotted: str,
    said: TableWords | None = None,
    *,
    name: str = "",
    **values: Any,
) -> Column:
    """The column of a field; `values` are what the contract does not say, `said` how else its
    headings and choices are written."""
    spec = field_specs(model)[dotted]
    values = {"title": lazily(lambda: spec.title), "is_secret": spec.is_sensitive, **values}
    column = Column(name or dotted, spec=spec, **values)
    return column if said is None else worded(column, said)


def worded(column: Column, said: TableWords) -> Column:
    """Returns the column with the headings, and the words for its choices, of a file."""
    kind = type(column.offered[0]) if column.offered else None
    words = {**column.words, **(said.meanings(column.name, kind) if kind else {})}
    also = (*column.also, *said.headings.get(column.name, ()))
    return replace(column, also=also, words=words)


def by_name(columns: Iterable[Column]) -> dict[str, Column]:
    return {column.name: column for column in columns}


def headings_of(columns: Mapping[str, Column]) -> frozenset[str]:
    """All headings that mean a column, as `sheets.headings.normal` makes them."""
    return frozenset(heading for one in columns.values() for heading in one.headings)


def choices_of(columns: Mapping[str, Column], own: str, named: Sequence[Choice]) -> list[Choice]:
    """Returns the meanings that a column of a table may have; those that a table names itself are a
    group, called `own`."""
    choices: list[Choice] = [(one.name, one.title) for one in columns.values()]
    return [*choices, (own, named)] if named else choices
