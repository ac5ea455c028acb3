"""Settings: what they mean, what they are, what a change makes of them, and whose they are."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import UnionType
from typing import Any, ClassVar, get_args

from django.forms import BoundField, ChoiceField
from django.http import QueryDict
from django.urls import reverse
from pydantic.fields import FieldInfo

from portal.access.form_fields import choices_in
from portal.client import Api
from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import Described, Model, fields, submodel, title_of
from portal.translation import folded, gettext as _, gettext_lazy, number
from portal.translation.phrases import joined
from portal.ui.forms.contract import ContractForm, Model_co
from portal.ui.forms.layout import nested
from portal.ui.forms.specs import FieldSpec

Values = dict[str, Any]
MOST_COMPARED = 20  # that are held side by side
SUBJECT = "subject"  # in the query of that page: an id, as often as there are subjects


@dataclass(frozen=True)
class Setting(Described):
    """One setting as the interface describes it; `of` describes its group."""

    name: str
    info: FieldInfo
    is_editable: bool
    of: FieldInfo

    @property
    def group(self) -> str:
        return title_of(self.of, self.name.partition(".")[0])

    @property
    def full_title(self) -> str:
        return joined(": ", self.group, self.title)

    @property
    def is_deprecated(self) -> bool:
        return bool(self.info.deprecated)

    @property
    def default(self) -> Any:
        """Returns the default of the document, or None if it names none."""
        return _plain(self.info.default)

    def in_words(self, value: Any) -> str:
        """Returns a value as a person reads it; one that the interface does not name as it came."""
        if value is None:
            return _("Not set")
        if isinstance(value, bool):
            return _("On") if value else _("Off")
        for choice in _choices(self.info.annotation):
            if choice.value == value:
                return choice.label
        if isinstance(value, int):
            return number(value)
        return str(value) or _("Empty")

    def differs(self, value: object) -> bool:
        """Returns whether a reported value is another than the document's default."""
        return value is not None and self.default is not None and value != self.default

    def matches(self, words: Iterable[str]) -> bool:
        text = folded(f"{self.title} {self.description} {self.name}")
        return all(word in text for word in words)


@dataclass(frozen=True)
class SettingGroup(Described):
    """The settings of one group of the interface; deprecated ones come last."""

    name: str
    info: FieldInfo
    settings: tuple[Setting, ...]


@dataclass(frozen=True)
class SettingChange:
    """A setting that is about to change."""

    setting: Setting
    old: Any
    new: Any

    @property
    def old_words(self) -> str:
        return self.setting.in_words(self.old)

    @property
    def new_words(self) -> str:
        return self.setting.in_words(self.new)


@dataclass(frozen=True)
class SettingsCatalog:
    """The settings that a pair of models has.

    `answered` is what the service reports, `update` what can be sent; each field of both is a
    group. `order` are the names of the groups as a page shows them.
    """

    answered: type[Model]
    update: type[Model]
    order: tuple[str, ...]

    @cached_property
    def groups(self) -> tuple[SettingGroup, ...]:
        answered, update = dict(fields(self.answered)), dict(fields(self.update))
        return tuple(_group(name, answered[name], update[name]) for name in self.order)

    @cached_property
    def editable(self) -> dict[str, Setting]:
        """Returns the settings that can be changed, by name, in the order of the page."""
        every = (setting for group in self.groups for setting in group.settings)
        return {setting.name: setting for setting in every if setting.is_editable}

    def changes(self, now: Values, wanted: Values) -> list[SettingChange]:
        """Returns the settings that differ from wanted ones, in the order of the page. A
        setting that this version does not describe is left out, since it cannot be judged."""
        return [
            SettingChange(setting, now.get(name), wanted[name])
            for name, setting in self.editable.items()
            if name in wanted and wanted[name] != now.get(name)
        ]


def values_of(model: Model | None) -> Values:
    """Returns the settings that a model has, by dotted wire name."""
    return dict(_flat(model)) if model else {}


def _group(name: str, answered: FieldInfo, sent: FieldInfo) -> SettingGroup:
    model, update = submodel(answered.annotation), submodel(sent.annotation)
    if model is None or update is None:
        raise TypeError(f"{name} is not a group of settings")
    editable = dict(fields(update))
    settings = [
        Setting(f"{name}.{key}", info, key in editable, answered) for key, info in fields(model)
    ]
    settings.sort(key=lambda setting: (setting.is_deprecated, not setting.is_editable))
    return SettingGroup(name, answered, tuple(settings))


def _flat(model: Model) -> Iterator[tuple[str, Any]]:
    for group, _info in fields(type(model)):
        inner = getattr(model, group, None)
        if not isinstance(inner, Model):
            continue
        for name in inner.model_fields_set & dict(fields(type(inner))).keys():
            value = vars(inner).get(name)
            if value is not None:
                yield f"{group}.{name}", _plain(value)


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


def _choices(annotation: object) -> Iterator[TextChoice | NumberChoice]:
    kinds = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, TextChoice | NumberChoice):
            yield from kind


class ComparedKind:
    """A kind of subject whose settings are held side by side. `name` is how jobs and addresses call
    the kind, `reading` is the operation that it takes, `page` is the name of the URL about one of
    them."""

    name: str
    noun: ClassVar[tuple[str, str]]
    catalog: ClassVar[SettingsCatalog]
    reading: ClassVar[Any]  # an `Operation`
    page: str

    def url(self, connection_key: str, subject_id: str) -> str:
        """Returns the address of the page about one of them."""
        return reverse(self.page, args=[connection_key, subject_id])


class SubjectKind(ComparedKind, ABC):
    """People, or sub accounts, whose settings the operation `changing` changes."""

    icon: ClassVar[str]
    changing: ClassVar[Any]  # an `Operation`

    @abstractmethod
    def read(self, api: Api, subject_id: str) -> Values:
        """Returns the service's present values, by dotted name. Raises `ApiError`."""

    def update(self, values: Values) -> Model:
        """Returns the change that sets these values. Raises pydantic's `ValidationError`."""
        return self.catalog.update.model_validate(nested(values))

    @abstractmethod
    def change(self, api: Api, subject_id: str, update: object) -> None:
        """Sends what `update` made; it may be sent again without harm. Raises `ApiError`."""


def compare_url(
    connection_key: str, kind: ComparedKind, ids: Iterable[str], suffix: str = ""
) -> str:
    """Returns the address at which the settings of these stand side by side."""
    query = QueryDict(mutable=True)
    for key in ids:
        query.appendlist(SUBJECT, key)
    url = reverse(f"account:compare-{kind.name}{suffix}", args=[connection_key])
    return f"{url}?{query.urlencode()}" if query else url


@dataclass(frozen=True)
class ChosenSetting:
    """A setting, and the field in which something is chosen for it."""

    setting: Setting
    field: BoundField

    @property
    def is_wrong(self) -> bool:
        return bool(self.field.errors)


class ChosenSettings(ContractForm[Model_co]):
    """A form of the settings of `catalog`, which is made with `initial={}`: a setting for which
    nothing is chosen is called `as_it_is`. The fields `about` stand above the settings."""

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
            if isinstance(field, ChoiceField) and (offered := choices_in(field)):
                field.choices = [
                    (value, self.as_it_is if value == "" else label)
                    for value, label in offered.items()
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
        """Returns the settings of a group that this form can change."""
        return [one for one in group.settings if one.is_editable and one.name in self.fields]
