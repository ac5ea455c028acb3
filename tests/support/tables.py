"""Rows of imports, filled by chance from what the columns declare."""

from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import Any

from portal.contract.types import time_zone_ids
from portal.imports.columns import Column

Row = dict[str, str]
_SHARE = 0.6  # of the optional columns that a row has
_LETTERS = "abcdefghijklmnopqrstuvwxyzäéß"


def row_of(
    columns: Mapping[str, Column],
    chance: Random,
    *,
    given: Mapping[str, str | Callable[[], str]],
    without: Collection[str] = (),
    whole: bool = False,
) -> Row:
    """Returns a row: `given` cells as they are, each other column as it declares, `without` some.

    A `whole` row has all columns, any other some of them.
    """
    row = {}
    for name, column in columns.items():
        if name in without or not (whole or chance.random() < _SHARE):
            continue
        row[name] = cell_of(column, chance)
    fixed = {name: one() if callable(one) else one for name, one in given.items()}
    return {name: cell for name, cell in (row | fixed).items() if cell}


def cell_of(column: Column, chance: Random) -> str:
    """Returns a cell that the column takes."""
    kinds: tuple[Any, ...] = column.spec.kinds if column.spec else ()
    schema = column.spec.schema if column.spec else {}
    if column.offered:
        one = chance.choice(list(column.offered))
        return str(chance.choice([one.label, one.value]))
    if column.digits:
        return str(chance.randint(10 ** (column.digits - 1), 10**column.digits - 1))
    if bool in kinds:
        return chance.choice(["yes", "no", "TRUE", "0"])
    if column.name.endswith("timezone"):
        return chance.choice(sorted(time_zone_ids()))
    if int in kinds:
        least, most = schema.get("minimum", 1), schema.get("maximum", 90)
        return str(chance.randint(least, min(most, least + 90)))
    if column.spec and column.spec.is_list:
        return "; ".join(_word(chance, 12) for _ in range(chance.randint(1, 4)))
    if column.reader and column.example:
        return str(column.example)
    return _word(chance, min(schema.get("maxLength") or 30, 30))


def _word(chance: Random, most: int) -> str:
    return "".join(chance.choice(_LETTERS) for _ in range(chance.randint(1, most)))
