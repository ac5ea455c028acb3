"""H.323 and SIP devices; tracking fields, and how many sessions have a value in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from portal.account.filters import DeviceFilter, TrackingFieldFilter
from portal.account.resources import DEVICES, TRACKING_FIELDS
from portal.account.services.tracking import sessions_with
from portal.account.tables import DeviceTable, TrackingFieldTable
from portal.account.views.resources import DeleteResourceView, ResourceListView
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number


class DeviceListView(ResourceListView):
    """Devices that meetings can call."""

    resource, filter_class, table_class = DEVICES, DeviceFilter, DeviceTable
    searched = ("name", "ip")

    def matching(self, rows: Sequence[Any], filters: DeviceFilter) -> list[Any]:
        wanted = {name: filters.cleaned_data.get(name) for name in ("protocol", "encryption")}
        return [
            one
            for one in super().matching(rows, filters)
            if all(not value or getattr(one, name) == value for name, value in wanted.items())
        ]


class DeleteDeviceView(DeleteResourceView):
    resource = DEVICES
    consequences = (("phone-off", gettext_lazy("Meetings can no longer call it.")),)


@dataclass(frozen=True)
class FieldRow:
    """A tracking field, and how many sessions have a value in it."""

    id: str
    field: str
    required: bool
    visible: bool
    recommended_values: list[str]
    used: int


class TrackingFieldListView(ResourceListView):
    """The tracking fields of the account."""

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
    def consequences(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        used = sessions_with(self.request.scope, self.one.field or "")
        holding = ngettext(
            "%(count)s known session has a value in it.",
            "%(count)s known sessions have a value in it.",
            used,
        ) % {"count": number(used)}
        return (
            ("square-pen", _("It no longer appears when scheduling.")),
            ("calendar", holding),
        )
