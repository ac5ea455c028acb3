"""One worker at a time has a job: by a lease, which it renews.

It runs out if the worker dies; a worker of the same machine takes it away at once (`take_away`).
"""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.jobs.holders import holder, is_gone
from portal.jobs.models import WORKED_ON, ItemState, Job, JobState

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
        lease=lease, leased_until=now + timedelta(seconds=settings.JOB_LEASE), holder=holder()
    )
    if not taken:
        return None
    return Job.objects.select_related("connection", "owner").get(pk=job_id, lease=lease)


def renew(job: Job, **values: object) -> None:
    """Keeps the job for another while, and stores what is told of it. Raises `LeaseLost`."""
    length = timedelta(seconds=settings.JOB_LEASE)
    if job.state == JobState.PLANNING:
        length = max(length, _PLANNING)
    held = Job.objects.filter(pk=job.pk, lease=job.lease)
    if not held.update(leased_until=timezone.now() + length, **values):
        raise LeaseLost


def release(job: Job, **values: object) -> bool:
    """Gives the job up, for whoever takes it next. Returns whether the lease was still this one."""
    held = Job.objects.filter(pk=job.pk, lease=job.lease)
    return bool(held.update(lease=None, leased_until=None, holder="", **values))


def take_away() -> int:
    """Ends the leases whose holders are known to be dead. Returns how many."""
    held = Job.objects.filter(leased_until__gte=timezone.now()).exclude(lease=None)
    dead = [job for job in held.only("lease", "holder") if is_gone(job.holder)]
    for job in dead:
        with transaction.atomic():
            if release(job):
                # Nobody waited until its last requests were over, as a lease that runs out does.
                doubt(job, timezone.now() + timedelta(seconds=settings.API_TIMEOUT))
    return len(dead)


def doubt(job: Job, in_flight_until: datetime) -> None:
    """What stands as `sending` was perhaps sent, and may be under way until then."""
    job.items.filter(state=ItemState.SENDING).update(
        state=ItemState.UNKNOWN,
        ended_at=None,
        due_at=None,
        in_flight_until=in_flight_until,
    )
