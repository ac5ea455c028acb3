"""One worker at a time has a job: by a lease, which it renews, and which runs out if it dies."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from portal.jobs.models import WORKED_ON, Job, JobState

_PLANNING = timedelta(seconds=90)  # between two steps of a plan one read may take its time


class LeaseLost(Exception):
    """Another worker has taken the job over, or it is gone."""


def free(now: datetime) -> Q:
    return Q(leased_until=None) | Q(leased_until__lt=now)


def take(job_id: int) -> Job | None:
    """The job under a lease of the caller; None where it is not to be worked on, or is taken."""
    now = timezone.now()
    lease = uuid.uuid4()
    taken = Job.objects.filter(free(now), pk=job_id, state__in=WORKED_ON).update(
        lease=lease, leased_until=now + timedelta(seconds=settings.JOB_LEASE)
    )
    if not taken:
        return None
    return Job.objects.select_related("connection", "owner").get(pk=job_id, lease=lease)


def renew(job: Job, **told: object) -> None:
    """Keeps the job for another while, and stores what is told of it. Raises `LeaseLost`."""
    length = timedelta(seconds=settings.JOB_LEASE)
    if job.state == JobState.PLANNING:
        length = max(length, _PLANNING)
    held = Job.objects.filter(pk=job.pk, lease=job.lease)
    if not held.update(leased_until=timezone.now() + length, **told):
        raise LeaseLost


def release(job: Job, **told: object) -> None:
    """Gives the job up, for whoever takes it next."""
    Job.objects.filter(pk=job.pk, lease=job.lease).update(lease=None, leased_until=None, **told)
