"""Imports of devices and of tracking fields: what the columns of their tables mean."""

from functools import partial
from pathlib import Path

from portal.account.resources import DEVICES, TRACKING_FIELDS
from portal.contract.devices import Device
from portal.contract.tracking_fields import NewTrackingField
from portal.imports.columns import column_of
from portal.imports.resources import ResourceImportJob
from portal.imports.sheets.headings import TableWords
from portal.translation import gettext_lazy

_WORDS = Path(__file__).with_name("words")
_device = partial(column_of, Device, said=TableWords.read(_WORDS / "devices.toml"))
_field = partial(column_of, NewTrackingField, said=TableWords.read(_WORDS / "tracking_fields.toml"))


class DeviceImportJob(ResourceImportJob):
    """Adds and changes H.323 and SIP devices."""

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
    """Adds and changes tracking fields."""

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
            note=gettext_lazy(
                "All of them in one cell, separated by semicolons or line breaks. They replace "
                "those that the field has."
            ),
            example="Sales; Research; Operations",  # untranslated: an example
        ),
    )
    export_only = ("used", gettext_lazy("Sessions"))
