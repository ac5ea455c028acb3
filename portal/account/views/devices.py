"""H.323 and SIP devices."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, ClassVar

from django.http import QueryDict

from portal.account.filters import DeviceFilter
from portal.account.resources import DEVICES
from portal.account.tables import DeviceTable
from portal.account.views.resources import (
    ChangeResourceView,
    CreateResourceView,
    DeleteResourceView,
    OneResourceView,
    ResourceListView,
    one_of,
)
from portal.contract.devices import Device, DeviceDetails
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number
from portal.ui.forms import contract_form
from portal.ui.views.ranged import SortKeys, has_words

DeviceForm = contract_form(Device)


class DeviceListView(ResourceListView):
    """Devices that meetings can call."""

    resource = DEVICES
    keys: ClassVar[SortKeys] = {
        name: attrgetter(name) for name in ("name", "ip", "protocol", "encryption")
    }

    def read(self) -> Sequence[DeviceDetails]:
        listed = self.request.api.devices.list()
        self.total = listed.total_records or 0
        return listed.devices

    def get_filters(self, data: QueryDict) -> DeviceFilter:
        return DeviceFilter(data)

    def matching(self, rows: Sequence[DeviceDetails], filters: DeviceFilter) -> list[DeviceDetails]:
        protocol = filters.cleaned_data.get("protocol")
        encryption = filters.cleaned_data.get("encryption")
        return [
            one
            for one in rows
            if (not protocol or one.protocol == protocol)
            and (not encryption or one.encryption == encryption)
            and has_words(filters.search, (one.name, one.ip))
        ]

    def get_table(self, rows: Any, **options: Any) -> DeviceTable:
        return DeviceTable(rows, request=self.request, **options)

    def page_context(self, filters: Any, table: Any) -> dict[str, Any]:
        """The interface gives one page of devices; where there are more, the page says so."""
        listed = len(self.everything)
        words = _("The service lists %(listed)s of its %(total)s devices.") % {
            "listed": number(listed),
            "total": number(self.total),
        }
        more = {"incomplete": words} if self.total > listed else {}
        return super().page_context(filters, table) | more


class CreateDeviceView(CreateResourceView):
    resource = DEVICES
    form_class = DeviceForm
    own = ("name", "ip", "protocol")

    def listed(self) -> list[Any]:
        return self.request.api.devices.list().devices


class _OneDeviceView(OneResourceView):
    """One device, which the interface only lists."""

    def read(self) -> DeviceDetails:
        listed = self.request.api.devices.list().devices
        found: DeviceDetails = one_of(listed, "id", self.kwargs["resource_id"])
        return found


class ChangeDeviceView(_OneDeviceView, ChangeResourceView):
    resource = DEVICES
    form_class = DeviceForm


class DeleteDeviceView(_OneDeviceView, DeleteResourceView):
    resource = DEVICES
    consequences = (("phone-off", gettext_lazy("Meetings can no longer call it.")),)
