"""Filters of the account's lists, kept in the URL."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from portal.contract.devices import DeviceEncryption, DeviceProtocol
from portal.contract.webhooks import WebhookEvent
from portal.translation import gettext as _
from portal.translation import gettext_lazy, options
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import SearchInput


class SearchFilter(ListFilter):
    """A filter bar of a search alone."""

    q = forms.CharField(
        label=gettext_lazy("Search"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search")),
    )

    @property
    def search(self) -> str:
        return self.cleaned_data.get("q") or ""


class DeviceFilter(SearchFilter):
    """The filter bar of devices."""

    sorts = ("name", "ip", "protocol", "encryption")

    protocol = forms.ChoiceField(
        label=gettext_lazy("Protocol"),
        required=False,
        choices=[("", gettext_lazy("Any protocol")), *options(DeviceProtocol)],
    )
    encryption = forms.ChoiceField(
        label=gettext_lazy("Encryption"),
        required=False,
        choices=[("", gettext_lazy("Any encryption")), *options(DeviceEncryption)],
    )


class TrackingFieldFilter(SearchFilter):
    """The filter bar of tracking fields."""

    sorts = ("field", "used")


class SubAccountFilter(SearchFilter):
    """The filter bar of sub accounts."""

    sorts = ("account_name", "owner_email", "seats", "subscription_end_time", "created_at")


class WebhookFilter(SearchFilter):
    """The filter bar of webhooks."""

    sorts = ("url", "created_at")

    event = forms.ChoiceField(
        label=gettext_lazy("Event"),
        required=False,
        choices=[("", gettext_lazy("Any event")), *options(WebhookEvent)],
    )


class BaselineFilter(SearchFilter):
    """The filter bar of baselines; those with drift come first."""

    sorts = ("drift", "name", "checked_at")


class DriftFilter(SearchFilter):
    """Filter of a baseline's drift."""

    sorts = ("subject", "setting", "since")

    setting = forms.ChoiceField(label=gettext_lazy("Setting"), required=False)

    def __init__(self, data: QueryDict, settings: Sequence[tuple[str, str]]) -> None:
        self._settings = settings
        super().__init__(data)

    def prepare(self) -> None:
        field: Any = self.fields["setting"]
        field.choices = [("", _("Any setting")), *self._settings]
