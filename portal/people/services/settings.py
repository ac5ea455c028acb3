"""A person's settings: what they mean, what they are, and what a change makes of them.

Values are kept flat, by dotted wire name (`in_meeting.chat`), and only those that the service told:
a setting it does not tell is not the same as one that is off.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, get_args

from pydantic.fields import FieldInfo

from portal.client import Api
from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import Model, fields, submodel
from portal.contract.user_settings import UserSettings, UserSettingsUpdate

_ORDER = (
    "feature",
    "schedule_meeting",
    "in_meeting",
    "recording",
    "email_notification",
    "telephony",
)
Values = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    """One setting as the interface describes it."""

    name: str
    described: FieldInfo
    is_editable: bool

    @property
    def title(self) -> str:
        return self.described.title or self.name

    @property
    def description(self) -> str:
        return self.described.description or ""

    @property
    def is_deprecated(self) -> bool:
        return bool(self.described.deprecated)

    @property
    def default(self) -> Any:
        """The default of the document, or None where it names none."""
        return _plain(self.described.default)

    def in_words(self, value: Any) -> str:
        """A value as a person reads it; one that the interface does not name as it came."""
        if value is None:
            return "Not set"
        if isinstance(value, bool):
            return "On" if value else "Off"
        for choice in _choices(self.described.annotation):
            if choice.value == value:
                return choice.label
        if isinstance(value, int):
            return f"{value:,}"
        return str(value) or "Empty"

    def differs(self, value: Any) -> bool:
        """Whether a value that was told is another than the document's default."""
        return value is not None and self.default is not None and value != self.default

    def matches(self, words: Iterable[str]) -> bool:
        text = f"{self.title} {self.description} {self.name}".casefold()
        return all(word in text for word in words)


@dataclass(frozen=True)
class SettingGroup:
    """The settings of one group of the interface; deprecated ones come last."""

    name: str
    title: str
    description: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True)
class Change:
    """A setting that is about to change."""

    group: str
    setting: Setting
    old: Any
    new: Any

    @property
    def old_words(self) -> str:
        return self.setting.in_words(self.old)

    @property
    def new_words(self) -> str:
        return self.setting.in_words(self.new)


@cache
def groups() -> tuple[SettingGroup, ...]:
    """Every group and setting of the interface (spec 2.5), in the order of the page."""
    told, sent = dict(fields(UserSettings)), dict(fields(UserSettingsUpdate))
    return tuple(_group(name, told[name], sent[name]) for name in _ORDER)


def read(api: Api, user_id: str) -> Values:
    """What the service tells now. Raises `ApiError`."""
    return dict(_flat(api.users.settings(user_id)))


def changes(now: Values, wanted: UserSettingsUpdate | None) -> list[Change]:
    """What an update does to the settings as they are now, in the order of the page."""
    new = dict(_flat(wanted)) if wanted else {}
    return [
        Change(group.title, setting, now.get(setting.name), new[setting.name])
        for group in groups()
        for setting in group.settings
        if setting.name in new and new[setting.name] != now.get(setting.name)
    ]


def save(api: Api, user_id: str, update: UserSettingsUpdate) -> None:
    """Sends the changed fields alone, in one PATCH. Raises `ApiError`."""
    api.users.update_settings(user_id, update)


def _group(name: str, told: FieldInfo, sent: FieldInfo) -> SettingGroup:
    model, update = submodel(told.annotation), submodel(sent.annotation)
    if model is None or update is None:
        raise TypeError(f"{name} is not a group of settings")
    editable = dict(fields(update))
    settings = [
        Setting(f"{name}.{key}", described, key in editable) for key, described in fields(model)
    ]
    settings.sort(key=lambda setting: (setting.is_deprecated, not setting.is_editable))
    return SettingGroup(name, told.title or name, told.description or "", tuple(settings))


def _flat(model: Model) -> Iterator[tuple[str, Any]]:
    for group, _ in fields(type(model)):
        inner = getattr(model, group, None)
        if not isinstance(inner, Model):
            continue
        for name in inner.model_fields_set & dict(fields(type(inner))).keys():
            value = vars(inner).get(name)
            if value is not None:
                yield f"{group}.{name}", _plain(value)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _choices(annotation: Any) -> Iterator[TextChoice | NumberChoice]:
    kinds = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, TextChoice | NumberChoice):
            yield from kind
