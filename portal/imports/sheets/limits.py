"""Bounds of a table, and the errors of one beyond them."""

from dataclasses import dataclass

from portal.translation import gettext as _
from portal.ui.uploads import MOST

MEGABYTE = 1_000_000


class SheetUnreadable(ValueError):
    """No table can be read from this; the text says why, and what to do."""


@dataclass(frozen=True)
class Limits:
    """Bounds of a file and of the table in it.

    `size` and `unpacked` are bytes, of the file and of what a workbook unpacks to; `cells` are
    those in columns that have a name; `cell` and `characters` are characters, of one cell and of
    all together.
    """

    size: int = MOST
    unpacked: int = 120 * MEGABYTE
    rows: int = 50_000
    columns: int = 100
    cells: int = 2_000_000
    cell: int = 5_000
    characters: int = 20_000_000

    def check_size(self, size: int) -> None:
        if size > self.size:
            raise SheetUnreadable(self.too_large)

    @property
    def too_large(self) -> str:
        return _(
            "The file is larger than %(size)s MB. Remove what is not needed, or split the file."
        ) % {"size": self.size // MEGABYTE}

    @property
    def too_many_columns(self) -> str:
        return _(
            "The table has more than %(columns)s columns. Remove those that are not needed."
        ) % {"columns": self.columns}
