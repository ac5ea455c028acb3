"""Tables of groups and of who is in one."""

from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.contract.groups import ImGroupType
from portal.mirror.models import MirroredGroup
from portal.people.services.group_members import Member
from portal.people.services.group_types import GROUPS, IM_GROUPS, GroupType
from portal.ui.tables import Column, SortedColumn, Table

_NUMBER = {"td": {"class": "cell-number cell-narrow"}}


class GroupsTable(Table):
    """Groups of a connection; a row leads to the group."""

    caption = "Groups"
    key_field = "group_id"
    kind: GroupType = GROUPS

    name = SortedColumn(attrs={"td": {"class": "cell-main cell-rest"}})
    total_members = SortedColumn(verbose_name="Members", attrs=_NUMBER, default="Unknown")

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record.group_id}

    def __init__(self, rows: Any, *, key: str, **options: Any) -> None:
        super().__init__(rows, **options)
        # One reverse for the page, not one a row.
        self._group = reverse(f"{self.kind.slug}:group", args=[key, "GROUP"])

    def render_name(self, record: MirroredGroup) -> SafeString:
        return format_html(
            '<a class="row-link" href="{}">{}</a>',
            self._group.replace("GROUP", record.group_id),
            record,
        )

    def render_total_members(self, value: int) -> str:
        return f"{value:,}"


class ImGroupsTable(GroupsTable):
    """IM groups, with who sees them."""

    caption = "IM groups"
    kind = IM_GROUPS

    type = SortedColumn(verbose_name="Visibility")

    class Meta(GroupsTable.Meta):
        sequence = ("name", "type", "total_members")

    def render_type(self, value: str) -> str:
        return ImGroupType(value).label if value in set(ImGroupType) else value


class MembersTable(Table):
    """Members of a group; a row leads to the person."""

    caption = "Members"

    name = Column(attrs={"td": {"class": "cell-main cell-rest"}})
    email = Column()
    licence = Column(attrs={"td": {"class": "cell-narrow"}})

    class Meta(Table.Meta):
        row_attrs = {"data-key": lambda record: record.id}

    def __init__(self, rows: Any, *, key: str, **options: Any) -> None:
        super().__init__(rows, **options)
        self._person = reverse("people:person", args=[key, "USER"])

    def render_name(self, record: Member) -> SafeString:
        return format_html(
            '<a class="row-link" href="{}">{}</a>',
            self._person.replace("USER", record.id),
            record.name,
        )
