"""Which job a page is about."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse

from portal.access.connected import NoOperation
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.access.scope import Scope
from portal.jobs import filters
from portal.jobs.models import Job

OF_THE_JOB = NoOperation("Who sees the job finds it, and what it does decides who may act on it.")


def jobs_of(scope: Scope) -> QuerySet[Job]:
    return filters.jobs_of(scope).select_related("owner", "connection__owner")


def job_of(request: PortalRequest, key: str) -> Job:
    """The connection's job of this key; everybody else's is not found."""
    job: Job = get_object_or_404(jobs_of(request.scope), key=key)
    job.connection = request.connection
    return job


def jobs_url(connection: Connection) -> str:
    return reverse("jobs:list", args=[connection.key])


def job_page(request: PortalRequest, key: str) -> str:
    """The page of the connection's job of this key."""
    return reverse("jobs:job", args=[request.connection.key, key])


def job_url(job: Job, name: str = "job") -> str:
    """Returns the address of a page about the job."""
    return reverse(f"jobs:{name}", args=[job.connection.key, job.key])
