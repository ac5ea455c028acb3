"""The tabs that only show: groups, permissions and history."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.users import Users
from portal.jobs.history import TEMPLATE, history_of
from portal.people.services.group_kinds import GROUPS, IM_GROUPS
from portal.people.services.groups import memberships
from portal.people.services.permissions import permissions
from portal.people.services.person import read
from portal.people.views.tabs import tab


@require_GET
@connected(needs=Users.get)
def groups(request: PortalRequest, user_id: str) -> HttpResponse:
    """The groups and IM groups that the person is in."""
    person = read(request.api, request.connection, user_id)
    context = {
        "groups": memberships(request.api, person.details, GROUPS),
        "im_groups": memberships(request.api, person.details, IM_GROUPS),
    }
    return tab(request, user_id, "groups", "people/person_groups.html", context, person=person)


@require_GET
@connected(needs=Users.permissions)
def permission_list(request: PortalRequest, user_id: str) -> HttpResponse:
    """What the person's role on the account lets them do."""
    context = {"permissions": permissions(request.api, user_id)}
    return tab(request, user_id, "permissions", "people/person_permissions.html", context)


@require_GET
@connected(needs=Users.get)
def history(request: PortalRequest, user_id: str) -> HttpResponse:
    """What was changed about the person through this portal, newest first."""
    context = history_of(request.connection, Users.name, user_id, request.GET.get("page"))
    return tab(request, user_id, "history", TEMPLATE, context)
