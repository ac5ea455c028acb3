"""Rows of a job as a file: to correct and import again, or as a report."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import capfirst

from portal.access.http import Origin
from portal.access.tokens import TokenUnreadable
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.config import clock
from portal.jobs.job_summary import job_type_or_wording
from portal.jobs.job_types import JobType, Wording, names_with_secrets
from portal.jobs.models import ItemState, Job, JobFile, JobItem, JobState
from portal.jobs.services import JobRefused, require
from portal.jobs.steps import numbered
from portal.translation import gettext as _, gettext_lazy
from portal.ui.exports import ExportColumn

FAILED, INVALID, TO_CORRECT, ALL = "failed", "invalid", "to-correct", "all"
STATES: dict[str, tuple[ItemState, ...]] = {
    FAILED: (ItemState.FAILED,),
    INVALID: (ItemState.INVALID,),
    TO_CORRECT: (ItemState.FAILED, ItemState.INVALID),
    ALL: tuple(ItemState),
}
# Names of files, by the rows in them.
TITLES = {
    FAILED: gettext_lazy("failed rows"),
    INVALID: gettext_lazy("rows with errors"),
    TO_CORRECT: gettext_lazy("rows to correct"),
    ALL: gettext_lazy("all rows"),
}
_TOGETHER = 500  # rows of the database
_SECRETS_STORED = timedelta(days=1)
TO_HAND_OUT = timedelta(days=7)  # after which secrets that can be exported are erased


@dataclass(frozen=True)
class ExportRow:
    """An item with the cells that its job type fills."""

    item: JobItem
    cells: dict[str, str]


def rows(job: Job, which: str) -> Iterator[ExportRow]:
    """Yields the rows of a key of `STATES`, in their order."""
    job_type = job_type_or_wording(job)
    items = job.items.filter(state__in=STATES[which]).order_by("number", "pk")
    left = items.iterator(chunk_size=_TOGETHER)
    while some := list(islice(left, _TOGETHER)):
        if _has_steps(job_type):
            numbered(job, some)
        yield from (ExportRow(item, job_type.row_of(item)) for item in some)


def _has_steps(job_type: Wording) -> bool:
    return isinstance(job_type, JobType) and job_type.in_order


def columns(job: Job, which: str) -> list[ExportColumn]:
    """Returns `row` and `problem`, and then the columns of the table as they were headed, or else
    those of the job type, for another import."""
    job_type = job_type_or_wording(job)
    headed = job_type.headings(job)
    own = [ExportColumn(name, _cell(name), heading) for name, heading in headed]
    own = own or [ExportColumn(name, _cell(name)) for name in _names(job, job_type)]
    if not own:
        noun = capfirst(job_type.noun[0])
        own = [ExportColumn("item", lambda row: job_type.title_of(row.item), noun)]
        if _has_steps(job_type):
            own.insert(0, ExportColumn("person", lambda row: row.item.shown_label, _("Person")))
    if which == ALL:
        own.insert(0, ExportColumn("state", lambda row: row.item.get_state_display(), _("State")))
    return [
        ExportColumn("row", lambda row: getattr(row.item, "place", row.item.number), _("Row")),
        ExportColumn("problem", lambda row: problem_of(row.item), _("Problem")),
        *own,
    ]


def _names(job: Job, job_type: Wording) -> list[str]:
    """Returns the columns of the job type, and the other columns of the table."""
    first = job.items.order_by("number", "pk").first()
    beside = job_type.row_of(first) if first and job_type.columns else {}
    return list(dict.fromkeys((*job_type.columns, *beside)))


def _cell(name: str) -> Callable[[ExportRow], str]:
    return lambda row: row.cells.get(name, "")


def problem_of(item: JobItem) -> str:
    """Returns the problems of an item, in one line."""
    of_columns = [
        f"{column}: {problem}" if column else problem for column, problem in item.shown_problems
    ]
    message = item.shown_message
    return "; ".join([message, *of_columns] if message else of_columns)


def waiting(job: Job) -> QuerySet[JobItem]:
    """Returns the done items whose secrets can be exported."""
    if not job_type_or_wording(job).hands_out or job.is_worked_on:
        return job.items.none()
    return job.items.filter(state=ItemState.DONE).exclude(sealed="")


def secret_columns(job: Job) -> list[ExportColumn]:
    job_type = job_type_or_wording(job)
    return [ExportColumn(name, _cell(name)) for name in (*job_type.columns, *job_type.hands_out)]


def export_secrets(job: Job, origin: Origin) -> Sequence[ExportRow]:
    """Returns rows with the secrets, and erases these. Raises `RoleRefused`, and `JobRefused` if
    there are no secrets, or the user is not the owner of the job."""
    require(job, origin)
    if origin.actor != job.owner:
        raise JobRefused(_("Only the administrator who started the job can export its passwords."))
    with transaction.atomic():
        locked = Job.objects.select_for_update().get(pk=job.pk)
        items = list(waiting(locked).order_by("number", "pk"))
        if not items:
            raise JobRefused(
                _(
                    "There is nothing to export. The passwords were already exported, or a week "
                    "has passed."
                )
            )
        try:
            job_type = job_type_or_wording(job)
            results = [ExportRow(item, _cells(job_type, item)) for item in items]
        except TokenUnreadable as problem:
            raise JobRefused(str(problem)) from None
        job.items.filter(pk__in=[item.pk for item in items]).update(sealed="")
        record(
            origin,
            Act.JOB_SECRETS_TAKEN_OUT,
            object_id=job.key,
            label=job.title,
            connection=job.connection,
            sent={"rows": len(items), "what": ", ".join(job_type.hands_out)},
        )
    return results


def _cells(job_type: Wording, item: JobItem) -> dict[str, str]:
    secret = item.secret
    return job_type.row_of(item) | {name: str(secret.get(name, "")) for name in job_type.hands_out}


def erase_secrets() -> None:
    """Erases passwords of failed rows, and files, a day after the end; secrets that can be exported
    are erased after a week."""
    now = clock.now()
    old = Job.objects.filter(finished_at__lt=now - _SECRETS_STORED)
    older = Job.objects.filter(finished_at__lt=now - TO_HAND_OUT)
    for jobs in (old.exclude(kind__in=names_with_secrets()), older):
        JobItem.objects.filter(job__in=jobs).exclude(sealed="").update(sealed="")
    JobFile.objects.filter(job__in=old.filter(state=JobState.UNPLANNABLE)).delete()
