"""The sharing settings of a recording, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from portal.contract.described import Titles
from portal.contract.recordings import RecordingSettings
from portal.translation import gettext as _

_TITLES = Titles(RecordingSettings)


@dataclass(frozen=True)
class SharingRow:
    """A setting as it is read: `value` is empty where nothing is set."""

    name: str
    title: str
    value: str


def rows(settings: RecordingSettings) -> Iterator[SharingRow]:
    """The settings, those that are on or off as Yes or No."""
    for name, title in _TITLES.items():
        value = getattr(settings, name)
        if isinstance(value, bool):
            value = _("Yes") if value else _("No")
        yield SharingRow(name, title, str(getattr(value, "label", value or "")))
