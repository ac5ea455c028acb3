"""From a group's page to the plan of a job, for more people than one request deals with."""

from collections.abc import Callable

from django.http import HttpResponse

from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.groups import Group
from portal.jobs.models import Job
from portal.jobs.views.drafting import draft_once
from portal.people.services.group_types import GroupType

_SHOWN = 10
Draft = Callable[..., Job]


def to_plan(
    request: PortalRequest, kind: GroupType, group: Group, ids: list[str], draft: Draft
) -> HttpResponse:
    """Has the job planned, once, and leads to it."""
    origin = origin_of(request)
    return draft_once(request, lambda: draft(origin, request.connection, kind, group, ids))


def not_listed(names: list[str]) -> str:
    """Why a job cannot be made of people whom the portal does not list."""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return (
        f"Not in the list of people: {', '.join(names[:_SHOWN])}{more}. "
        "Remove them, or refresh that list first."
    )
