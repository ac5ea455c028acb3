"""The list of groups, and the tables of groups and members."""

from collections.abc import Collection
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString

from portal.contract.groups import ImGroupType
from portal.contract.users import Users
from portal.directory import groups as mirror, settings as subjects
from portal.directory.groups import members_shown
from portal.directory.models import MirroredGroup
from portal.mirror.views.listing import MirroredListView
from portal.people.groups.base import GroupFilterForm, GroupKindMixin, group_url
from portal.people.groups.members import Member
from portal.people.services.groups import GROUPS, IM_GROUPS, GroupType
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.converters import path_of
from portal.ui.exports import of
from portal.ui.listing import ListSpec
from portal.ui.selection import Action, export_actions
from portal.ui.settings.catalog import ComparedKind
from portal.ui.settings.views import COMPARING, ComparedListView
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link

_NUMBER = {"td": {"class": "cell-number cell-narrow"}}
_COMPARED = {GROUPS: subjects.GROUPS, IM_GROUPS: subjects.IM_GROUPS}


def _list_of(kind: GroupType) -> ListSpec:
    compare = Action(
        gettext_lazy("Compare settings"),
        "columns-3",
        f"{kind.slug}:compare",
        Users.settings,
        whole=True,
    )
    return ListSpec(
        kind.slug,
        kind.noun,
        kind.many,
        actions=(compare, *export_actions(f"{kind.slug}:export", kind.family.list)),
        export_url_name=f"{kind.slug}:export",
    )


_LISTS = {kind: _list_of(kind) for kind in (GROUPS, IM_GROUPS)}


class GroupsTable(Table):
    """Groups of a connection; a row leads to the group."""

    caption = gettext_lazy("Groups")
    key_field = "group_id"
    kind: GroupType = GROUPS

    name = SortedColumn(gettext_lazy("Name"), css="cell-main cell-rest")
    total_members = SortedColumn(
        gettext_lazy("Members"), attrs=_NUMBER, default=gettext_lazy("Unknown")
    )

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record.group_id}

    def __init__(self, rows: object, *, key: str, **options: object) -> None:
        super().__init__(rows, **options)
        # One reverse for the page, not one a row.
        self._group = reverse(f"{self.kind.slug}:group", args=[key, "GROUP"])

    def render_name(self, record: MirroredGroup) -> SafeString:
        return row_link(path_of(self._group, "GROUP", record.group_id), record)

    def render_total_members(self, record: MirroredGroup) -> str:
        shown = members_shown(record)
        return "" if shown is None else number(shown)


def _visibility(value: str) -> str:
    return ImGroupType(value).label if value in set(ImGroupType) else value


class ImGroupsTable(GroupsTable):
    """IM groups, with who sees them."""

    caption = gettext_lazy("IM groups")
    kind = IM_GROUPS

    type = SortedColumn(gettext_lazy("Visibility"), words=_visibility)

    class Meta(GroupsTable.Meta):
        sequence = ("name", "type", "total_members")


def members_of(kind: GroupType, group_id: str) -> ListSpec:
    """Returns the list of a group's members, with the actions for those selected in it."""
    export, args = f"{kind.slug}:members-export", (group_id,)
    return ListSpec(
        "members",
        _("member"),
        _("members"),
        actions=(
            Action(
                _("Change settings"),
                "settings-2",
                f"{kind.slug}:members-settings",
                Users.update_settings,
                args,
                whole=True,
            ),
            Action(
                _("Compare settings"),
                "columns-3",
                f"{kind.slug}:members-compare",
                Users.settings,
                args,
                whole=True,
            ),
            Action(
                _("Remove"),
                "user-minus",
                f"{kind.slug}:members-remove",
                kind.family.remove_member,
                args,
                counted=True,
                danger=True,
            ),
            Action(
                _("Move to group"),
                "arrow-right",
                f"{kind.slug}:members-move",
                kind.family.remove_member,
                args,
            ),
            *export_actions(export, kind.family.members, args),
        ),
        export_url_name=export,
        args=args,
        file=f"{kind.slug}-{group_id}-members",
        keeps_views=False,
    )


class MembersTable(Table):
    """Members of a group; a row leads to the person."""

    caption = gettext_lazy("Members")

    name = TableColumn(
        gettext_lazy("Name"),
        css="cell-main cell-rest",
        export=[
            of("first_name", gettext_lazy("First name")),
            of("last_name", gettext_lazy("Last name")),
        ],
    )
    email = TableColumn(gettext_lazy("Email"))
    licence = TableColumn(gettext_lazy("Licence"), css="cell-narrow", export="type")
    id = TableColumn(gettext_lazy("User ID"))

    optional = ("id",)
    exported_first = (of("email", gettext_lazy("Email")),)

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record.id}

    def __init__(self, rows: object, *, key: str, **options: object) -> None:
        super().__init__(rows, **options)
        self._person = reverse("people:person", args=[key, "USER"])

    def render_name(self, record: Member) -> SafeString:
        return row_link(path_of(self._person, "USER", record.id), record.name)


class GroupListView(
    ComparedListView[GroupFilterForm, QuerySet[MirroredGroup]],
    GroupKindMixin,
    MirroredListView[GroupFilterForm, QuerySet[MirroredGroup]],
):
    """All groups of a kind, by name or size."""

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **MirroredListView.methods,
        "compare": COMPARING,
    }
    subject_key = "group_id"
    operation_name = "list"
    mirrored = mirror.GROUPS
    template_name = "people/groups.html"
    filter_class = GroupFilterForm

    def get_spec(self) -> ListSpec:
        return _LISTS[self.kind]

    def compared(self) -> ComparedKind:
        return _COMPARED[self.kind]

    def url_name(self, endpoint: str) -> str:
        return f"{self.kind.slug}:{endpoint}"

    def rows(self, filters: GroupFilterForm) -> QuerySet[MirroredGroup]:
        return self._find(filters.order, search=filters.search)

    def rows_of(self, ids: Collection[str]) -> QuerySet[MirroredGroup]:
        return self._find("name", ids=ids)

    def total(self) -> int:
        return self._find("name").count()

    def _find(self, order: str, **wanted: Any) -> QuerySet[MirroredGroup]:
        wanted_groups = mirror.GroupFilter(kinds=[self.kind.mirrored], **wanted)
        return mirror.find(self.request.scope, wanted_groups, order)

    def get_table(self, rows: object, **options: object) -> GroupsTable:
        table_class = ImGroupsTable if self.kind is IM_GROUPS else GroupsTable
        return table_class(rows, key=self.request.connection.key, **options)

    def context(self) -> dict[str, object]:
        kinds = [
            (spec.many, group_url(self.request, kind, "list"), kind.slug)
            for kind, spec in _LISTS.items()
        ]
        return super().context() | {"kind": self.kind, "kinds": kinds}
