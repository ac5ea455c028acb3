"""Tables of what the whole account has, and their filter bars."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from portal.access.form_fields import offer_choices
from portal.access.http import PortalRequest
from portal.account.resources import DEVICES, SUB_ACCOUNTS, TRACKING_FIELDS, WEBHOOKS, Resource
from portal.contract.devices import DeviceEncryption, DeviceProtocol
from portal.contract.webhooks import WebhookEvent
from portal.translation import gettext as _, gettext_lazy, options
from portal.ui.exports import of
from portal.ui.filters import ListFilter, choice_field, search_field
from portal.ui.states import pill
from portal.ui.tables import SortedColumn, Table, TableColumn, row_link

_REMOVE = (
    '<a class="btn btn-sm btn-ghost-secondary" href="{}" data-dialog>{}'
    '<span class="visually-hidden"> {}</span></a>'
)


def label_of(choice: object) -> str:
    """Returns the label of a value of the contract; the value itself if no release describes it."""
    return str(getattr(choice, "label", choice))


def _remove() -> TableColumn:
    return TableColumn(
        gettext_lazy("Actions"), empty_values=(), css="cell-narrow cell-plain", export=[]
    )


class ResourceTable(Table):
    """Rows that lead to the form that changes them, for those who may."""

    resource: Resource
    fixed: ClassVar[tuple[str, ...]] = ("remove",)
    exported_first = (of("id", gettext_lazy("ID")),)

    def __init__(self, rows: object, *, request: PortalRequest, **options: object) -> None:
        super().__init__(rows, **options)
        self._key, self._scope = request.connection.key, request.scope
        self._writes = not request.connection.read_only

    def _may(self, name: str) -> bool:
        return self._writes and self._scope.may(self.resource.operation(name))

    def _named(self, record: object) -> str | SafeString:
        name = getattr(record, self.resource.label) or getattr(record, self.resource.key)
        if not self._may("update"):
            return str(name)
        url = self._url("change", record)
        return format_html('<a class="row-link" href="{}" data-dialog>{}</a>', url, name)

    def _url(self, action: str, record: object) -> str:
        key = getattr(record, self.resource.key)
        return reverse(f"account:{self.resource.name}-{action}", args=[self._key, key])

    def render_remove(self, record: object) -> str | SafeString:
        if not self._may("delete"):
            return ""
        name = getattr(record, self.resource.label)
        return format_html(_REMOVE, self._url("delete", record), _("Delete"), name)


class DeviceTable(ResourceTable):
    resource = DEVICES
    caption = gettext_lazy("Devices")

    name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main")
    ip = SortedColumn(gettext_lazy("IP address"))
    protocol = SortedColumn(gettext_lazy("Protocol"), cell=label_of)
    encryption = SortedColumn(gettext_lazy("Encryption"), cell=label_of)
    remove = _remove()

    def render_name(self, record: object) -> str | SafeString:
        return self._named(record)


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
    remove = _remove()

    def render_field(self, record: object) -> str | SafeString:
        return self._named(record)

    def render_required(self, record: Any) -> str | SafeString:
        return pill("warning", _("Required")) if record.required else _("Optional")

    def render_visible(self, record: Any) -> str | SafeString:
        return _("Visible") if record.visible else pill("neutral", _("Hidden"))


class SubAccountTable(ResourceTable):
    resource = SUB_ACCOUNTS
    caption = gettext_lazy("Sub accounts")
    name_field = "account_name"
    fixed = ()

    account_name = SortedColumn(gettext_lazy("Name"), empty_values=(), css="cell-main cell-rest")
    owner_email = SortedColumn(gettext_lazy("Owner"), css="cell-wide")
    account_type = TableColumn(
        gettext_lazy("Type"), default=gettext_lazy("Not reported"), css="cell-narrow"
    )
    seats = SortedColumn(
        gettext_lazy("Seats"),
        default=gettext_lazy("Not reported"),
        css="cell-number cell-narrow",
        cell="{:,}".format,
    )
    subscription_end_time = SortedColumn(
        gettext_lazy("Subscribed until"),
        is_moment=True,
        default=gettext_lazy("Not subscribed"),
        css="cell-time",
    )
    created_at = SortedColumn(
        gettext_lazy("Created"), is_moment=True, default=gettext_lazy("Unknown"), css="cell-time"
    )

    optional = ("created_at",)
    later = ("account_type",)

    def render_account_name(self, record: Any) -> SafeString:
        url = reverse("account:sub-account", args=[self._key, record.id])
        name = record.account_name or record.owner_email or record.id
        return row_link(url, name)


class WebhookTable(ResourceTable):
    resource = WEBHOOKS
    caption = gettext_lazy("Webhooks")
    key_field = "webhook_id"
    exported_first = (of("webhook_id", gettext_lazy("Webhook ID")),)

    url = SortedColumn(
        gettext_lazy("Address"), empty_values=(), css="cell-main cell-rest cell-wrap"
    )
    auth_user = TableColumn(gettext_lazy("User name"), css="cell-kind")
    events = TableColumn(
        gettext_lazy("Events"), css="cell-wide cell-wrap", default=gettext_lazy("None")
    )
    created_at = SortedColumn(
        gettext_lazy("Created"), is_moment=True, default=gettext_lazy("Unknown"), css="cell-narrow"
    )
    remove = _remove()

    def __init__(self, rows: object, *, own: str, **options: Any) -> None:
        super().__init__(rows, **options)
        self._own = own

    def render_url(self, record: Any) -> str | SafeString:
        named = self._named(record)
        if record.webhook_id != self._own:
            return named
        return format_html("{} {}", named, pill("neutral", _("Used by Switchboard"), "plug"))

    def render_events(self, value: list[object]) -> SafeString:
        return format_html_join(", ", "{}", ((label_of(each),) for each in value))


class SearchFilter(ListFilter):
    """A filter bar of a search alone."""

    q = search_field(gettext_lazy("Search"))


class DeviceFilter(SearchFilter):
    sorts = ("name", "ip", "protocol", "encryption")

    protocol = choice_field(
        gettext_lazy("Protocol"), gettext_lazy("Any protocol"), options(DeviceProtocol)
    )
    encryption = choice_field(
        gettext_lazy("Encryption"), gettext_lazy("Any encryption"), options(DeviceEncryption)
    )


class TrackingFieldFilter(SearchFilter):
    sorts = ("field", "used")


class SubAccountFilter(SearchFilter):
    sorts = ("account_name", "owner_email", "seats", "subscription_end_time", "created_at")


class WebhookFilter(SearchFilter):
    sorts = ("url", "created_at")

    event = choice_field(gettext_lazy("Event"), gettext_lazy("Any event"), options(WebhookEvent))


class BaselineFilter(SearchFilter):
    """The filter bar of baselines; those with drift come first."""

    sorts = ("drift", "name", "checked_at")


class DriftFilter(SearchFilter):
    sorts = ("subject", "setting", "since")

    setting = forms.ChoiceField(label=gettext_lazy("Setting"), required=False)

    def __init__(self, data: QueryDict, settings: Sequence[tuple[str, str]]) -> None:
        self._settings = settings
        super().__init__(data)

    def prepare(self) -> None:
        offer_choices(self, "setting", self._settings, unset=_("Any setting"))
