"""Items of a job that have one number are steps: each waits for the one before."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from portal.config import clock
from portal.jobs.models import ItemState, Job, JobItem
from portal.translation import gettext as _

# In an item's data: it is carried out only if none of those before it has failed.
AFTER_ALL = "after_all"

_OPEN = Q(state__in=(ItemState.PENDING, ItemState.SENDING)) | Q(
    state=ItemState.UNKNOWN, ended_at=None
)
_FAILED = Q(state=ItemState.FAILED) | Q(state=ItemState.UNKNOWN, ended_at__isnull=False)


def next_steps(pending: QuerySet[JobItem]) -> QuerySet[JobItem]:
    """Those of the items before which nothing of the same number is still to be done."""
    before = JobItem.objects.filter(
        job=OuterRef("job"), number=OuterRef("number"), pk__lt=OuterRef("pk")
    )
    return pending.exclude(Exists(before.filter(_OPEN)))


def without_obstructed(job: Job, items: Iterable[JobItem]) -> list[JobItem]:
    """Fails those of the items that take all steps before them, where one of these has failed.

    Returns the others. Called in the transaction that claims them.
    """
    items = list(items)
    strict = [item for item in items if item.data.get(AFTER_ALL)]
    if not strict:
        return items
    numbers = {item.number for item in strict}
    failed = job.items.filter(_FAILED, number__in=numbers).values_list("number", flat=True)
    obstructed = set(failed)
    for item in strict:
        if item.number in obstructed:
            item.state, item.ended_at = ItemState.FAILED, clock.now()
            item.message = _("Not carried out, because a step before it failed.")
            item.save(update_fields=["state", "ended_at", "message"])
    return [item for item in items if item.state == ItemState.PENDING]
