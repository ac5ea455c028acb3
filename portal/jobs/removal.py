"""Removal of a job that has ended, with its rows; what it did stays as it is."""

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.http import Origin
from portal.jobs.job_types import read_only_names
from portal.jobs.models import OPEN, Job
from portal.jobs.services import JobRefused
from portal.translation import gettext as _


def remove(job: Job, origin: Origin) -> None:
    """Raises `JobRefused` for one that has not ended."""
    with transaction.atomic():
        locked = Job.objects.select_for_update().get(pk=job.pk)
        if locked.state in OPEN:
            raise JobRefused(_("The job has not ended yet. Cancel it first."))
        if locked.kind not in read_only_names():  # of these nothing is recorded
            record(
                origin,
                Act.JOB_REMOVED,
                object_id=locked.key,
                label=locked.title,
                connection=locked.connection,
                sent={"kind": locked.kind},
            )
        locked.delete()
