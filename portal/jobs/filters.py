"""Filters of the list of jobs, by the query of the URL."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from portal.access.scope import Scope
from portal.audit.narrowing import shown_since
from portal.jobs import job_types
from portal.jobs.models import UNRESOLVED_ITEMS, WORKED_ON, Job, JobItem, JobState
from portal.translation import gettext_lazy

NEEDS_A_PERSON = (
    JobState.PLANNED,
    JobState.AWAITING,
    JobState.UNPLANNABLE,
    JobState.PAUSED,
)
TABS = {
    "": gettext_lazy("All"),
    "running": gettext_lazy("Running"),
    "waiting": gettext_lazy("Needs attention"),
    "done": gettext_lazy("Done"),
    "cancelled": gettext_lazy("Cancelled"),
}


def jobs_of(*scopes: Scope) -> QuerySet[Job]:
    """Returns the jobs that these scopes show: in a limited one only the user's own, since those of
    others may be about people, or call families of operations, that it does not show; and of these
    only those since it was limited so."""
    result = Q(connection__in=[one.connection.pk for one in scopes if not one.is_limited])
    for one in scopes:
        if one.is_limited:
            own = Q(connection=one.connection, owner=one.user)
            since = shown_since(one)
            result |= own & Q(created_at__gte=since) if since else own
    return Job.objects.filter(result)


def own_before_limits(scope: Scope) -> QuerySet[Job]:
    """Returns the user's own jobs that the scope does not show, since they are from before its
    limits."""
    since = shown_since(scope)
    if since is None:
        return Job.objects.none()
    own = Job.objects.filter(connection=scope.connection, owner=scope.user, created_at__lt=since)
    return own.exclude(kind__in=job_types.unlisted_names())


def begun_by_people(*scopes: Scope) -> QuerySet[Job]:
    """Returns jobs without those that the portal begins for its lists."""
    return jobs_of(*scopes).exclude(kind__in=job_types.unlisted_names())


def waiting_for_a_person(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Returns the jobs that continue only after a person's decision: plans, paused jobs, and jobs
    with items of unknown outcome."""
    unresolved = having(UNRESOLVED_ITEMS)
    return jobs.filter(Q(state__in=NEEDS_A_PERSON) | Q(unresolved, state=JobState.DONE))


def having(items: Q) -> Exists:
    """Returns the condition on a job that it has some of these items."""
    return Exists(JobItem.objects.filter(items, job=OuterRef("pk")))


def narrowed(jobs: QuerySet[Job], tab: str) -> QuerySet[Job]:
    """Returns the jobs of a tab; all jobs for an unknown tab."""
    match tab:
        case "running":
            return jobs.filter(state__in=WORKED_ON)
        case "waiting":
            return waiting_for_a_person(jobs)
        case "done":
            return jobs.filter(state=JobState.DONE)
        case "cancelled":
            return jobs.filter(state=JobState.CANCELLED)
        case _:
            return jobs
