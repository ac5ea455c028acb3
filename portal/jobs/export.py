"""Rows of a job as a file: to correct and import again, or to keep."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.text import capfirst

from portal.jobs.job_summary import job_type_or_wording
from portal.jobs.job_types import Wording
from portal.jobs.models import ItemState, Job, JobItem
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.exports import ExportColumn

FAILED, INVALID, TO_CORRECT, ALL = "failed", "invalid", "to-correct", "all"
STATES: dict[str, tuple[ItemState, ...]] = {
    FAILED: (ItemState.FAILED,),
    INVALID: (ItemState.INVALID,),
    TO_CORRECT: (ItemState.FAILED, ItemState.INVALID),
    ALL: tuple(ItemState),
}


# What files are called by their rows.
TITLES = {
    FAILED: gettext_lazy("failed rows"),
    INVALID: gettext_lazy("rows with errors"),
    TO_CORRECT: gettext_lazy("rows to correct"),
    ALL: gettext_lazy("all rows"),
}


@dataclass(frozen=True)
class ExportRow:
    """An item, and its cells as the kind fills them."""

    item: JobItem
    cells: dict[str, str]


def rows(job: Job, which: str) -> Iterator[ExportRow]:
    """Those of a key of `STATES`, in their order."""
    job_type = job_type_or_wording(job)
    items = job.items.filter(state__in=STATES[which]).order_by("number", "pk")
    for item in items.iterator(chunk_size=500):
        yield ExportRow(item, job_type.row_of(item))


def columns(job: Job, which: str) -> list[ExportColumn]:
    """Those of the kind, in which rows can be imported again, then `row` and `problem`."""
    job_type = job_type_or_wording(job)
    own = [ExportColumn(name, _cell(name)) for name in _names(job, job_type)]
    if not own:
        own = [ExportColumn("item", lambda row: row.item.label, capfirst(job_type.noun[0]))]
    if which == ALL:
        own.append(ExportColumn("state", lambda row: row.item.get_state_display(), _("State")))
    return [
        *own,
        ExportColumn("row", lambda row: row.item.number, _("Row")),
        ExportColumn("problem", lambda row: problem_of(row.item), _("Problem")),
    ]


def _names(job: Job, job_type: Wording) -> list[str]:
    """The kind's columns, and those that the table had beside: all of its rows have the same."""
    first = job.items.order_by("number", "pk").first()
    beside = job_type.row_of(first) if first and job_type.columns else {}
    return list(dict.fromkeys((*job_type.columns, *beside)))


def _cell(name: str) -> Callable[[ExportRow], str]:
    return lambda row: row.cells.get(name, "")


def problem_of(item: JobItem) -> str:
    """Returns the problems of an item, in one line."""
    of_columns = [f"{column}: {said}" if column else said for column, said in item.problems]
    return "; ".join([item.message, *of_columns] if item.message else of_columns)
