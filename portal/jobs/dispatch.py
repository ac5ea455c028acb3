"""Waking a worker. A message may be lost: the job is in the database, a sweep sends another."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.config import celery
from portal.jobs.job_types import names_with_secrets
from portal.jobs.leases import free, take_away
from portal.jobs.models import WORKED_ON, Job, JobFile, JobItem, JobState

_MESSAGE_EXPIRES = 30
_SECRETS_KEPT = timedelta(days=1)
TO_HAND_OUT = timedelta(days=7)  # how long secrets are kept that can be taken out


def wake_worker(job: Job) -> None:
    """Wakes a worker once the transaction, if there is one, is committed."""
    transaction.on_commit(lambda: _send_message(job.pk))


def sweep() -> int:
    """Wakes a worker for every job that is to be worked on and is not. Returns for how many."""
    take_away()
    waiting = Job.objects.filter(free(timezone.now()), state__in=WORKED_ON)
    keys = list(waiting.values_list("pk", flat=True))
    for key in keys:
        _send_message(key)
    return len(keys)


def erase_secrets() -> None:
    """Erases what a day after the end nobody needs any more: passwords of failed rows, files.

    What can be taken out is kept for a week.
    """
    now = timezone.now()
    old = Job.objects.filter(finished_at__lt=now - _SECRETS_KEPT)
    older = Job.objects.filter(finished_at__lt=now - TO_HAND_OUT)
    for jobs in (old.exclude(kind__in=names_with_secrets()), older):
        JobItem.objects.filter(job__in=jobs).exclude(sealed="").update(sealed="")
    JobFile.objects.filter(job__in=old.filter(state=JobState.UNPLANNABLE)).delete()


def _send_message(job_id: int) -> None:
    celery.ring("jobs.work_on", job_id, expires=_MESSAGE_EXPIRES)
