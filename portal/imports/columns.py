"""The columns that a table may have, the reading of their cells, and values in words."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache, cached_property, partial
from typing import Any

from tzlocal.windows_tz import win_tz

from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import MASK, Model
from portal.contract.types import Digits, time_zone_ids
from portal.imports.sheets.headings import FULL_NAME, TableWords, common, normal
from portal.imports.sheets.table import plain
from portal.translation import gettext as _, gettext_lazy, in_all_languages, lazily
from portal.translation.phrases import joined
from portal.ui.addresses import names_in
from portal.ui.forms.specs import FieldSpec, object_specs

_SEPARATORS = re.compile(r"[;\n]")
_HIDDEN = re.compile(r"[*•·]{3,}")  # a password that an export does not have
_TRUE = {*common("yes"), "true", "yes", "y", "on", "x", "1", "enabled", "✓", "✔"}
_FALSE = {*common("no"), "false", "no", "n", "off", "0", "disabled", "-"}
Choice = tuple[str, Any]  # of a form
_NONE_OF = gettext_lazy("“%(text)s” is none of: %(listed)s.")
_JOINED = "; "  # as exports have it


def text_of(cell: str) -> str:
    """Returns the text of a cell without surrounding space and invisible characters."""
    return cell.strip() if cell.isascii() else unicodedata.normalize("NFC", plain(cell))


def several(text: str) -> list[str]:
    """Returns the values in one cell, separated by semicolons or line breaks."""
    values = (value.strip() for value in _SEPARATORS.split(text))
    return list(dict.fromkeys(value for value in values if value))


def password(text: str) -> str:
    """Returns a password; empty for stars, which represent one that an export does not have."""
    return "" if _HIDDEN.fullmatch(text.strip()) else text


def truth(text: str) -> bool:
    """Returns a yes or no. Raises `ValueError` with words."""
    word = text.casefold()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError(_("“%(text)s” is not valid. Enter yes or no.") % {"text": text})


def time_zone(text: str) -> str:
    """Returns the id of a time zone, from an id in any case or a name of Windows. Raises
    `ValueError` with words."""
    result = _zones().get(text.casefold())
    if result is None:
        words = _("“%(text)s” is not a time zone. Example: Europe/Berlin.")
        raise ValueError(words % {"text": text})
    return result


@cache
def _zones() -> Mapping[str, str]:
    zone_ids = time_zone_ids()
    windows = {name.casefold(): zone for name, zone in win_tz.items() if zone in zone_ids}
    return windows | {zone.casefold(): zone for zone in zone_ids}


@dataclass(frozen=True)
class Column:
    """A column of a table. `spec` is its field in the contract, `also` other headings for it.

    `hint` adds to the description of the contract, `example` is for the template. `options` are its
    choices if the contract has none, `words` other ways to write these, and `none_of` the problem
    of a text that is none of them. `reader` reads the value of a text, and raises `ValueError` with
    words; without it, the contract defines the type of the value. A `verbatim` cell keeps its
    surrounding space. A column that `decides` what a row makes is not left out for values that it
    does not know. Without `is_described` the contract's description is left out.
    """

    name: str
    title: str
    hint: str = ""
    spec: FieldSpec | None = None
    also: tuple[str, ...] = ()
    example: str = ""
    options: Sequence[TextChoice | NumberChoice] = ()
    words: Mapping[str, Any] = field(default_factory=dict)
    none_of: str = _NONE_OF
    reader: Callable[[str], Any] | None = None
    verbatim: bool = False
    is_secret: bool = False
    is_described: bool = True
    decides: bool = False

    @property
    def digits(self) -> int:
        """Returns the number of digits of a value, if that is fixed; else 0."""
        marks = self.spec.marks if self.spec else ()
        return next((mark.count for mark in marks if isinstance(mark, Digits)), 0)

    @property
    def help(self) -> str:
        """Returns a description of the column's values."""
        description = self.spec.description if self.spec and self.is_described else ""
        of_truth = _("Write yes or no.") if self.spec and self.spec.kinds[0] is bool else ""
        sentences = (
            str(sentence).rstrip(".") for sentence in (description, self.hint, of_truth) if sentence
        )
        return " ".join(f"{each}." for each in sentences)

    @cached_property
    def offered(self) -> Sequence[TextChoice | NumberChoice]:
        """Returns the values to choose from, if there are such."""
        kinds = self.spec.kinds if self.spec else ()
        of = (each for each in kinds if isinstance(each, type))
        kind = next((each for each in of if issubclass(each, TextChoice | NumberChoice)), None)
        return self.options or tuple(kind or ())

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Returns the choices with their labels; none for a column with a reader."""
        return [] if self.reader else [(str(each.value), each.label) for each in self.offered]

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """Returns the headings of this column, the likeliest first."""
        words = (self.name, *in_all_languages(self.title), *self.also)
        return tuple(dict.fromkeys(map(normal, words)))

    def text(self, cell: str) -> str:
        """Returns the text of a cell; empty for a blank one."""
        return cell if self.verbatim and cell.strip() else text_of(cell)

    def value(self, text: str) -> Any:
        """Returns the value of a text, in the form of JSON. Raises `ValueError` with the problem.

        The contract checks limits.
        """
        if self.reader:
            return self.reader(text)
        if self.offered:
            return self.choice(text).value
        if self.spec and self.spec.is_list:
            return several(text)
        return truth(text) if self.spec and self.spec.kinds[0] is bool else text

    def understands(self, text: str) -> bool:
        try:
            self.value(self.text(text))
        except ValueError:
            return False
        return True

    def fits(self, texts: Sequence[str]) -> bool:
        """Returns whether any of these texts is a value of this column."""
        return any(map(self.understands, texts))

    def choice(self, text: str) -> Any:
        """Returns a choice by its label in any language, its value or one of `words`. Raises
        `ValueError` with all of them."""
        result = self._meanings.get(normal(text.removesuffix(".0")))  # as spreadsheets write 2
        if result is None:
            listed = joined(", ", *(str(each.label) for each in self.offered))
            raise ValueError(self.none_of % {"text": text, "listed": listed})
        return result

    @cached_property
    def _meanings(self) -> Mapping[str, object]:
        meanings = {normal(word): meaning for word, meaning in self.words.items()}
        for each in self.offered:
            labels = in_all_languages(lazily(partial(getattr, each, "label")))
            meanings |= {normal(word): each for word in (*labels, str(each.value))}
        return meanings


def full_name_column() -> Column:
    """Returns the column of whole names, whose values are first and last name."""
    return Column(
        FULL_NAME,
        gettext_lazy("Full name"),
        gettext_lazy("Instead of first and last name: “Ada King”, or “King, Ada”."),
        also=common(FULL_NAME),
        reader=names_in,
    )


def field_specs(model: type[Model]) -> dict[str, FieldSpec]:
    """Returns the single values of a model by their dotted names."""
    results = (item for object_spec in object_specs(model) for item in object_spec.items)
    return {item.name: item for item in results if isinstance(item, FieldSpec)}


def column_of(
    model: type[Model],
    dotted: str,
    table_words: TableWords | None = None,
    *,
    name: str = "",
    **values: Any,
) -> Column:
    """Returns the column of a field; `values` are attributes beside those of the contract,
    `table_words` other ways to write its headings and choices."""
    spec = field_specs(model)[dotted]
    values = {"title": lazily(lambda: spec.title), "is_secret": spec.is_sensitive, **values}
    column = Column(name or dotted, spec=spec, **values)
    return column if table_words is None else worded(column, table_words)


def worded(column: Column, table_words: TableWords) -> Column:
    """Returns the column with the headings, and the words for its choices, of a file."""
    kind = type(column.offered[0]) if column.offered else None
    words = {**column.words, **(table_words.meanings(column.name, kind) if kind else {})}
    also = (*column.also, *table_words.headings.get(column.name, ()))
    return replace(column, also=also, words=words)


def by_name(columns: Iterable[Column]) -> dict[str, Column]:
    return {column.name: column for column in columns}


def headings_of(columns: Mapping[str, Column]) -> frozenset[str]:
    """Returns all headings of columns, in the form of `sheets.headings.normal`."""
    alone = common("name") if FULL_NAME in columns else ()
    headings = (heading for one in columns.values() for heading in one.headings)
    return frozenset((*headings, *map(normal, alone)))


def choices_of(columns: Mapping[str, Column], own: str, named: Sequence[Choice]) -> list[Choice]:
    """Returns the choices for a column of a table; those that a table names itself are a group,
    called `own`."""
    choices: list[Choice] = [(one.name, one.title) for one in columns.values()]
    return [*choices, (own, named)] if named else choices


def current_value(column: Column, thing: object) -> object:
    """Returns the value of an object in a column, in the form of JSON."""
    value = getattr(thing, column.name, None)
    if column.spec and column.spec.is_list:
        return [str(each) for each in value or ()]
    return value.value if isinstance(value, Enum) else value


def is_same(present: Any, wanted: Any) -> bool:
    """Returns whether the export of a value would be the cell of the table."""
    if isinstance(wanted, list):
        return bool(present == wanted) or several(_JOINED.join(present or ())) == wanted
    if isinstance(wanted, str):
        return text_of(str(present or "")) == wanted
    return bool(present == wanted)


def in_words(column: Column, value: Any) -> str:
    """Returns a value as users read it; secrets are masked."""
    if value in (None, "", []):
        return ""
    if column.is_secret:
        return MASK
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, list):
        return _JOINED.join(map(str, value))
    labels = (each.label for each in column.offered if str(each.value) == str(value))
    return next(labels, str(value))
