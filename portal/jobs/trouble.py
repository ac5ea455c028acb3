"""Trouble of a job: reasons of failure with their counts, and items of unknown outcome."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Min

from portal.jobs.models import ItemState, Job, JobItem

_REASONS = 5
_UNKNOWN = 20


@dataclass(frozen=True)
class FailureReason:
    """Why items failed, in the service's words; `example` is the first of them."""

    words: str
    count: int
    example: str


def reasons(job: Job) -> tuple[list[FailureReason], int]:
    """The reasons that most items failed for, and how many failed for others."""
    failed = job.items.filter(state=ItemState.FAILED)
    groups = failed.values("message").annotate(count=Count("pk"), first=Min("pk"))
    most = list(groups.order_by("-count", "first")[:_REASONS])
    labels = dict(
        JobItem.objects.filter(pk__in=[one["first"] for one in most]).values_list("pk", "label")
    )
    found = [FailureReason(one["message"], one["count"], labels[one["first"]]) for one in most]
    rest = failed.count() - sum(reason.count for reason in found) if len(most) == _REASONS else 0
    return found, rest


def unsettled(job: Job) -> tuple[Sequence[JobItem], int]:
    """The first items of which it is unknown whether they were done, and how many more."""
    unknown = job.items.filter(state=ItemState.UNKNOWN).exclude(ended_at=None)
    first = list(unknown[: _UNKNOWN + 1])
    if len(first) <= _UNKNOWN:
        return first, 0
    return first[:_UNKNOWN], unknown.count() - _UNKNOWN
