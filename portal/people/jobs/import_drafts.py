"""From a file that somebody sent to the job that imports it."""

from collections.abc import Iterator
from dataclasses import dataclass

from portal.access.models import Connection
from portal.access.origin import Origin
from portal.imports.sheets import Sheet, lost_zeros
from portal.imports.sheets.samples import SAMPLES
from portal.jobs import services as jobs
from portal.jobs.models import Job
from portal.people.imports.columns import COLUMNS, PeopleMapping
from portal.people.jobs.people_import import KIND, ONBOARDS, parameters_of
from portal.translation import gettext as _
from portal.translation import ngettext, number


@dataclass(frozen=True)
class DraftLost:
    """Cells of a column in which a spreadsheet has dropped zeros; `rows` are the first of them."""

    heading: str
    digits: int
    count: int
    rows: list[int]


def lost(table: Sheet, names: tuple[str, ...]) -> Iterator[DraftLost]:
    """Columns whose values have too few digits."""
    for place, name in enumerate(names):
        digits = COLUMNS[name].digits if name in COLUMNS else 0
        if digits and (rows := lost_zeros(table, place, digits)):
            numbers = [row.number for row in rows]
            yield DraftLost(table.headers[place], digits, len(numbers), numbers[:SAMPLES])


def has_passwords(table: Sheet, mapping: PeopleMapping) -> bool:
    place = mapping.place("password")
    if place is None:
        return False
    column = COLUMNS["password"]
    texts = (column.text(cell) for cell in table.column(place))
    return any(column.value(text) for text in texts if text)


def draft(
    origin: Origin,
    connection: Connection,
    table: Sheet,
    mapping: PeopleMapping,
    seats: dict[int, int],
    *,
    name: str = "",
    onboards: bool = False,
) -> Job:
    """A job that imports a table; with `onboards` new people get the template of their department
    when it has ended."""
    count = len(table.rows)
    rows = ngettext("%(count)s row", "%(count)s rows", count) % {"count": number(count)}
    return jobs.draft(
        origin,
        connection,
        KIND,
        _("Import %(rows)s of %(table)s") % {"rows": rows, "table": name or _("a pasted table")},
        parameters=parameters_of(mapping, seats) | {ONBOARDS: onboards},
        file=table.dump(),
        file_name=name,
    )
