"""The tabs that only show: groups, permissions, history, and those of other domains."""

from functools import partial
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.users import Users
from portal.jobs.history import TEMPLATE, history_of
from portal.people.services.group_types import GROUPS, IM_GROUPS
from portal.people.services.groups import memberships
from portal.people.services.permissions import permissions
from portal.people.services.person import read
from portal.people.views.tabs import tab
from portal.ui import tabs
from portal.ui.tabs import PersonTab


@require_GET
@connected(needs=Users.get)
def groups(request: PortalRequest, user_id: str) -> HttpResponse:
    """The groups and IM groups that the person is in."""
    person = read(request.api, request.scope, user_id)
    context = {
        "groups": memberships(request.api, person.details, GROUPS),
        "im_groups": memberships(request.api, person.details, IM_GROUPS),
    }
    return tab(request, user_id, "groups", "people/person_groups.html", context, person=person)


@require_GET
@connected(needs=Users.permissions)
def permission_list(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the permissions of the person by their role on the account."""
    context = {"permissions": permissions(request.api, user_id)}
    return tab(request, user_id, "permissions", "people/person_permissions.html", context)


@require_GET
@connected(needs=Users.get)
def history(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the changes of the person through this portal, newest first."""
    context = history_of(request.scope, Users.name, user_id, request.GET.get("page"))
    return tab(request, user_id, "history", TEMPLATE, context)


@require_GET
def declared(request: PortalRequest, *, tab: str, **path: Any) -> HttpResponseBase:
    """A tab that another domain has declared, for those who may call what it needs."""
    found = tabs.called(tab)
    if found is None:
        raise Http404
    return connected(needs=found.needs)(partial(_declared, found))(request, **path)


# The tab says what it needs, once it is known which.
declared.needs = "tab"  # type: ignore[attr-defined]


def _declared(one: PersonTab, request: PortalRequest, user_id: str) -> HttpResponse:
    return tab(request, user_id, one.name, one.template, one.read(request, user_id))
