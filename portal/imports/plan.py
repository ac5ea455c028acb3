"""The job that imports a table, and its plan, which compares each row with the service."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from portal.contract.operation import AnyOperation
from portal.imports.mapping import ImportMapping, ImportRow
from portal.imports.sheets import Sheet
from portal.jobs.job_types import JobType
from portal.jobs.models import NEVER_SENT, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning, Unplannable
from portal.translation import gettext as _, number

CREATE, CHANGE, DELETE = "create", "change", "delete"
TOGETHER = 200  # rows between two reports of the progress
_ANSWERS = 20  # answers of the service between two reports
R = TypeVar("R", bound=ImportRow)
T = TypeVar("T")
Operations = Sequence[AnyOperation]


class ImportPlan(ABC, Generic[R]):
    """The plan of one import, of rows of the class `of`. Its methods are called in the order of
    their definition."""

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
        table = Sheet.load(self.planning.file())
        self.mapping = self.mapping.of_table(table)
        rows: list[Any] = list(self.mapping.rows(table, self.of))
        if not rows:
            raise Unplannable(_("The table has no rows."))
        self.prefetch(rows)
        for done, item in enumerate(self.items(rows), start=1):
            self.planning.add(item)
            if done % TOGETHER == 0:
                self.planning.progress(done, len(rows), _("Comparing rows"))
        self.add_notices(rows)
        self._add_column_notices(table)

    def fetch_all(self, fetch: Callable[[str], T], keys: Iterable[str], words: str) -> dict[str, T]:
        """Returns the result of `fetch` for each key, with several calls at a time; `words` report
        the count `done`."""
        wanted, results = list(dict.fromkeys(keys)), {}
        for key, one in zip(wanted, self.planning.concurrently(fetch, wanted), strict=True):
            results[key] = one
            if len(results) % _ANSWERS == 0:
                activity = words % {"done": number(len(results))}
                self.planning.progress(len(results), len(wanted), activity)
        return results

    def _add_column_notices(self, table: Sheet) -> None:
        """Adds notices about the reading of the table, for users who approve the job as well."""
        read = ", ".join(
            _("%(heading)s as %(title)s") % {"heading": heading, "title": title}
            for heading, title in self.mapping.read_as
        )
        words = _("%(table)s. Columns: %(read)s.") % {"table": table.description, "read": read}
        if self.shows_columns:
            self.planning.add_notice("neutral", words)
        if ignored := self.mapping.ignored:
            words = _("Columns that are not imported: %(listed)s.") % {"listed": ", ".join(ignored)}
            self.planning.add_notice("warning", words)


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

    def row_of(self, item: JobItem) -> dict[str, str]:
        """Returns the row as it was uploaded, without secrets."""
        return dict(item.data.get("row", {}))
