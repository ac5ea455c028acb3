"""Reading who may watch the recordings of an account: a job, one item a recording.

No list of the service reports it, so it is read one by one, some thousands at a time, and kept with
the time of it.
"""

from collections.abc import Sequence
from typing import Any

from portal.access.models import Connection
from portal.access.origin import Origin
from portal.client import Api, NotFound
from portal.contract.operation import Operation
from portal.contract.recordings import Recordings
from portal.jobs import services
from portal.jobs.job_types import Done, JobType
from portal.jobs.models import OPEN, ItemState, Job, JobItem
from portal.jobs.planning import NewItem, Planning
from portal.recordings import sharing
from portal.translation import gettext as _
from portal.translation import gettext_lazy

KIND = "recordings.sharing-read"
_AT_ONCE = 5_000


class ReadSharingJob(JobType):
    """Reads the settings that are unknown, or older than a day."""

    name = KIND
    noun = (gettext_lazy("recording"), gettext_lazy("recordings"))
    verbs = {"read": gettext_lazy("Load")}
    reads_only = True
    fills_copies = True

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Recordings.settings]

    def plan(self, planning: Planning) -> None:
        unread = sharing.to_be_read(planning.job.connection)
        pairs = unread.values_list("uuid", "topic")[:_AT_ONCE]
        for number, (uuid, topic) in enumerate(pairs, start=1):
            planning.add(NewItem(number, topic, "read", uuid))

    def carry_out(self, api: Api, item: JobItem) -> Done:
        try:
            return Done(value=api.recordings.settings(item.object_id))
        except NotFound:
            return Done(message=_("This recording no longer exists."))

    def ended(self, job: Job, items: Sequence[JobItem]) -> None:
        read = {item.object_id: item.value for item in items if item.value is not None}
        sharing.take_over(job.connection, read)

    def finished(self, job: Job) -> None:
        """Goes on with what is left, unless the service refuses it."""
        if job.items.filter(state=ItemState.DONE, message="").exists():
            read_what_is_unknown(job.connection, but=job)


def read_what_is_unknown(connection: Connection, but: Job | None = None) -> None:
    """Begins a job that reads what is unknown or old, unless one is at it, or there is nothing."""
    jobs = Job.objects.filter(connection=connection, kind=KIND)
    if but is not None:
        jobs = jobs.exclude(pk=but.pk)
    if jobs.filter(state__in=OPEN).exists() or not sharing.to_be_read(connection).exists():
        return
    jobs.delete()
    services.draft(
        Origin(connection.owner),
        connection,
        KIND,
        gettext_lazy("Load sharing settings of recordings"),
        parameters={},
    )
