"""`manage.py after_restore`: prepares jobs to continue after the database was restored."""

from datetime import datetime, timedelta

from django.core.management.base import BaseCommand
from django.db import transaction
from django.db.models import Case, F, FloatField, Value, When
from django.db.models.functions import Coalesce

from portal.access.http import Origin
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.trail import record
from portal.config import clock
from portal.jobs.models import ItemState, Job, JobState

# Entries at the end of the trail: some may be written by a clock that was ahead, but not all.
_LAST = 100


def mark_all_unknown() -> list[tuple[Job, int]]:
    """Marks the items of open jobs as unknown, so that they are resolved before they are sent.

    Returns each job with the count of its items.
    """
    # The earliest time at the end of the trail, before this adds to it.
    last_entries = AuditEntry.objects.order_by("-sequence").values_list("time", flat=True)[:_LAST]
    at_the_end = min(last_entries, default=None) or clock.now()
    results = []
    for job in Job.objects.filter(state__in=(JobState.RUNNING, JobState.PAUSED)):
        since, ahead = _last_sent(job) or (at_the_end, None)
        with transaction.atomic():
            waiting = job.items.filter(state__in=(ItemState.PENDING, ItemState.SENDING))
            count = waiting.update(
                state=ItemState.UNKNOWN,
                ended_at=None,
                first_sent_at=Coalesce("first_sent_at", since),
                clock_ahead=Case(
                    When(first_sent_at=None, then=Value(ahead, FloatField())),
                    default=F("clock_ahead"),
                ),
                in_flight_until=Coalesce("in_flight_until", clock.now()),
                due_at=None,
            )
            # The lease is of the time before.
            Job.objects.filter(pk=job.pk).update(lease=None, leased_until=None)
            record(
                Origin(),
                Act.JOB_RESTORED,
                object_id=job.key,
                label=job.title,
                connection=job.connection,
                sent={"items": count},
            )
        results.append((job, count))
    return results


def _last_sent(job: Job) -> tuple[datetime, float] | None:
    """Returns the time at which the job sent its last item for the first time, and the seconds by
    which that clock was ahead of the service's; None if that is unknown for every item."""
    sent = job.items.exclude(first_sent_at=None).exclude(clock_ahead=None)
    result: tuple[datetime, float] | None = None
    latest: datetime | None = None
    for at, ahead in sent.values_list("first_sent_at", "clock_ahead").iterator():
        if at is None or ahead is None:
            continue
        by_its_clock = at - timedelta(seconds=ahead)
        if latest is None or by_its_clock > latest:
            result, latest = (at, ahead), by_its_clock
    return result


class Command(BaseCommand):
    help = (
        "Run this once after the database was restored from a backup, before the worker starts."
        " What open jobs were still to send may have been sent after the backup was taken: each"
        " such item is asked about at the service before it is sent."
    )

    def handle(self, **_options: object) -> None:
        marked = mark_all_unknown()
        if not marked:
            self.stdout.write("No job was open when the backup was taken.")
        for job, items in marked:
            self.stdout.write(f"{job.title} ({job.key}): {items:,} items are asked about first.")
