"""The part of a form in which settings are chosen: those that are filled in, and no other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from django import forms
from django.forms import BoundField

from portal.translation import gettext_lazy
from portal.ui.settings.catalog import Setting, SettingGroup, SettingsCatalog

if TYPE_CHECKING:
    _Form = forms.Form
else:
    _Form = object


@dataclass(frozen=True)
class ChosenSetting:
    """A setting, and the field in which something is chosen for it."""

    setting: Setting
    field: BoundField

    @property
    def is_wrong(self) -> bool:
        return bool(self.field.errors)


class ChosenSettings(_Form):
    """Beside a form of the settings of `catalog`, which was made with `initial={}`: a setting for
    which nothing is chosen is called `as_it_is`."""

    catalog: ClassVar[SettingsCatalog]
    as_it_is: ClassVar[str] = gettext_lazy("As it is")

    def offer_to_leave(self) -> None:
        """Has every setting say that it may be left as it is."""
        for setting in self.chosen_settings():
            field = self.fields[setting.name]
            choices = getattr(field, "choices", None)
            if choices:
                field.choices = [  # type: ignore[attr-defined]
                    (value, self.as_it_is if value == "" else label) for value, label in choices
                ]
            else:
                field.widget.attrs["placeholder"] = self.as_it_is

    def chosen_settings(self) -> Iterator[Setting]:
        for group in self.catalog.groups:
            yield from self._offered(group)

    @property
    def sections(self) -> Iterator[tuple[SettingGroup, list[ChosenSetting]]]:
        for group in self.catalog.groups:
            rows = [ChosenSetting(setting, self[setting.name]) for setting in self._offered(group)]
            if rows:
                yield group, rows

    def _offered(self, group: SettingGroup) -> list[Setting]:
        """The settings of a group that this form can change."""
        return [one for one in group.settings if one.is_editable and one.name in self.fields]
