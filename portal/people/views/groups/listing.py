"""The lists of groups and of IM groups."""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from portal.directory import groups as mirror
from portal.directory.models import MirroredGroup
from portal.mirror.views.listing import MirroredListView
from portal.people.forms.groups import GroupFilterForm
from portal.people.group_tables import GroupsTable, ImGroupsTable
from portal.people.services.group_types import GROUPS, IM_GROUPS
from portal.people.views.groups.actions import GroupKindMixin
from portal.people.views.groups.kinds import group_url
from portal.ui import listing

_LISTS = {
    GROUPS: listing.ListSpec("groups", GROUPS.noun, GROUPS.many, export_url_name="groups:export"),
    IM_GROUPS: listing.ListSpec(
        "im-groups", IM_GROUPS.noun, IM_GROUPS.many, export_url_name="im-groups:export"
    ),
}


class GroupListView(GroupKindMixin, MirroredListView):
    """All groups of a kind, by name or size."""

    operation_name = "list"
    mirrored = mirror.GROUPS
    template_name = "people/groups.html"
    filter_class = GroupFilterForm

    def get_spec(self) -> listing.ListSpec:
        return _LISTS[self.kind]

    def url_name(self, part: str) -> str:
        return f"{self.kind.slug}:{part}"

    def rows(self, filters: GroupFilterForm) -> QuerySet[MirroredGroup]:
        return self._find(filters.order, search=filters.cleaned_data.get("q") or "")

    def rows_of(self, ids: Collection[str]) -> QuerySet[MirroredGroup]:
        return self._find("name", ids=ids)

    def total(self) -> int:
        return self._find("name").count()

    def _find(self, order: str, **wanted: Any) -> QuerySet[MirroredGroup]:
        found = mirror.GroupFilter(kinds=[self.kind.mirrored], **wanted)
        return mirror.find(self.request.scope, found, order)

    def get_table(self, rows: Any, **options: Any) -> GroupsTable:
        table_class = ImGroupsTable if self.kind is IM_GROUPS else GroupsTable
        return table_class(rows, key=self.request.connection.key, **options)

    def context(self) -> dict[str, Any]:
        kinds = [
            (spec.many, group_url(self.request, kind, "list"), kind.slug)
            for kind, spec in _LISTS.items()
        ]
        return super().context() | {"kind": self.kind, "kinds": kinds}
