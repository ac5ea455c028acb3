"""Cells of a table's column, whose rendering is decided once per table instead of once per cell."""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django_tables2.columns import BoundColumn
from django_tables2.utils import Accessor

Cell = Callable[[Any], Any]


def cells_of(table: Any, column: BoundColumn, sample: Any) -> Cell:
    """From a record to what its cell holds; `column.default` where the record has no value.

    As django-tables2 does it: the value by the column's accessor, a choice by its label, shown by
    `render_<column>` of the table, which takes `value`, `record`, or both, or else in the column's
    words. `sample` is a record.
    """
    value_of = _reader(column, sample)
    render = getattr(table, f"render_{column.name}", None)
    words = getattr(column.column, "words", None)
    draw = _drawing(render) if render else words and (lambda value, _record: words(value))
    empty, default = column.column.empty_values, column.default

    def cell(record: Any) -> Any:
        value = value_of(record)
        if value in empty:
            return default
        return draw(value, record) if draw else value

    return cell


def _drawing(render: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """`render` as a function of the value and the record, whichever of them it takes."""
    takes = set(inspect.signature(render).parameters)
    if takes == {"value"}:
        return lambda value, _record: render(value=value)
    if takes == {"record"}:
        return lambda _value, record: render(record=record)
    return lambda value, record: render(value=value, record=record)


def _reader(column: BoundColumn, sample: Any) -> Cell:
    path = str(column.accessor)
    if isinstance(sample, Model) and _has_choices(type(sample), path):
        return lambda record: getattr(record, f"get_{path}_display")()
    accessor = Accessor(path)
    if len(accessor.bits) > 1 or isinstance(sample, Mapping):
        return lambda record: accessor.resolve(record, quiet=True)

    def read(record: Any) -> Any:
        value = getattr(record, path, None)
        return value() if callable(value) else value

    return read


@cache
def _has_choices(model: type[Model], name: str) -> bool:
    try:
        return bool(getattr(model._meta.get_field(name), "choices", None))
    except FieldDoesNotExist:
        return False
