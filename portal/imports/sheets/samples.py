"""The columns of a table with a few of their values, for people to say what they mean."""

from collections.abc import Collection
from dataclasses import dataclass

from portal.contract.model import MASK
from portal.imports.sheets.table import Sheet

SAMPLES = 3
_SHOWN = 60


@dataclass(frozen=True)
class SampleRange:
    """A column of a table as a page shows it, with a few of its values."""

    place: int
    heading: str
    samples: list[str]


def parts(table: Sheet, names: Collection[str], secrets: Collection[str]) -> list[SampleRange]:
    """Every column with values of it; of those whose name is among `secrets` none is shown."""
    return [
        SampleRange(place, heading, _samples(table, place, is_secret=name in secrets))
        for place, (heading, name) in enumerate(zip(table.headers, names, strict=True))
    ]


def _samples(table: Sheet, place: int, *, is_secret: bool) -> list[str]:
    cells = dict.fromkeys(cell.strip() for cell in table.column(place) if cell.strip())
    if is_secret:
        return [MASK] if cells else []
    # Where the encoding is a guess, its mistakes show in what is no plain letter.
    first = sorted(cells, key=str.isascii) if table.is_guess else list(cells)
    return [cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…" for cell in first[:SAMPLES]]
