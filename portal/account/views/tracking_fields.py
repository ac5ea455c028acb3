"""Pages of tracking fields, and the number of sessions with a value in one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from portal.access.scope import Scope
from portal.account.resources import TRACKING_FIELDS
from portal.sessions.mirror import listed
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.filters import SearchFilter
from portal.ui.states import pill
from portal.ui.tables import SortedColumn, TableColumn
from portal.ui.views.resources import (
    DeleteResourceView,
    ResourceListView,
    ResourceTable,
    remove_column,
)


@dataclass(frozen=True)
class FieldRow:
    """A tracking field, and how many sessions have a value in it."""

    id: str
    field: str
    required: bool
    visible: bool
    recommended_values: list[str]
    used: int


class TrackingFieldTable(ResourceTable):
    resource = TRACKING_FIELDS
    caption = gettext_lazy("Tracking fields")

    field = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main")
    required = TableColumn(gettext_lazy("Required"), empty_values=(), css="cell-state")
    visible = TableColumn(gettext_lazy("Visible"), empty_values=(), css="cell-state")
    recommended_values = TableColumn(
        gettext_lazy("Recommended values"),
        default=gettext_lazy("Any value"),
        css="cell-rest cell-wrap",
        cell=", ".join,
    )
    used = SortedColumn(gettext_lazy("Sessions"), css="cell-number cell-length", cell="{:,}".format)
    remove = remove_column()

    def render_field(self, record: object) -> str | SafeString:
        return self.named(record)

    def render_required(self, record: Any) -> str | SafeString:
        return pill("warning", _("Required")) if record.required else _("Optional")

    def render_visible(self, record: Any) -> str | SafeString:
        return _("Visible") if record.visible else pill("neutral", _("Hidden"))


class TrackingFieldFilter(SearchFilter):
    sorts = ("field", "used")


class TrackingFieldListView(ResourceListView):
    resource = TRACKING_FIELDS
    filter_class, table_class = TrackingFieldFilter, TrackingFieldTable
    searched = ("field", "recommended_values")

    def read(self) -> Sequence[FieldRow]:
        return [
            FieldRow(
                one.id,
                one.field or "",
                bool(one.required),
                bool(one.visible),
                one.recommended_values or [],
                sessions_with(self.request.scope, one.field or ""),
            )
            for one in super().read()
        ]


class DeleteTrackingFieldView(DeleteResourceView):
    resource = TRACKING_FIELDS

    @property
    def consequences(self) -> tuple[tuple[str, str], ...]:
        used = sessions_with(self.request.scope, self.one.field or "")
        holding = ngettext(
            "%(count)s known session has a value in it.",
            "%(count)s known sessions have a value in it.",
            used,
        ) % {"count": number(used)}
        return (("square-pen", _("It no longer appears when scheduling.")), ("calendar", holding))


def sessions_with(scope: Scope, field: str) -> int:
    """Returns the number of mirrored sessions with a value in the tracking field."""
    mirrored = listed(scope)
    return mirrored.filter(tracking__has_key=field.replace("\x00", "")).count() if field else 0
