"""Reads an answer that breaks the document, field by field, without those that make no sense.

Limits are for those who send. A reader takes a name that is too long, a number that is too large
and an undocumented choice as they come. What is of another type altogether, such as a
time that is none, counts as absent, so that every field holds what its type says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin

from pydantic import AfterValidator, BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from portal.contract.choices import NumberChoice, TextChoice, lenient_choice
from portal.contract.times import can_be_moved

M = TypeVar("M", bound=BaseModel)
_LEFT_OUT = "left-out"  # beside the fields of an object, where no name of a field is


def counted(value: Any) -> Any:
    """Returns a count as it is reported; one below zero counts as absent."""
    is_negative = (
        value.startswith("-") if isinstance(value, str) else value is not None and value < 0
    )
    return None if is_negative else value


COUNTED = AfterValidator(counted)
Count = Annotated[int | None, COUNTED]


def believed(total: int | None, first: Sequence[object]) -> int | None:
    """Returns a number of records; None if the first page lists none of them."""
    return total if first else total and None


class Unlike(ValueError):
    """The value is not of this type, nor of any that could be meant; `field` is the one that an
    object lacks."""

    def __init__(self, field: str = "") -> None:
        super().__init__(field)
        self.field = field


class GoesByEmail:
    """An object that goes by its email address where a list has no id of it yet, as of people who
    are pending: every path takes that for an id."""


@dataclass(frozen=True)
class LeftOut:
    """A record of a list that could not be read: the list's name in the answer, with those of what
    it is in, its title, and the field that the record lacks; none if it is no object."""

    place: str
    title: str
    field: str


def all_left_out_of(answer: object) -> tuple[LeftOut, ...]:
    """Returns the records that could not be read of an answer's lists, at any depth."""
    result: tuple[LeftOut, ...] = getattr(answer, "__dict__", {}).get(_LEFT_OUT, ())
    return result


def left_out_of(page: object) -> tuple[LeftOut, ...]:
    """Returns those of the answer's own lists."""
    return tuple(record for record in all_left_out_of(page) if "." not in record.place)


def lenient(cls: type[M], raw: object) -> M:
    """Returns an object of `cls` from decoded JSON. Raises `Unlike` if a required field is missing.

    A list goes on without the records that cannot be read, and the object says which (`LeftOut`).
    """
    if not isinstance(raw, dict):
        raise Unlike
    undeclared = dict(raw)
    if issubclass(cls, GoesByEmail) and not raw.get("id"):
        if not raw.get("email"):
            raise Unlike("id")
        undeclared["id"] = raw["email"]
    left_out: list[LeftOut] = []
    values = {}
    for attribute, field in cls.model_fields.items():
        name = field.alias or attribute
        try:
            if name not in undeclared:
                raise Unlike
            value = _value(field, name, undeclared.pop(name), left_out)
            values[attribute] = counted(value) if COUNTED in field.metadata else value
        except Unlike as unlike:
            if field.is_required():
                raise Unlike(unlike.field or name) from None
    instance = cls.model_construct(**values)
    object.__setattr__(instance, "__pydantic_extra__", undeclared)
    instance.__pydantic_fields_set__.update(undeclared)
    if left_out:
        instance.__dict__[_LEFT_OUT] = tuple(left_out)
    return instance


def _value(field: FieldInfo, name: str, raw: object, left_out: list[LeftOut]) -> Any:
    kind = None if raw is None else _record_of(field.annotation)
    if kind is not None:
        return _readable(kind, raw, name, field.title or name, left_out)
    value = _read(field.annotation, raw)
    if isinstance(value, int | float) and value < 0 and _is_above_zero(field):
        raise Unlike
    left_out += _within(name, value)
    return value


def _is_above_zero(field: FieldInfo) -> bool:
    return any(getattr(limit, "ge", -1) >= 0 for limit in field.metadata)


def _within(name: str, value: object) -> Iterator[LeftOut]:
    return (replace(each, place=f"{name}.{each.place}") for each in all_left_out_of(value))


def _record_of(annotation: object) -> type[BaseModel] | None:
    """Returns the kind of the records of a list of objects."""
    if get_origin(annotation) in {Union, UnionType}:
        return next((kind for each in get_args(annotation) if (kind := _record_of(each))), None)
    kind = get_args(annotation)[0] if get_origin(annotation) is list else None
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _readable(
    kind: type[BaseModel], raw: object, name: str, title: str, left_out: list[LeftOut]
) -> list[object]:
    """Returns those of a list's records that can be read. A list of nothing like them is none."""
    if not isinstance(raw, list):
        left_out.append(LeftOut(name, title, ""))
        raise Unlike
    readable, unread = [], []
    for item in raw:
        try:
            readable.append(record := _of_class(kind, item))
        except Unlike as unlike:
            unread.append(LeftOut(name, title, unlike.field))
        else:
            unread += _within(name, record)
    left_out += unread
    if raw and not readable and not any(_resembles(kind, item) for item in raw):
        raise Unlike
    return readable


def _resembles(kind: type[BaseModel], raw: object) -> bool:
    """Returns whether it has anything of what it should be."""
    return isinstance(raw, dict) and any(raw.get(name) for name in kind.model_fields)


def _read(annotation: object, raw: object) -> Any:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _read(get_args(annotation)[0], raw)
    if origin in {Union, UnionType}:
        return _first(get_args(annotation), raw)
    if origin is list:
        return _items(get_args(annotation)[0], raw)
    if isinstance(annotation, type):
        return _of_class(annotation, raw)
    return _plain(annotation, raw)


def _first(kinds: tuple[object, ...], raw: object) -> Any:
    """Reads by the kind that the value has already, else by the first that fits."""
    if raw is None and NoneType in kinds:
        return None
    for kind in sorted(kinds, key=lambda kind: type(raw) is not kind):
        try:
            return _read(kind, raw)
        except Unlike:
            continue
    raise Unlike


def _items(kind: object, raw: object) -> list[object]:
    if not isinstance(raw, list):
        raise Unlike
    return [_read(kind, item) for item in raw]


def _of_class(kind: type, raw: object) -> Any:
    if issubclass(kind, BaseModel):
        try:
            return kind.model_validate(raw, extra="allow")
        except ValidationError:
            return lenient(kind, raw)
    if issubclass(kind, TextChoice | NumberChoice):
        base = _plain(str if issubclass(kind, str) else int, raw)
        if isinstance(base, int) and base < 0:
            raise Unlike  # no choice of a number is below zero
        return lenient_choice(cast("type[TextChoice]", kind), base)
    if kind is str and isinstance(raw, int | float) and not isinstance(raw, bool):
        return str(raw)
    return _plain(kind, raw)


def _plain(kind: object, raw: object) -> Any:
    try:
        value = _adapter(kind).validate_python(raw)
    except ValidationError:
        raise Unlike from None
    if isinstance(value, datetime) and not can_be_moved(value):
        raise Unlike
    return value


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
