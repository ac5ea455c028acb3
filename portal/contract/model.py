"""The base of every object in the interface, and how one is checked and read.

One class serves both directions. A caller that *makes* a model is held to the document: unknown
fields and broken limits are errors. A caller that *reads* one is tolerant (`read`), because a live
service is always newer than its document.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import from_json

from portal.contract.reading import lenient
from portal.contract.words import gettext

JsonDict = dict[str, Any]  # an object as JSON has it
MASK = "••••••"
_SECRET_NAME = re.compile(
    r"passw|passcode|secret|token|(^|_)pin$|host_key|start_url", re.IGNORECASE
)


@dataclass(frozen=True)
class Sensitive:
    """Marks a field whose value is never logged, stored in the audit trail or shown unrequested."""


class Model(BaseModel):
    """An object of the interface (spec section 2), under the spec's own field names."""

    model_config = ConfigDict(
        extra="forbid", defer_build=True, populate_by_name=True, hide_input_in_errors=True
    )

    content_type: ClassVar[str] = "application/json"

    def sent(self) -> JsonDict:
        """Returns the fields that were set, as they go over the wire, so that PATCH changes no
        others. An object that was read is sent back with its unknown fields."""
        # A warning would show the value, which may be a secret.
        data = self.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
        return dict(_with_unknown(self, data))

    def whole(self) -> JsonDict:
        """Returns all fields, with their defaults where they are unset, and the unknown ones."""
        data = self.model_dump(mode="json", by_alias=True, warnings=False)
        return dict(_with_unknown(self, data))

    def masked(self) -> dict[str, object]:
        """Returns the data with every `Sensitive` value replaced, for logs and the trail."""
        return mask(type(self), self.sent())

    def undeclared(self, name: str) -> Any:
        """Returns the value of a field that the document does not have; None if it was not read."""
        return (self.model_extra or {}).get(name)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Yields what `repr` and with it every traceback shows: no `Sensitive` value."""
        fields = type(self).model_fields
        for name, value in super().__repr_args__():
            yield name, _mask_field(fields.get(name or ""), value, name or "")

    @classmethod
    def accept(cls, document: bytes) -> Self:
        """Checks a request body as a service does: unknown fields are ignored, limits are not."""
        return cls.model_validate_json(document, extra="ignore")

    @classmethod
    def read(cls, document: bytes) -> Self:
        """Reads a response with its unknown fields, and values outside the document's limits too.

        A field whose value is of another type altogether counts as absent. Raises `ValueError`
        if the answer has not this shape at all: `ValidationError` if it is no JSON, `Unlike`
        if it is a list for an object or lacks a required field.
        """
        try:
            return cls.model_validate_json(document, extra="allow")
        except ValidationError as error:
            if any(problem["type"] == "json_invalid" for problem in error.errors()):
                raise
        return lenient(cls, from_json(document))


def _with_unknown(value: object, data: Any) -> Any:
    """Returns the data of a value with the fields that its models do not declare."""
    if isinstance(value, list):
        if isinstance(data, list) and any(isinstance(each, Model) for each in value):
            return [_with_unknown(each, item) for each, item in zip(value, data, strict=True)]
        return data
    if not isinstance(value, Model):
        return data
    for name, info in type(value).model_fields.items():
        wire, inner = info.alias or name, value.__dict__.get(name)
        if isinstance(inner, list | Model) and wire in data:
            data[wire] = _with_unknown(inner, data[wire])
    return {**data, **(value.model_extra or {})}


def fields(cls: type[Model]) -> Iterator[tuple[str, FieldInfo]]:
    """Yields the fields of a model by their names on the wire."""
    for name, field in cls.model_fields.items():
        yield field.alias or name, field


def submodel(annotation: object) -> type[Model] | None:
    """Returns the model in an annotation such as `Settings | None` or `list[Settings]`, if any."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return annotation
    return next(
        (result for argument in get_args(annotation) if (result := submodel(argument))), None
    )


def is_sensitive(field: FieldInfo) -> bool:
    """Returns whether the field, or the type within its annotation, is marked `Sensitive`."""
    return any(isinstance(mark, Sensitive) for mark in field.metadata) or _is_marked(
        field.annotation
    )


def _is_marked(annotation: object) -> bool:
    marks = getattr(annotation, "__metadata__", ())
    if any(isinstance(mark, Sensitive) for mark in marks):
        return True
    return any(_is_marked(argument) for argument in get_args(annotation))


def has_required(cls: type[Model]) -> bool:
    """Returns whether the model has a field that must be given."""
    return any(field.is_required() for field in cls.model_fields.values())


def has_secret_name(name: str) -> bool:
    """Returns whether the name of a field that no document declares suggests a secret."""
    return bool(_SECRET_NAME.search(name))


def mask(cls: type[Model], value: dict[str, object]) -> dict[str, object]:
    """Returns a copy of `value`, an object of `cls`, with every `Sensitive` value replaced.

    A service may return more than its document says; such a field is judged by its name.
    """
    declared = dict(fields(cls))
    return {name: _mask_field(declared.get(name), item, name) for name, item in value.items()}


def _mask_field(field: FieldInfo | None, value: object, name: str) -> Any:
    if value in (None, "") or isinstance(value, Model):
        return value
    if is_sensitive(field) if field else has_secret_name(name):
        return MASK
    inner = submodel(field.annotation) if field else None
    if isinstance(value, dict):
        if inner:
            return mask(inner, value)
        return {key: _mask_field(None, item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_mask_field(field, item, name) for item in value]
    return value


def off(title: str, description: str, *, deprecated: bool = False) -> Any:
    """Declares a switch that is off unless set."""
    return Field(False, title=title, description=description, deprecated=deprecated)


def unset(title: str, description: str, **limits: Any) -> Any:
    """Declares a field without a default in the document."""
    return Field(None, title=title, description=description, **limits)


class Described:
    """Something that a field of a model declares; words are its title and description."""

    name: str
    info: FieldInfo

    @property
    def title(self) -> str:
        return title_of(self.info, self.name)

    @property
    def description(self) -> str:
        return description_of(self.info)


class Titles(Mapping[str, str]):
    """Titles of a model's fields, by their names."""

    def __init__(self, model: type[Model], without: tuple[str, ...] = ()) -> None:
        self._fields = {name: info for name, info in fields(model) if name not in without}

    def __getitem__(self, name: str) -> str:
        return title_of(self._fields[name], name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def title_of(info: FieldInfo, name: str = "") -> str:
    """Returns the title of a field; its name if the contract declares none."""
    return gettext(info.title) if info.title else name


def description_of(info: FieldInfo) -> str:
    """Returns the description of a field; often empty."""
    return gettext(info.description) if info.description else ""
