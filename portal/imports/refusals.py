"""Refusals of single fields, as the person who made the table knows them."""

from collections.abc import Callable, Collection, Mapping

from portal.translation import gettext as _

# Fields of the interface that tables call otherwise.
_RENAMED = {"recurrence.type": "recurrence_type"}


def of_column(
    field: str,
    message: str,
    cells: Mapping[str, str],
    columns: Collection[str],
    heading: Callable[[str], str],
) -> tuple[str, str]:
    """Returns the heading of the column that a field of the interface came from, and the words with
    the cell; `cells` are those of the row, by the names of `columns`."""
    parts = field.split(".")
    name = _RENAMED.get(field) or next((part for part in reversed(parts) if part in columns), "")
    if name not in columns:
        return field, message
    if cell := cells.get(name, ""):
        message = _("%(message)s The table has “%(cell)s”.") % {"message": message, "cell": cell}
    return heading(name), message
