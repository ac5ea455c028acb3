"""From a group's page to the plan of a job, for more people than one request deals with."""

from collections.abc import Callable

from django.http import HttpResponse
from django.urls import reverse

from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.groups import Group
from portal.jobs.models import Job
from portal.people.services.group_kinds import Kind
from portal.ui import once
from portal.ui.pages import go
from portal.ui.toasts import toast

_SHOWN = 10
Draft = Callable[..., Job]


def to_plan(
    request: PortalRequest, kind: Kind, group: Group, ids: list[str], draft: Draft
) -> HttpResponse:
    """Has the job planned, once, and leads to it."""
    sending = once.send(request.user, request.POST.get("ticket", ""))
    key = sending.earlier.result if sending.earlier else ""
    if not sending.earlier:
        job = draft(origin_of(request), request.connection, kind, group, ids)
        sending.done(job.key)
        key = job.key
    if not key:
        toast(request, "neutral", "The first click is preparing this already.")
        return go(request, reverse("jobs:list", args=[request.connection.key]))
    return go(request, reverse("jobs:job", args=[request.connection.key, key]))


def not_listed(names: list[str]) -> str:
    """Why a job cannot be made of people whom the portal does not list."""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return (
        f"Not in the list of people: {', '.join(names[:_SHOWN])}{more}. "
        "Take them out, or refresh that list first."
    )
