"""Reads an answer that breaks the document: what can be understood is kept, field by field.

Limits are for those who send. Whoever reads takes a name that is too long, a number that is too
large and a choice that nobody knew of as they come. What is of another type altogether, such as a
time that is none, counts as absent, so that every field holds what its type says.
"""

from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from portal.contract.choices import NumberChoice, TextChoice, lenient_choice
from portal.contract.counts import COUNTED, counted
from portal.contract.times import can_be_moved

M = TypeVar("M", bound=BaseModel)


class Unlike(ValueError):
    """The value is not of this type, nor of any that could be meant; `field` is the one that an
    object lacks."""

    def __init__(self, field: str = "") -> None:
        super().__init__(field)
        self.field = field


class Completed:
    """A kind of object that stands for itself by another field where its id is missing."""

    @classmethod
    def completed(cls, raw: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError


class LeavesOut:
    """A list that goes on without records that cannot be read: `left_out` has, for each, the field
    that it lacks."""

    _left_out: tuple[str, ...]


def left_out_of(page: object) -> tuple[str, ...]:
    """Returns what the records of a page lack that could not be read, one each."""
    return page._left_out if isinstance(page, LeavesOut) else ()


def lenient(cls: type[M], raw: Any) -> M:
    """An object of `cls` from decoded JSON. Raises `Unlike` where a required field is missing."""
    if not isinstance(raw, dict):
        raise Unlike
    undeclared = dict(cls.completed(raw) if issubclass(cls, Completed) else raw)
    left_out: list[str] | None = [] if issubclass(cls, LeavesOut) else None
    values = {}
    for attribute, field in cls.model_fields.items():
        name = field.alias or attribute
        try:
            if name not in undeclared:
                raise Unlike
            value = _read(field.annotation, undeclared.pop(name), left_out)
            values[attribute] = counted(value) if COUNTED in field.metadata else value
        except Unlike as unlike:
            if field.is_required():
                raise Unlike(unlike.field or name) from None
    instance = cls.model_construct(**values)
    object.__setattr__(instance, "__pydantic_extra__", undeclared)
    instance.__pydantic_fields_set__.update(undeclared)
    if left_out:
        cast(Any, instance)._left_out = tuple(left_out)
    return instance


def _read(annotation: Any, raw: Any, left_out: list[str] | None = None) -> Any:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _read(get_args(annotation)[0], raw, left_out)
    if origin in {Union, UnionType}:
        return _first(get_args(annotation), raw)
    if origin is list:
        kind = get_args(annotation)[0]
        return _items(kind, raw) if left_out is None else _readable(kind, raw, left_out)
    if isinstance(annotation, type):
        return _of_class(annotation, raw)
    return _plain(annotation, raw)


def _first(kinds: tuple[Any, ...], raw: Any) -> Any:
    """By the kind that the value is of already, else by the first that it can be taken for."""
    if raw is None and NoneType in kinds:
        return None
    for kind in sorted(kinds, key=lambda kind: type(raw) is not kind):
        try:
            return _read(kind, raw)
        except Unlike:
            continue
    raise Unlike


def _items(kind: Any, raw: Any) -> list[Any]:
    if not isinstance(raw, list):
        raise Unlike
    return [_read(kind, item) for item in raw]


def _readable(kind: Any, raw: Any, left_out: list[str]) -> list[Any]:
    """Those of a list's records that can be read. A list of which none can is no list of these."""
    if not isinstance(raw, list):
        raise Unlike
    found = []
    for item in raw:
        try:
            found.append(_read(kind, item))
        except Unlike as unlike:
            left_out.append(unlike.field)
    if raw and not found and (len(raw) > 1 or not _resembles(kind, raw[0])):
        raise Unlike
    return found


def _resembles(kind: type[BaseModel], raw: Any) -> bool:
    """Returns whether it has anything of what it should be."""
    return isinstance(raw, dict) and any(raw.get(name) for name in kind.model_fields)


def _of_class(kind: type, raw: Any) -> Any:
    if issubclass(kind, BaseModel):
        try:
            return kind.model_validate(raw, extra="allow")
        except ValidationError:
            return lenient(kind, raw)
    if issubclass(kind, TextChoice | NumberChoice):
        base = _plain(str if issubclass(kind, str) else int, raw)
        return lenient_choice(cast("type[TextChoice]", kind), base)
    if kind is str and isinstance(raw, int | float) and not isinstance(raw, bool):
        return str(raw)
    return _plain(kind, raw)


def _plain(kind: Any, raw: Any) -> Any:
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
