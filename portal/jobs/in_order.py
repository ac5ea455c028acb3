"""Items of a job that have one number are steps: each waits for the one before."""

from collections import Counter
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


def numbered(job: Job, items: list[JobItem]) -> list[JobItem]:
    """Gives each of the items its place: "2" among the steps of one, "3.2" where there are many."""
    numbers = {item.number for item in items}
    steps = job.items.filter(number__in=numbers).order_by("number", "pk")
    places: dict[int, int] = {}
    count = Counter[int]()
    for pk, number in steps.values_list("pk", "number"):
        count[number] += 1
        places[pk] = count[number]
    is_one = len(numbers) == 1 and not job.items.exclude(number__in=numbers).exists()
    for item in items:
        place = places[item.pk]
        item.place = f"{place}" if is_one else f"{item.number}.{place}"  # type: ignore[attr-defined]
    return items


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
