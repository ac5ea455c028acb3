"""Small lists of the whole account that are administered alike, and their imports."""

from functools import partial
from pathlib import Path

from portal.contract.accounts import Accounts
from portal.contract.devices import Device, Devices
from portal.contract.tracking_fields import NewTrackingField, TrackingFields
from portal.imports.columns import column_of
from portal.imports.resources import ResourceImportJob
from portal.imports.sheets.headings import TableWords
from portal.translation import gettext_lazy
from portal.ui.resources import Resource

_WORDS = Path(__file__).with_name("words")
_device = partial(column_of, Device, table_words=TableWords.read(_WORDS / "devices.toml"))
_field = partial(
    column_of, NewTrackingField, table_words=TableWords.read(_WORDS / "tracking_fields.toml")
)


DEVICES = Resource(
    "account",
    "devices",
    gettext_lazy("device"),
    gettext_lazy("devices"),
    gettext_lazy("H.323 and SIP devices"),
    "router",
    gettext_lazy("Room devices that meetings can call."),
    gettext_lazy("A device that is added here can be called from a meeting."),
    Devices,
    own=("name", "ip", "protocol"),
    has_import=True,
)
TRACKING_FIELDS = Resource(
    "account",
    "tracking-fields",
    gettext_lazy("tracking field"),
    gettext_lazy("tracking fields"),
    gettext_lazy("Tracking fields"),
    "tags",
    gettext_lazy("Fields that everyone fills in when scheduling a meeting, such as a cost centre."),
    gettext_lazy(
        "A tracking field asks everyone who schedules a meeting for a value, such as a cost centre."
    ),
    TrackingFields,
    label="field",
    own=("field",),
    fields=("field", "recommended_values", "required", "visible"),
    has_import=True,
)
SUB_ACCOUNTS = Resource(
    "account",
    "sub-accounts",
    gettext_lazy("sub account"),
    gettext_lazy("sub accounts"),
    gettext_lazy("Sub accounts"),
    "network",
    gettext_lazy("Accounts below this one, with their owners, plans and settings."),
    gettext_lazy(
        "A sub account has people, plans and settings of its own, and an owner who administers it."
    ),
    Accounts,
    label="account_name",
)


class DeviceImportJob(ResourceImportJob):
    noun, family, list_url_name = DEVICES.noun, DEVICES.family, "account:devices"
    imported = (
        _device(
            "name",
            example="Lobby, Berlin",  # untranslated: an example
        ),
        _device("ip", example="192.0.2.17"),
        _device("protocol", example="SIP"),
        _device("encryption", example="auto"),
    )


class TrackingFieldImportJob(ResourceImportJob):
    noun, family, label = TRACKING_FIELDS.noun, TRACKING_FIELDS.family, TRACKING_FIELDS.label
    list_url_name = "account:tracking-fields"
    imported = (
        _field(
            "field",
            example="Project code",  # untranslated: an example
        ),
        _field("required", example="yes"),
        _field("visible", example="yes"),
        _field(
            "recommended_values",
            hint=gettext_lazy(
                "All of them in one cell, separated by semicolons or line breaks. They replace "
                "those that the field has."
            ),
            example="Sales; Research; Operations",  # untranslated: an example
        ),
    )
    export_only = ("used", gettext_lazy("Sessions"))
