"""Erases secrets and files that are no longer needed."""

from datetime import timedelta

from portal.config import clock
from portal.jobs.job_types import names_with_secrets
from portal.jobs.models import Job, JobFile, JobItem, JobState

_SECRETS_KEPT = timedelta(days=1)
TO_HAND_OUT = timedelta(days=7)  # how long secrets are kept that can be taken out


def erase_secrets() -> None:
    """Erases what a day after the end nobody needs any more: passwords of failed rows, files.

    What can be taken out is kept for a week.
    """
    now = clock.now()
    old = Job.objects.filter(finished_at__lt=now - _SECRETS_KEPT)
    older = Job.objects.filter(finished_at__lt=now - TO_HAND_OUT)
    for jobs in (old.exclude(kind__in=names_with_secrets()), older):
        JobItem.objects.filter(job__in=jobs).exclude(sealed="").update(sealed="")
    JobFile.objects.filter(job__in=old.filter(state=JobState.UNPLANNABLE)).delete()
