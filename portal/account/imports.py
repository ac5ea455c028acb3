"""Imports of devices and of tracking fields: what the columns of their tables mean."""

from functools import partial
from pathlib import Path

from portal.contract.devices import Device, Devices
from portal.contract.tracking_fields import NewTrackingField, TrackingField, TrackingFields
from portal.imports.columns import column_of
from portal.imports.resources.job_type import ResourceImportJob
from portal.imports.sheets.words import TableWords
from portal.translation import gettext_lazy

_WORDS = Path(__file__).with_name("words")
_device = partial(column_of, Device, said=TableWords.read(_WORDS / "devices.toml"))
_field = partial(column_of, NewTrackingField, said=TableWords.read(_WORDS / "tracking_fields.toml"))


class DeviceImportJob(ResourceImportJob):
    """Adds and changes H.323 and SIP devices."""

    name = "devices.import"
    noun = (gettext_lazy("device"), gettext_lazy("devices"))
    family, records, key = Devices, "devices", "name"
    new = change = Device
    imported = (
        _device(
            "name",
            example="Lobby, Berlin",  # untranslated: an example
        ),
        _device("ip", example="192.0.2.17"),
        _device("protocol", example="SIP"),
        _device("encryption", example="auto"),
    )
    lead = gettext_lazy(
        "Add and change many at once. Nothing is sent before you have seen the preview."
    )
    list_url_name = "account:devices"


class TrackingFieldImportJob(ResourceImportJob):
    """Adds and changes tracking fields."""

    name = "tracking_fields.import"
    noun = (gettext_lazy("tracking field"), gettext_lazy("tracking fields"))
    family, records, key = TrackingFields, "tracking_fields", "field"
    new, change = NewTrackingField, TrackingField
    imported = (
        _field(
            "field",
            example="Project code",  # untranslated: an example
        ),
        _field("required", note=gettext_lazy("Write yes or no."), example="yes"),
        _field("visible", note=gettext_lazy("Write yes or no."), example="yes"),
        _field(
            "recommended_values",
            note=gettext_lazy(
                "All of them in one cell, separated by semicolons or line breaks. They replace "
                "those that the field has."
            ),
            example="Sales; Research; Operations",  # untranslated: an example
        ),
    )
    lead = gettext_lazy(
        "Add and change many at once. Nothing is sent before you have seen the preview."
    )
    list_url_name = "account:tracking-fields"
    export_only = ("used", gettext_lazy("Sessions"))
