"""The part of a form in which settings are chosen: those that are filled in, and no other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from django import forms
from django.forms import BoundField

from portal.translation import gettext_lazy
from portal.ui.forms.specs import FieldSpec
from portal.ui.settings.catalog import Setting, SettingGroup, SettingsCatalog, Values

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
    which nothing is chosen is called `as_it_is`. The fields `about` stand above the settings."""

    catalog: ClassVar[SettingsCatalog]
    as_it_is: ClassVar[str] = gettext_lazy("As it is")
    about: ClassVar[tuple[str, ...]] = ()

    @property
    def about_fields(self) -> list[BoundField]:
        return [self[name] for name in self.about]

    def _is_meant(self, name: str, _spec: FieldSpec) -> bool:
        return self.cleaned_data[name] not in (None, "")

    def offer_to_leave(self, chosen: Values) -> None:
        """Shows what is chosen, and has every other setting say that it may be left as it is."""
        for setting in self.chosen_settings():
            if setting.name in chosen:
                value = chosen[setting.name]
                shown = str(value).lower() if isinstance(value, bool) else value
                self.initial = {**self.initial, setting.name: shown}
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
