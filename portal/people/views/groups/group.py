"""One group: what it is at the left, its members and its history in tabs."""

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from django.http import HttpResponse

from portal.access.grants import Can
from portal.access.http import PortalRequest
from portal.contract.groups import Group
from portal.directory.settings import PEOPLE
from portal.jobs.history import TEMPLATE, history_of
from portal.people.forms.groups import MemberFilter
from portal.people.group_tables import MembersTable, members_of
from portal.people.services import group_members
from portal.people.services.group_members import Member
from portal.people.services.group_types import GroupType
from portal.people.views.groups.actions import OneGroupMixin
from portal.people.views.groups.kinds import group_url
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.listing import ListSpec
from portal.ui.pages import page
from portal.ui.settings.views import COMPARING, ComparedListView
from portal.ui.tabs import PANEL, PageTab, wants_panel
from portal.ui.views.service_listing import ServiceListView, ServicePage

_TABS = {"group": gettext_lazy("Members"), "history": gettext_lazy("History")}


class MemberListView(ComparedListView, OneGroupMixin, ServiceListView):
    """The members of the group: from the service or, for a search, from the mirror."""

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **ServiceListView.methods,
        "compare": COMPARING,
    }
    compares = PEOPLE
    operation_name = "members"
    template_name = "people/group_members.html"
    filter_class = MemberFilter

    def get_spec(self) -> ListSpec:
        return members_of(self.kind, self.kwargs["group_id"])

    def read_page(self, filters: MemberFilter, number: int, size: int) -> ServicePage:
        request, search = self.request, filters.search
        if search or request.scope.is_narrow:
            found = group_members.found(request.scope, self.kind, self.group.id, search)
            here = group_members.known(found[(number - 1) * size : number * size])
            note = _("in the list of people that is kept here")
            return ServicePage(here, found.count(), f" {note}")
        rows, total = group_members.page_of(
            request.api, self.kind, self.group, number=number, size=size
        )
        return ServicePage(rows, total)

    def rows(self, filters: MemberFilter) -> Sequence[Member]:  # type: ignore[override]
        request, group_id = self.request, self.kwargs["group_id"]
        if filters.search:
            found = group_members.found(request.scope, self.kind, group_id, filters.search)
            return group_members.known(found)
        return group_members.everybody(request.api, self.kind, group_id)

    def rows_of(self, ids: Collection[str]) -> Sequence[Member]:  # type: ignore[override]
        group_id, wanted = self.kwargs["group_id"], set(ids)
        everybody = group_members.everybody(self.request.api, self.kind, group_id)
        return [one for one in everybody if one.id in wanted]

    def get_table(self, rows: Any, **_options: Any) -> MembersTable:
        return MembersTable(rows, key=self.request.connection.key)

    def file_title(self, _table: Any) -> str:
        return _("Members of %(name)s") % {"name": self.group.name}

    def list_url(self) -> str:
        return group_url(self.request, self.kind, "group", self.kwargs["group_id"])

    def context(self) -> dict[str, Any]:
        return _about(self.request, self.kind, self.group, "group")

    def show(self, context: dict[str, Any]) -> HttpResponse:
        return _show(self.request, context | {"panel_template": self.template_name})


class GroupHistoryView(OneGroupMixin):
    """The changes of the group through this portal, newest first."""

    operation_name = "get"

    def get(self, request: PortalRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
        family, group_id = self.kind.family.name, self.kwargs["group_id"]
        found = history_of(request.scope, family, group_id, request.GET.get("page"))
        context = found | _about(request, self.kind, self.group, "history")
        return _show(request, context | {"panel_template": TEMPLATE})


def _about(request: PortalRequest, kind: GroupType, group: Group, current: str) -> dict[str, Any]:
    """Returns the context of a tab of the page about a group."""
    return {
        "kind": kind,
        "group": group,
        "may": getattr(Can(request.scope), kind.family.name),
        "group_tabs": [
            PageTab(name, label, group_url(request, kind, name, group.id), name == current)
            for name, label in _TABS.items()
        ],
    }


def _show(request: PortalRequest, context: dict[str, Any]) -> HttpResponse:
    fragment = PANEL if wants_panel(request) else "content"
    return page(request, "people/group.html", context, fragment=fragment)
