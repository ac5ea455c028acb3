"""Samples for a form of any contract model: one good value for each field."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, get_args

from django.core.files.uploadedfile import SimpleUploadedFile

from portal.contract import operations
from portal.contract.model import Model
from portal.contract.recurrence import WeekDays
from portal.contract.types import Digits, Email, TimeZone, WebAddress
from portal.ui.forms.specs import ArraySpec, FieldSpec, object_specs

# Fields that the contract takes only in place of others.
_INSTEAD = {"end_date_time", "monthly_day"}


def asked_for() -> list[type[Model]]:
    """Every model that an operation takes, as its query or its body."""
    found = (model for operation in operations() for model in (operation.query, operation.body))
    return list(dict.fromkeys(model for model in found if model))


def leaves(model: type[Model]) -> Iterator[FieldSpec]:
    """Every single value of a model, those of a list's first row included."""
    for branch in object_specs(model):
        for item in branch.items:
            if isinstance(item, FieldSpec):
                yield item
            else:
                yield from in_row(item, 0)


def in_row(rows: ArraySpec, number: int) -> Iterator[FieldSpec]:
    for leaf in rows.field_specs:
        yield FieldSpec(f"{rows.name}.{number}.{leaf.name}", leaf.info, leaf.schema)


def value(leaf: FieldSpec) -> Any:
    """A value that the contract takes."""
    kind = leaf.kinds[0]
    if leaf.is_list:
        [item] = get_args(kind)
        return [list(item)[-1]] if issubclass(item, Enum) else ["12345", "678"]
    if issubclass(kind, Enum):
        return list(kind)[-1]
    if kind is datetime:
        return datetime(2026, 2, 28, 9, 30, tzinfo=UTC if _is_gmt(leaf) else None)
    simple = {bool: True, date: date(2026, 2, 28), bytes: b"a picture"}
    if kind in simple:
        return simple[kind]
    return leaf.schema.get("minimum", 1) if kind is int else _text(leaf)


def _mark(kind: Any) -> object:
    """Returns what the contract marks such texts with."""
    return get_args(kind)[-1]


def _is_gmt(leaf: FieldSpec) -> bool:
    return str(leaf.schema["pattern"]).endswith("Z$")


def _text(leaf: FieldSpec) -> str:
    digits = next((mark.count for mark in leaf.marks if isinstance(mark, Digits)), 0)
    if digits:
        return "7" * digits
    if _mark(Email) in leaf.marks:
        return "ada@example.com"
    if _mark(TimeZone) in leaf.marks:
        return "Europe/Berlin"
    if _mark(WebAddress) in leaf.marks:
        return "https://example.com/hook"
    if _mark(WeekDays) in leaf.marks:
        return "2,4,6"
    longest = leaf.schema.get("maxLength", 12)
    return ("1234567890" * 2)[: min(longest, max(leaf.schema.get("minLength", 1), 5))]


def typed(leaf: FieldSpec) -> Any:
    """The same as a browser sends it."""
    good = value(leaf)
    if isinstance(good, bytes):
        return SimpleUploadedFile("picture.jpg", good, "image/jpeg")
    if isinstance(good, Enum):
        return str(good.value)
    if isinstance(good, datetime):
        return f"{good:%Y-%m-%dT%H:%M}"
    if isinstance(good, list):
        values = [each.value for each in good if isinstance(each, Enum)]
        return values or "\n".join(good)
    return "on" if good is True and not leaf.is_optional else _as_text(good)


def _as_text(good: Any) -> str:
    return str(good).lower() if isinstance(good, bool) else str(good)


def filled(model: type[Model]) -> list[FieldSpec]:
    """The values that can be given together."""
    return [leaf for leaf in leaves(model) if leaf.name.rpartition(".")[2] not in _INSTEAD]


def filled_in(model: type[Model]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Data and files of a form with every field filled in."""
    everything = {leaf.name: typed(leaf) for leaf in filled(model)}
    files = {
        name: item for name, item in everything.items() if isinstance(item, SimpleUploadedFile)
    }
    return {name: item for name, item in everything.items() if name not in files}, files


def broken(leaf: FieldSpec) -> Iterator[str]:
    """Values beyond each limit that the contract sets."""
    limits = leaf.schema
    if "maxLength" in limits:
        yield "1" * (limits["maxLength"] + 1)
    if limits.get("minLength", 0) > 1:
        yield "1" * (limits["minLength"] - 1)
    if "minimum" in limits:
        yield str(limits["minimum"] - 1)
    if "maximum" in limits:
        yield str(limits["maximum"] + 1)
    kind = leaf.kinds[0]
    if "pattern" in limits or kind in (int, date) or issubclass(kind, Enum):
        yield "not this"
    marks = leaf.marks
    if any(isinstance(mark, Digits) for mark in marks):
        yield "12345"
    if _mark(Email) in marks:
        yield "no address"
    if _mark(TimeZone) in marks:
        yield "Europe/Atlantis"
