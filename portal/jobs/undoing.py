"""Undoing a job by another one: as a whole, or some of its rows."""

from collections.abc import Collection
from functools import cached_property

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.fields.json import KeyTextTransform

from portal.access.http import Origin
from portal.jobs import labels
from portal.jobs.job_types import job_type_of
from portal.jobs.models import LEFT_OUT, OPEN, ROWS, UNDOES, ItemState, Job, JobItem, JobState
from portal.jobs.services import JobRefused, draft, require
from portal.translation import gettext as _, lazily, ngettext, number


class JobUndos:
    """The undos of a job, read once: for one request, or one transaction."""

    def __init__(self, job: Job) -> None:
        self.job = job

    @cached_property
    def jobs(self) -> list[Job]:
        """Returns the jobs that restore, or are to restore, rows of this one, the first one first;
        none that was discarded, cancelled, or undone itself."""
        others = Job.objects.filter(connection=self.job.connection, kind=self.job.kind)
        states = (*OPEN, JobState.DONE)
        result = []
        wanted = others.filter(parameters__takes_back=self.job.key, state__in=states)
        for other in wanted.order_by("pk"):
            did_something = other.items.filter(state=ItemState.DONE).exists()
            if other.is_open or (did_something and not JobUndos(other).are_whole):
                result.append(other)
        return result

    @cached_property
    def rows(self) -> set[int] | None:
        """Returns the numbers of the rows that other jobs undo; None if one of them undoes all."""
        if any(ROWS not in one.parameters for one in self.jobs):
            return None
        return {number for one in self.jobs for number in one.parameters[ROWS]}

    @cached_property
    def are_whole(self) -> bool:
        """Returns whether other jobs restore, or are to restore, all that this one changed."""
        return self.rows is None or (bool(self.jobs) and not self.free_rows().exists())

    @cached_property
    def can_begin(self) -> bool:
        """Returns whether a reversal of the job, or of the rest of it, can be planned."""
        has_ended = self.job.state in (JobState.DONE, JobState.CANCELLED)
        return has_ended and job_type_of(self.job).undo(self.job) is not None and not self.are_whole

    def free_rows(self, among: QuerySet[JobItem] | None = None) -> QuerySet[JobItem]:
        """Returns the rows, of all or `among` these, that can be undone and no other job undoes."""
        items = job_type_of(self.job).undoable(self.job).order_by()
        if self.rows is None:
            return items.none()
        if self.rows:
            items = items.exclude(number__in=self.rows)
        return items if among is None else items.filter(pk__in=among.order_by().values("pk"))

    def rows_left(self, among: QuerySet[JobItem] | None = None) -> list[int]:
        """Returns the numbers of `free_rows`, which steps of one row share."""
        numbers = self.free_rows(among).order_by("number").values_list("number", flat=True)
        return list(dict.fromkeys(numbers))

    def in_words(self, done: int) -> str:
        """Returns what an undo of the job restores, and how many of its `done` rows it cannot."""
        kind, left = job_type_of(self.job), self.free_rows()
        count = left.count()
        created = kind.created(self.job).filter(number__in=left.values("number")).count()
        if restored := count - created:
            of_rows = _("Prepares a job that restores the previous values of %(rows)s.")
            first = of_rows % {"rows": labels.counted(restored, kind.noun)}
        elif created:
            first = _("Prepares a job.")
        else:
            first = _("Prepares a job that restores the previous values.")
        words = [first, *kind.undo_notes(self.job, created)]
        if count and (lost := done - kind.undoable(self.job).count()):
            words.append(
                ngettext("%(rows)s cannot be restored.", "%(rows)s cannot be restored.", lost)
                % {"rows": labels.counted(lost, kind.noun)}
            )
        return " ".join([*words, _("You preview it before it is applied.")])


def has_undos() -> Exists:
    """Returns the condition on a job that others undo it, or were to."""
    others = Job.objects.filter(connection=OuterRef("connection"), kind=OuterRef("kind"))
    of = KeyTextTransform(UNDOES, "parameters")
    return Exists(others.alias(of=of).filter(of=OuterRef("key")))


def undo(job: Job, origin: Origin, rows: Collection[int] | None = None) -> Job:
    """Drafts a job that restores the values of before, of all rows or of those of these numbers,
    for a person to approve."""
    require(job, origin)
    with transaction.atomic():
        Job.objects.select_for_update().get(pk=job.pk)  # so that it is undone once
        undos = JobUndos(job)
        if undos.are_whole:
            raise JobRefused(_("This job has already been undone."))
        if not undos.can_begin:
            raise JobRefused(_("This job cannot be undone."))
        own = {LEFT_OUT, ROWS}
        data = {name: value for name, value in job.parameters.items() if name not in own}
        left = undos.rows_left()
        if rows is not None or undos.jobs:
            wanted = set(left if rows is None else rows)
            data[ROWS] = [one for one in left if one in wanted]
            if not data[ROWS]:
                raise JobRefused(_("Select rows that were changed and are not undone yet."))
        count = len(data.get(ROWS, ()))

        def title() -> str:
            if not count:
                return _("Undo: %(title)s") % {"title": job.title}
            words = ngettext(
                "Undo %(count)s row of: %(title)s", "Undo %(count)s rows of: %(title)s", count
            )
            return words % {"count": number(count), "title": job.title}

        parameters = {**data, UNDOES: job.key}
        return draft(origin, job.connection, job.kind, lazily(title), parameters=parameters)
