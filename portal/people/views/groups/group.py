"""One group: what it is at the left, its members and its history in tabs."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.can import Can
from portal.access.http import PortalRequest
from portal.contract.groups import Group
from portal.contract.users import Users
from portal.jobs.history import TEMPLATE, history_of
from portal.people.forms.groups import MemberFilter
from portal.people.group_tables import MembersTable
from portal.people.services import group_members
from portal.people.services import groups as service
from portal.people.services.group_members import Member
from portal.people.services.group_types import GroupType
from portal.people.views.groups.kinds import group_url, of_kind
from portal.ui.detail import Tab, wants_panel
from portal.ui.pages import page
from portal.ui.selection import Action, Bar, bar

_TABS = {"group": "Members", "history": "History"}


@dataclass
class MemberList:
    """Members as a template takes a list: one page of them, read already."""

    table: MembersTable
    page: Page[Member]
    filters: MemberFilter
    bar: Bar | None

    @property
    def count(self) -> int:
        return self.page.paginator.count

    @property
    def noun(self) -> str:
        return "member" if self.count == 1 else "members"


@require_GET
@of_kind("members")
def group(request: PortalRequest, kind: GroupType, group_id: str) -> HttpResponse:
    """Who is in the group: from the service, or, where a search is set, from the mirror."""
    filters = MemberFilter(request.GET)
    shown = service.read(request.api, request.connection, kind, group_id)
    context = {
        "list": _members(request, kind, shown, filters),
        "filters": filters,
        "panel_template": "people/group_members.html",
    }
    fragment = "results" if request.htmx and request.htmx.target == "results" else None
    return _tab(request, kind, shown, "group", context, fragment=fragment)


def _members(
    request: PortalRequest, kind: GroupType, group: Group, filters: MemberFilter
) -> MemberList:
    place = {"number": _number(request.GET.get("page", "")), "size": filters.page_size}
    search = filters.cleaned_data.get("q")
    if search:
        members = group_members.found(request.connection, kind, group.id, search, **place)
    else:
        members = group_members.page_of(request.api, kind, group, **place)
    table = MembersTable(members.object_list, key=request.connection.key)
    removal = Action(
        "Remove",
        "user-minus",
        f"{kind.slug}:members-remove",
        kind.family.remove_member,
        args=(group.id,),
        counted=True,
        danger=True,
    )
    settings = Action(
        "Change settings",
        "settings-2",
        f"{kind.slug}:members-settings",
        Users.update_settings,
        args=(group.id,),
        whole=True,
    )
    nouns = ("member", "members")
    actions = bar(request, [settings, removal], nouns, members.paginator.count, filters.query)
    table.selects = actions is not None
    table.before_render(request)
    return MemberList(table, members, filters, actions)


@require_GET
@of_kind("get")
def history(request: PortalRequest, kind: GroupType, group_id: str) -> HttpResponse:
    """What was changed about the group through this portal, newest first."""
    shown = service.read(request.api, request.connection, kind, group_id)
    page_number = request.GET.get("page")
    context = history_of(request.connection, kind.family.name, group_id, page_number)
    return _tab(request, kind, shown, "history", context | {"panel_template": TEMPLATE})


def _tab(
    request: PortalRequest,
    kind: GroupType,
    group: Group,
    current: str,
    context: dict[str, Any],
    *,
    fragment: str | None = None,
) -> HttpResponse:
    shared = {
        "kind": kind,
        "group": group,
        "may": getattr(Can(request.user.role, request.connection), kind.family.name),
        "tabs": [
            Tab(name, label, group_url(request, kind, name, group.id), name == current)
            for name, label in _TABS.items()
        ],
    }
    part = "panel" if wants_panel(request) else "content"
    return page(request, "people/group.html", shared | context, fragment=fragment or part)


def _number(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 9 else 1
