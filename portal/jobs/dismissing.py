"""Lines of the first page about jobs that ended with failed rows, until a person has seen them.

To dismiss is a personal setting: the job stays as it is, everybody else sees it as before,
and there is no entry in the audit trail.
"""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from portal.access.models import User
from portal.access.scope import Scope
from portal.config import clock
from portal.jobs.filters import jobs_of
from portal.jobs.models import Dismissal, ItemState, Job, JobItem, JobState

# Home names failed rows for so long; the list of jobs shows them for good.
_RECENT = timedelta(days=3)


def shown_to(jobs: QuerySet[Job], user: User) -> QuerySet[Job]:
    """Those that ended lately with failed rows, which this person has not dismissed."""
    return _failed(jobs).exclude(_is_dismissed(user))


def is_dismissed(job: Job, user: User) -> bool:
    """Returns whether the person's dismissal is all that hides the job from their Home."""
    return _failed(Job.objects.filter(pk=job.pk)).filter(_is_dismissed(user)).exists()


def dismiss(jobs: QuerySet[Job], user: User, seen_at: datetime) -> int:
    """Takes off this person's Home those that had ended by then. Returns how many there were."""
    found = shown_to(jobs, user).filter(finished_at__lte=seen_at).order_by()
    made = [Dismissal(user=user, job=job, seen_at=seen_at) for job in found.only("pk")]
    Dismissal.objects.bulk_create(
        made, update_conflicts=True, unique_fields=["job", "user"], update_fields=["seen_at"]
    )
    return len(made)


def show_again(jobs: QuerySet[Job], user: User) -> None:
    """Home names these jobs to this person again."""
    Dismissal.objects.filter(user=user, job__in=jobs.order_by()).delete()


def dismissed_at_once(scope: Scope, user: User, seen_at: datetime) -> QuerySet[Job]:
    """The jobs of a connection that this person dismissed together."""
    together = Dismissal.objects.filter(user=user, seen_at=seen_at)
    return jobs_of(scope).filter(pk__in=together.values("job"))


def within_reach(seen_at: datetime | None) -> datetime:
    """The moment that a person has seen jobs at, neither after now nor before the first that Home
    names; now if it is not known."""
    now = clock.now()
    return min(max(seen_at, now - _RECENT), now) if seen_at else now


def _failed(jobs: QuerySet[Job]) -> QuerySet[Job]:
    failed = JobItem.objects.filter(job=OuterRef("pk"), state=ItemState.FAILED)
    recent = jobs.filter(state=JobState.DONE, finished_at__gt=clock.now() - _RECENT)
    return recent.filter(Exists(failed))


def _is_dismissed(user: User) -> Exists:
    """Returns the condition that they have seen the end of a job that was not retried since."""
    own = Dismissal.objects.filter(job=OuterRef("pk"), user=user)
    return Exists(own.filter(seen_at__gte=OuterRef("finished_at")))
