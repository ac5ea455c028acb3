"""Jobs in a database that was put back: what it calls unsent may have been sent since."""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Coalesce

from portal.access.audit import Act, record
from portal.access.origin import Origin
from portal.jobs.models import ItemState, Job, JobState


def doubt_all(since: datetime) -> list[tuple[Job, int]]:
    """Has the items of open jobs settled before they are sent, as after a crash.

    `since` is the last moment that the database knows of. Returns each job with how many items.
    """
    found = []
    for job in Job.objects.filter(state__in=(JobState.RUNNING, JobState.PAUSED)):
        with transaction.atomic():
            waiting = job.items.filter(state__in=(ItemState.PENDING, ItemState.SENDING))
            count = waiting.update(
                state=ItemState.UNKNOWN,
                ended_at=None,
                first_sent_at=Coalesce("first_sent_at", since),
                in_flight_until=Coalesce("in_flight_until", since),
                due_at=None,
            )
            # Whoever had the lease is of another time.
            Job.objects.filter(pk=job.pk).update(lease=None, leased_until=None)
            record(
                Origin(),
                Act.JOB_RESTORED,
                object_id=job.key,
                label=job.title,
                connection=job.connection,
                sent={"items": count},
            )
        found.append((job, count))
    return found
