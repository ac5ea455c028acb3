"""The form that changes settings of chosen people: those that are filled in, and no other."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.forms import BoundField
from django.http import QueryDict

from portal.access.http import PortalRequest
from portal.directory.settings import PEOPLE
from portal.jobs.views.drafting import Draft
from portal.people.forms.chosen import OfChosen
from portal.people.forms.settings import SettingsForm
from portal.ui.settings import Setting, SettingGroup

_AS_IT_IS = "As it is"


@dataclass(frozen=True)
class SettingRow:
    """A setting, and the field that changes it where something is chosen in it."""

    setting: Setting
    field: BoundField

    @property
    def is_wrong(self) -> bool:
        return bool(self.field.errors)


class ChosenSettingsForm(OfChosen, SettingsForm):  # type: ignore[valid-type, misc]
    """What nothing is chosen for stays as each of them has it."""

    asks = "Change settings of"

    def __init__(self, request: PortalRequest, data: QueryDict | None = None) -> None:  # noqa: ARG002
        super().__init__(data, initial={})
        for field in self.fields.values():
            choices = getattr(field, "choices", None)
            if choices:
                field.choices = [
                    (value, _AS_IT_IS if value == "" else label) for value, label in choices
                ]
            else:
                field.widget.attrs["placeholder"] = _AS_IT_IS

    @property
    def sections(self) -> Iterator[tuple[SettingGroup, list[SettingRow]]]:
        for group in PEOPLE.catalog.groups:
            rows = [
                SettingRow(setting, self[setting.name])
                for setting in group.settings
                if setting.is_editable and setting.name in self.fields
            ]
            if rows:
                yield group, rows

    def plan(self, request: PortalRequest, who: str) -> Draft | None:  # noqa: ARG002
        update = self.changes()
        if update is None:
            self.add_error(None, "No setting was chosen. Choose what to change.")
            return None
        data = update.model_dump(mode="json", by_alias=True, exclude_unset=True)
        count = sum(len(group) for group in data.values())
        words = "1 setting" if count == 1 else f"{count} settings"
        return Draft("people.settings", f"Change {words} of {who}", {"update": data})
