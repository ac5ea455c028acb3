"""Settings of a group's members, each of whom has their own: changed together, as a job."""

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.groups import Group
from portal.contract.users import Users
from portal.mirror import users as mirror
from portal.mirror.users import UserFilter
from portal.people.forms.chosen_settings import ChosenSettingsForm
from portal.people.forms.groups import MemberFilter
from portal.people.services import groups as service
from portal.people.services.choosing import Chosen
from portal.people.services.group_types import GroupType
from portal.people.views.chosen import Place, of_chosen
from portal.people.views.groups.kinds import group_url
from portal.ui.selection import Selection, SelectionRefused


@require_http_methods(["GET", "POST"])
@connected(needs=Users.update_settings)
def of_members(request: PortalRequest, kind: GroupType, group_id: str) -> HttpResponse:
    """Those chosen in the list of members, or with `all` in the query, all that it shows."""
    group = service.read(request.api, request.connection, kind, group_id)
    note = _note(request, kind, group)
    place = Place(group.name, group_url(request, kind, "group", group.id), note)
    return of_chosen(
        request, ChosenSettingsForm, lambda selection: _resolve(kind, group, selection), place
    )


def _resolve(kind: GroupType, group: Group, selection: Selection) -> Chosen:
    """Who a selection among the members means. Raises `SelectionRefused`."""
    if selection.matching is None:
        return Chosen(UserFilter(ids=list(selection.ids)))
    filters = MemberFilter(selection.filters())
    if not filters.is_exact:
        raise SelectionRefused("This selection is not understood. Choose again.")
    words = ", ".join(filter(None, (f"{kind.title}: {group.name}", filters.in_words)))
    return Chosen(kind.members(group.id, filters.cleaned_data.get("q") or ""), words)


def _note(request: PortalRequest, kind: GroupType, group: Group) -> str:
    """That the list of people, of which a job is planned, does not know all members."""
    known = mirror.find(request.connection, kind.members(group.id)).count()
    total = group.total_members
    if total is None or total <= known:
        return ""
    return (
        f"The group has {total:,} members, and the list of people here knows {known:,} of them. "
        "Refresh the list of people to have all of them."
    )
