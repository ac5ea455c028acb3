"""`manage.py after_restore`: makes jobs fit to go on after the database was put back."""

from datetime import datetime, timedelta

from django.core.management.base import BaseCommand
from django.db import transaction
from django.db.models import Case, F, FloatField, Value, When
from django.db.models.functions import Coalesce

from portal.access.audit import Act, record
from portal.access.http import Origin
from portal.access.models import AuditEntry
from portal.config import clock
from portal.jobs.models import ItemState, Job, JobState

# Entries at the end of the trail: if some were written by a clock that was ahead, others were not.
_LAST = 100


def mark_all_unknown() -> list[tuple[Job, int]]:
    """Has the items of open jobs settled before they are sent, as after a crash.

    Returns each job with how many items.
    """
    at_the_end = _end_of_trail()  # before this adds to it
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
        results.append((job, count))
    return results


def _last_sent(job: Job) -> tuple[datetime, float] | None:
    """Returns the time at which the job sent its last item for the first time, and the seconds by
    which that clock was ahead of the service's; None if that is open for every item."""
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


def _end_of_trail() -> datetime:
    """The earliest of the times that stand at the end of the trail."""
    last = AuditEntry.objects.order_by("-sequence").values_list("time", flat=True)[:_LAST]
    return min(last, default=None) or clock.now()


class Command(BaseCommand):
    help = (
        "Run this once after the database was restored from a backup, before the worker starts."
        " What open jobs were still to send may have been sent after the backup was taken: each"
        " such item is asked about at the service before it is sent."
    )

    def handle(self, **_options: object) -> None:
        doubted = mark_all_unknown()
        if not doubted:
            self.stdout.write("No job was open when the backup was taken.")
        for job, items in doubted:
            self.stdout.write(f"{job.title} ({job.key}): {items:,} items are asked about first.")
