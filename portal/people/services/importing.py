"""From a file that somebody sent to the job that imports it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction

from portal.access.models import Connection
from portal.access.origin import Origin
from portal.contract.model import MASK
from portal.jobs import services as jobs
from portal.jobs.models import Job
from portal.people.imports.columns import COLUMNS, Mapping
from portal.people.imports.values import text_of
from portal.people.jobs.people_import import KIND, parameters_of
from portal.ui.models import KeptTable
from portal.ui.sheets import Table, keeping, lost_zeros

_SAMPLES = 3
_SHOWN = 60


@dataclass(frozen=True)
class Part:
    """A column of a table as the page shows it, with a few of its values."""

    place: int
    heading: str
    samples: list[str]


@dataclass(frozen=True)
class Lost:
    """Cells of a column in which a spreadsheet has dropped zeros; `rows` are the first of them."""

    heading: str
    digits: int
    count: int
    rows: list[int]


def take_in(
    connection: Connection, content: bytes | str, name: str = "", encoding: str = ""
) -> KeptTable:
    """Reads and keeps what was sent. Raises `Unreadable`."""
    return keeping.keep(connection, KIND, content, name, encoding)


def find(connection: Connection, key: str) -> tuple[KeptTable, Table] | None:
    return keeping.find(connection, KIND, key)


def parts(table: Table, names: tuple[str, ...]) -> list[Part]:
    """Every column with values of it; of what is secret none is shown."""
    return [
        Part(place, heading, _samples(table, place, names[place]))
        for place, heading in enumerate(table.headers)
    ]


def _samples(table: Table, place: int, name: str) -> list[str]:
    cells = dict.fromkeys(cell.strip() for cell in table.column(place) if cell.strip())
    if name and COLUMNS[name].is_secret:
        return [MASK] if cells else []
    # Where the encoding is a guess, its mistakes show in what is no plain letter.
    first = sorted(cells, key=str.isascii) if table.is_guess else list(cells)
    return [cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…" for cell in first[:_SAMPLES]]


def lost(table: Table, names: tuple[str, ...]) -> Iterator[Lost]:
    """Columns whose values have too few digits."""
    for place, name in enumerate(names):
        digits = COLUMNS[name].digits if name else 0
        if digits and (rows := lost_zeros(table, place, digits)):
            numbers = [row.number for row in rows]
            yield Lost(table.headers[place], digits, len(numbers), numbers[:_SAMPLES])


def has_passwords(table: Table, mapping: Mapping) -> bool:
    place = mapping.place("password")
    if place is None:
        return False
    return any(text_of(COLUMNS["password"], cell) for cell in table.column(place))


def start(
    origin: Origin, connection: Connection, kept: KeptTable, mapping: Mapping, seats: dict[int, int]
) -> Job:
    """Begins the job; what was kept goes with it, encrypted, and is erased here."""
    with transaction.atomic():
        table = Table.load(keeping.table_of(kept))
        job = draft(origin, connection, table, mapping, seats, name=kept.name)
        kept.delete()
    return job


def draft(
    origin: Origin,
    connection: Connection,
    table: Table,
    mapping: Mapping,
    seats: dict[int, int],
    *,
    name: str = "",
) -> Job:
    """A job that imports a table."""
    count = len(table.rows)
    rows = "1 row" if count == 1 else f"{count:,} rows"
    return jobs.draft(
        origin,
        connection,
        KIND,
        f"Import {rows} of {name or 'a pasted table'}",
        parameters=parameters_of(mapping, seats),
        file=table.dump(),
        file_name=name,
    )
