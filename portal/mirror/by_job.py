"""A mirrored list that a job reads, part by part, since the interface lists no whole.

Where one pass reads it, `MirroredList` is for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from portal.access.http import Origin
from portal.access.models import Connection
from portal.config import clock
from portal.jobs import services
from portal.jobs.models import OPEN, ItemState, Job
from portal.mirror.mirrored_list import StoredList
from portal.mirror.models import MirrorState
from portal.mirror.values import PARTLY, UNREAD
from portal.translation import gettext as _, in_language_of, lazily, number

CLOCKS_DIFFER_BY = timedelta(seconds=2)
_REASONS = 1_000  # failures that are looked through for a common reason
PARTS = "parts"  # the parameter of a job whose items are other than the usual ones
_AGAIN = "again"  # the parameter of parts to be read once more after a job
_SHOWN_FOR = timedelta(seconds=10)


@dataclass(frozen=True)
class ReadByJob(StoredList):
    """`job_type` is that of the job whose items are the `items_noun`, such as hosts."""

    job_type: str
    items_noun: str

    is_by_job = True

    @property
    def counted(self) -> str:
        return self.items_noun

    def request(
        self, connection: Connection, subset: Sequence[str] = (), **parameters: Any
    ) -> MirrorState:
        """Has a subset, or all, read again. While some are being read, nothing is begun, and
        `ended` begins what was asked for in between of it."""
        state = self.state_of(connection)
        with transaction.atomic():
            reading = self._open_jobs(connection).select_for_update().first()
            if reading is not None:
                if subset:
                    again = {*reading.parameters.get(_AGAIN, ()), *subset}
                    reading.parameters[_AGAIN] = sorted(again)
                    reading.save(update_fields=["parameters"])
                return state
        now = clock.now()
        MirrorState.objects.filter(pk=state.pk).update(
            requested_at=now, failure="", read=0, expected=0
        )
        state.requested_at, state.read, state.expected = now, 0, 0
        data = {self.items_noun: list(subset)} if subset else {}
        with in_language_of(connection.owner):
            services.draft(
                Origin(connection.owner),
                connection,
                self.job_type,
                lazily(lambda: self._title(len(subset))),
                parameters={**data, **parameters},
            )
        return state

    def cancel(self, connection: Connection) -> None:
        """Ends the reading of a list; the parts that were read are shown."""
        for job in self._open_jobs(connection):
            services.cancel(job, Origin(connection.owner))
        MirrorState.objects.filter(pk=self.state_of(connection).pk).update(requested_at=None)

    def _open_jobs(self, connection: Connection | int) -> QuerySet[Job]:
        return Job.objects.filter(connection=connection, kind=self.job_type, state__in=OPEN)

    def _title(self, count: int) -> str:
        values = {"what": _(self.noun), "parts": _(self.items_noun), "count": number(count)}
        if count:
            return _("Load %(what)s of %(count)s of the %(parts)s") % values
        return _("Load %(what)s of all %(parts)s") % values

    def is_being_read(self, state: MirrorState) -> bool:
        return self._open_jobs(state.connection_id).exists()

    def progress(self, state: MirrorState) -> dict[str, object]:
        """Returns the context of a reading: its job, and a lease that lasts while the job has a
        worker, however long one step takes."""
        job = None
        if state.is_wanted:
            job = self._open_jobs(state.connection_id).first()
        goes_on = job is not None and not job.is_unattended and not job.trouble
        state.leased_until = clock.now() + _SHOWN_FOR if goes_on else None
        parts = job.parameters.get(PARTS) if job else None
        return {"state": state, "job": job, "read_noun": _(parts or self.items_noun)}

    def begun(self, job: Job, expected: int) -> None:
        """Notes how many parts a job is to read."""
        self._delete_jobs_before(job)
        state = MirrorState.objects.filter(pk=self.state_of(job.connection).pk)
        state.update(read=0, expected=expected)

    def advanced(self, job: Job, count: int) -> None:
        """Notes that a job has read so many more parts."""
        state = MirrorState.objects.filter(pk=self.state_of(job.connection).pk)
        state.update(read=F("read") + count)

    def not_planned(self, job: Job, reason: str) -> None:
        """Notes that a job could not find out what to read; what was read before stays."""
        state = MirrorState.objects.filter(pk=self.state_of(job.connection).pk)
        state.update(requested_at=None, failure=reason)
        self._delete_jobs_before(job)

    def ended(self, job: Job) -> None:
        """Notes how a job has ended. After one of some parts, how old the others are is as it
        was."""
        failed = job.items.exclude(state=ItemState.DONE).count()
        total = job.items.count()
        what = job.parameters.get(PARTS) or self.items_noun
        counts = {"failed": f"{failed:,}", "total": f"{total:,}", "what": what}
        words = UNREAD % counts if failed else ""
        reasons = set(
            job.items.filter(state=ItemState.FAILED).values_list("message", flat=True)[:_REASONS]
        )
        if failed == total and len(reasons) == 1:
            words += f"\n{reasons.pop()}"
        partly = job.items.filter(state=ItemState.DONE).exclude(message="").count()
        notes = PARTLY % {**counts, "failed": f"{partly:,}"} if partly else ""
        state = self.state_of(job.connection)
        stored = MirrorState.objects.filter(pk=state.pk)
        if job.parameters.get(self.items_noun):
            stored.update(requested_at=None, failure=words, notes=notes or F("notes"))
        else:
            now = clock.now()
            took = (now - job.created_at).total_seconds()
            stored.update(
                requested_at=None, refreshed_at=now, took=took, failure=words, notes=notes
            )
            state.removals.filter(at__lt=job.created_at).delete()
        again = Job.objects.values_list("parameters", flat=True).get(pk=job.pk).get(_AGAIN)
        if again:
            self.request(job.connection, again)

    def _delete_jobs_before(self, job: Job) -> None:
        """Deletes earlier readings, which are of no use any more."""
        before = Job.objects.filter(connection=job.connection, kind=self.job_type)
        before.exclude(pk=job.pk).exclude(finished_at=None).delete()
