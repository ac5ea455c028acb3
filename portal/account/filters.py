"""Filters of the account's lists, kept in the URL."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from portal.contract.choices import TextChoice
from portal.contract.devices import DeviceEncryption, DeviceProtocol
from portal.contract.webhooks import WebhookEvent
from portal.ui.filters import ListFilter
from portal.ui.forms.widgets import Search


def _choices(kind: type[TextChoice]) -> list[tuple[str, str]]:
    return [(one.value, one.label) for one in kind]


class SearchFilter(ListFilter):
    """A filter bar of a search alone."""

    q = forms.CharField(label="Search", required=False, max_length=200, widget=Search("Search"))

    @property
    def search(self) -> str:
        return self.cleaned_data.get("q") or ""


class DeviceFilter(SearchFilter):
    """The filter bar of devices."""

    sorts = ("name", "ip", "protocol", "encryption")

    protocol = forms.ChoiceField(
        label="Protocol", required=False, choices=[("", "Any protocol"), *_choices(DeviceProtocol)]
    )
    encryption = forms.ChoiceField(
        label="Encryption",
        required=False,
        choices=[("", "Any encryption"), *_choices(DeviceEncryption)],
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
        label="Event", required=False, choices=[("", "Any event"), *_choices(WebhookEvent)]
    )


class BaselineFilter(SearchFilter):
    """The filter bar of baselines; those with drift come first."""

    sorts = ("drift", "name", "checked_at")


class DriftFilter(SearchFilter):
    """What of a baseline's drift is shown."""

    sorts = ("subject", "setting", "since")

    setting = forms.ChoiceField(label="Setting", required=False)

    def __init__(self, data: QueryDict, settings: Sequence[tuple[str, str]]) -> None:
        self._settings = settings
        super().__init__(data)

    def prepare(self) -> None:
        field: Any = self.fields["setting"]
        field.choices = [("", "Any setting"), *self._settings]
