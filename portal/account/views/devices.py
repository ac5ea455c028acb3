"""Pages of H.323 and SIP devices."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString

from portal.account.resources import DEVICES
from portal.contract.devices import DeviceEncryption, DeviceProtocol
from portal.translation import gettext_lazy, options
from portal.ui.filters import SearchFilter, choice_field
from portal.ui.tables import SortedColumn
from portal.ui.views.resources import (
    DeleteResourceView,
    ResourceListView,
    ResourceTable,
    label_of,
    remove_column,
)


class DeviceTable(ResourceTable):
    resource = DEVICES
    caption = gettext_lazy("Devices")

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main")
    ip = SortedColumn(gettext_lazy("IP address"))
    protocol = SortedColumn(gettext_lazy("Protocol"), cell=label_of)
    encryption = SortedColumn(gettext_lazy("Encryption"), cell=label_of)
    remove = remove_column()

    def render_name(self, record: object) -> str | SafeString:
        return self.named(record)


class DeviceFilter(SearchFilter):
    sorts = ("name", "ip", "protocol", "encryption")

    protocol = choice_field(
        gettext_lazy("Protocol"), gettext_lazy("Any protocol"), options(DeviceProtocol)
    )
    encryption = choice_field(
        gettext_lazy("Encryption"), gettext_lazy("Any encryption"), options(DeviceEncryption)
    )


class DeviceListView(ResourceListView[DeviceFilter]):
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
