"""The job that imports a table, and its plan, which compares each row with the service."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar

from pydantic_core import from_json, to_json

from portal.access import tokens
from portal.access.tokens import TokenUnreadable
from portal.contract.operation import AnyOperation
from portal.imports.mapping import ImportMapping, ImportRow, key_of
from portal.imports.sheets import Sheet
from portal.jobs.job_types import JobType
from portal.jobs.models import NEVER_SENT, UNDOES, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.jobs.row_errors import RowReading
from portal.translation import gettext as _, number
from portal.translation.phrases import joined

CREATE, CHANGE, DELETE = "create", "change", "delete"
# The parameter with what the texts about the table are made of.
READ_IN_WORDS = "read_in_words"
TOGETHER = 200  # rows between two reports of the progress
_UNMAPPED = "unmapped"  # the data of an item with cells that are not imported
_ANSWERS = 20  # answers of the service between two reports
R = TypeVar("R", bound=ImportRow)
T = TypeVar("T")
Operations = Sequence[AnyOperation]


class ImportPlan(ABC, Generic[R]):
    """The plan of one import, of rows of the class `of`. Its methods are called in the order of
    their definition. `items` makes the item of each row by `planned`."""

    of: ClassVar[type[ImportRow]] = ImportRow
    shows_columns: ClassVar[bool] = False  # and how the table was read

    def __init__(self, planning: Planning, mapping: ImportMapping) -> None:
        self.planning, self.mapping = planning, mapping

    def prefetch(self, rows: list[R]) -> None:
        """Reads the objects that the rows are compared with."""

    @abstractmethod
    def items(self, rows: list[R]) -> Iterable[NewItem]:
        """Returns an item for each row, in their order."""

    def add_notices(self, rows: list[R]) -> None:
        """Adds notices about the plan as a whole."""

    def make(self) -> None:
        words = self.planning.job.parameters.get(READ_IN_WORDS, {})
        table = replace(Sheet.load(self.planning.file()), words=words).remembered()
        self.mapping = self.mapping.of_table(table)
        rows: list[Any] = list(self.mapping.rows(table, self.of))
        if not rows:
            raise Unplannable(_("The table has no rows."))
        readable = [row for row in rows if row.error is None]
        self.prefetch(readable)
        unread = (self.planned(row, partial(_unread, row)) for row in rows if row.error)
        for done, item in enumerate(chain(unread, self.items(readable)), start=1):
            self.planning.add(item)
            if done % TOGETHER == 0:
                self.planning.progress(done, len(rows), _("Comparing rows"))
        self.add_notices(readable)
        self._add_column_notices(table)

    def planned(self, row: R, make: Callable[[], NewItem]) -> NewItem:
        """Returns the item of a row; an error of this row alone is its problem."""
        label = _("Row %(number)s") % {"number": row.number}
        item = self.planning.item(row.number, label, make)
        item.data.setdefault("row", row.cells)
        if cells := self.mapping.unmapped(row.row):
            # Sealed, since no user has said what is in them.
            item.data[_UNMAPPED] = tokens.seal_file(to_json(cells))
        return item

    def fetch_all(
        self, fetch: Callable[[str], T], keys: Iterable[str], words: str
    ) -> dict[str, RowReading[T]]:
        """Returns the reading of `fetch` for each key, with several calls at a time; `words` report
        the count `done`."""
        wanted, results = list(dict.fromkeys(keys)), {}
        for key, one in zip(wanted, self.planning.read_each(fetch, wanted), strict=True):
            results[key] = one
            if len(results) % _ANSWERS == 0:
                activity = words % {"done": number(len(results))}
                self.planning.progress(len(results), len(wanted), activity)
        return results

    def _add_column_notices(self, table: Sheet) -> None:
        """Adds notices about the reading of the table, for users who approve the job as well."""
        read = joined(
            ", ",
            *(
                _("%(heading)s as %(title)s") % {"heading": heading, "title": title}
                for heading, title in self.mapping.read_as
            ),
        )
        words = _("%(table)s. Columns: %(read)s.") % {"table": table.description, "read": read}
        if self.shows_columns:
            self.planning.add_notice("neutral", words)
        if words := table.hidden_in_words:
            self.planning.add_notice("warning", words)
        if ignored := self.mapping.ignored:
            listed = joined(", ", *ignored)
            words = _("Columns that are not imported: %(listed)s.") % {"listed": listed}
            self.planning.add_notice("warning", words)


def _unread(row: ImportRow) -> NewItem:
    """Raises the error by which a row could not be read."""
    raise row.error or ValueError(row.number)


def item_of(
    row: ImportRow, label: str, action: str, object_id: str = "", **data: object
) -> NewItem:
    """Returns the item of a row, with its problems."""
    return NewItem(
        number=row.number,
        label=label or _("Row %(number)s") % {"number": row.number},
        action=action,
        object_id=object_id,
        state=ItemState.INVALID if row.problems else ItemState.PENDING,
        data={"row": row.cells, **data},
        problems=row.problems,
    )


class ImportJob(JobType):
    """Job that imports a table: its file is a `Sheet` as JSON, and its parameters map the columns.

    `operations` are those that the items of an action call, the first of them always, and
    `planned_by` makes the plan.
    """

    planned_by: ClassVar[type[ImportPlan[Any]]]
    operations: ClassVar[Mapping[str, Operations]] = {}

    @abstractmethod
    def mapping(self, job: Job) -> ImportMapping:
        """Returns the meaning of the columns of a job's table."""

    def plan(self, planning: Planning) -> None:
        self.planned_by(planning, self.mapping(planning.job)).make()

    def needs(self, job: Job) -> Operations:
        """Returns the operations of the rows that are or may be carried out."""
        items = job.items.exclude(state__in=NEVER_SENT)
        actions = set(items.values_list("action", flat=True).distinct().order_by())
        of_actions = (self.operations.get(action, ()) for action in sorted(actions))
        return list(dict.fromkeys(each for some in of_actions for each in some))

    def calls_of(self, job: Job, action: str) -> Operations:
        result = self.operations.get(action) or self.operations.get(CHANGE) or self.needs(job)
        return result[:1]

    def refused(self, item: JobItem, field: str, message: str) -> tuple[str, str]:
        return self.mapping(item.job).refused(field, message, self.row_of(item))

    def cells_of(self, job: Job) -> dict[str, str]:
        if UNDOES in job.parameters:
            return {}
        try:
            mapping = self.mapping(job)
        except KeyError:  # of an earlier release, whose parameters were others
            return {}
        return {
            name: mapping.title(name)
            for name in mapping.names
            if name in mapping.columns and not mapping.columns[name].is_secret
        }

    def row_of(self, item: JobItem) -> dict[str, str]:
        """Returns the row as it was uploaded, without secrets."""
        row = dict(item.data.get("row", {}))
        with suppress(TokenUnreadable):
            if sealed := item.data.get(_UNMAPPED):
                row |= from_json(tokens.unseal_file(sealed))
        return row

    def headings(self, job: Job) -> Sequence[tuple[str, str]]:
        names, headings = (job.parameters.get(each, ()) for each in ("names", "headings"))
        if len(names) != len(headings):
            return ()
        keys = (self.name_in_rows(name) or key_of(at) for at, name in enumerate(names))
        return list(zip(keys, headings, strict=True))

    def name_in_rows(self, name: str) -> str:
        """Returns the name that cells of a column have in rows."""
        return name
