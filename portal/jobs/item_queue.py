"""The items of a job that wait for their turn, claimed by the one thread that runs the job."""

import time
from collections.abc import Iterable, Sequence
from itertools import groupby

from django.db.models import Case, F, FloatField, Min, Q, Value, When
from django.db.models.functions import Coalesce

from portal.config import clock
from portal.connections import rate_limits
from portal.jobs import steps
from portal.jobs.job_types import BatchJobType, JobType
from portal.jobs.models import OPEN_ITEMS, ItemState, Job, JobItem
from portal.jobs.workers import WorkUnit


class ItemQueue:
    """Queue of a job's items: unknown items are resolved first, then others are sent in order.

    `next_due` is the time, on the monotonic clock, at which the first waiting item is due, if there
    was nothing else to claim.
    """

    def __init__(self, job: Job, job_type: JobType) -> None:
        self._job = job
        self._job_type = job_type
        self.next_due: float | None = None
        self._resolving: set[int] = set()  # unknown items that the pool asks about
        self._may_be_unknown = True

    def claim(self, room: int) -> list[WorkUnit]:
        """Returns up to so many units for the pool; items to be sent are `sending` from now on."""
        self.next_due = None
        if room <= 0:
            return []
        units = [WorkUnit([item], resolves=True) for item in self._unknown(room)]
        self._resolving.update(unit.items[0].pk for unit in units)
        room -= len(units)
        if room > 0:
            batch = self._job_type.batch if isinstance(self._job_type, BatchJobType) else 1
            groups = self._pending(room, batch)
            units += self._sent(groups)
            if len(groups) < room:
                now = clock.now()
                waiting = self._job.items.filter(OPEN_ITEMS, due_at__gt=now)
                due = waiting.aggregate(first=Min("due_at"))["first"]
                if due is not None:
                    self.next_due = time.monotonic() + (due - now).total_seconds()
        return units

    def answered(self, unit: WorkUnit) -> None:
        """Ends a unit that the pool has sent, or asked about."""
        self._resolving.difference_update(item.pk for item in unit.items)

    def written(self, items: Iterable[JobItem]) -> None:
        """Marks items as stored in the database."""
        self._may_be_unknown |= any(item.state == ItemState.UNKNOWN for item in items)

    def has_open(self) -> bool:
        """Returns whether any item of the job is still to come."""
        return self._job.items.filter(OPEN_ITEMS).exists()

    def _pending(self, room: int, batch: int) -> list[list[JobItem]]:
        """Returns the next items to be sent: neighbours of one `batch_key` together, as many as a
        batch has, and items without a key alone."""
        pending = self._job.items.filter(_is_due(), state=ItemState.PENDING)
        if self._job_type.in_order:
            first = steps.next_steps(pending).order_by("number", "id")[: room * batch]
            items = steps.without_obstructed(self._job, first)
        else:
            items = list(pending.order_by("number", "id")[: room * batch])
        groups: list[list[JobItem]] = []
        for key, run_of in groupby(items, key=lambda item: item.batch_key):
            results, step = list(run_of), batch if key else 1
            groups += [results[start : start + step] for start in range(0, len(results), step)]
        return groups[:room]

    def _sent(self, groups: Iterable[Sequence[JobItem]]) -> list[WorkUnit]:
        now = clock.now()
        items = [item for group in groups for item in group]
        ahead = rate_limits.ahead_of(self._job.connection.base_url)
        for item in items:
            item.state = ItemState.SENDING
            item.attempts += 1
            if item.first_sent_at is None:
                item.first_sent_at, item.clock_ahead = now, ahead
        if items:
            JobItem.objects.filter(pk__in=[item.pk for item in items]).update(
                state=ItemState.SENDING,
                attempts=F("attempts") + 1,
                first_sent_at=Coalesce("first_sent_at", now),
                clock_ahead=Case(
                    When(first_sent_at=None, then=Value(ahead, FloatField())),
                    default=F("clock_ahead"),
                ),
            )
        return [WorkUnit(group) for group in groups]

    def _unknown(self, room: int) -> list[JobItem]:
        if not self._may_be_unknown:
            return []
        unknown = self._job.items.filter(state=ItemState.UNKNOWN, ended_at=None)
        due = unknown.filter(_is_due()).exclude(pk__in=self._resolving)
        results = list(due.order_by("number", "id")[:room])
        self._may_be_unknown = bool(results or self._resolving) or unknown.exists()
        return results


def _is_due() -> Q:
    return Q(due_at=None) | Q(due_at__lte=clock.now())
