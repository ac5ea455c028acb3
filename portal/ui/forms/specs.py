"""Fields of a contract model, read from its declaration once."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, get_args

from pydantic.fields import FieldInfo

from portal.contract.model import (
    Described,
    Model,
    description_of,
    fields,
    is_sensitive,
    submodel,
    title_of,
)


@dataclass(frozen=True)
class FieldSpec(Described):
    """A single value: `user_info.email` of a model, with the limits of its JSON schema.

    `may_be_left_out` is a field of an object that the model does not need: the model itself needs
    it if the rest of the object is filled in.
    """

    name: str
    info: FieldInfo
    schema: dict[str, Any] = field(repr=False)
    may_be_left_out: bool = False

    @cached_property
    def kinds(self) -> tuple[Any, ...]:
        """Returns the types its value may have, without None."""
        return tuple(_plain_types(self.info.annotation))

    @cached_property
    def marks(self) -> tuple[Any, ...]:
        """Returns all that is annotated on it: limits, validators, `Sensitive`."""
        return (*self.info.metadata, *_annotated(self.info.annotation))

    @property
    def is_optional(self) -> bool:
        return type(None) in get_args(self.info.annotation)

    @property
    def is_list(self) -> bool:
        return any(getattr(kind, "__origin__", kind) is list for kind in self.kinds)

    @property
    def is_required(self) -> bool:
        return self.info.is_required() and not self.may_be_left_out

    @property
    def is_sensitive(self) -> bool:
        return is_sensitive(self.info)

    @property
    def default(self) -> Any:
        return None if self.info.is_required() else self.info.get_default(call_default_factory=True)


@dataclass(frozen=True)
class ArraySpec(Described):
    """A list of objects: each is a row with the same fields, numbered from 0."""

    name: str
    info: FieldInfo
    field_specs: tuple[FieldSpec, ...]
    most: int | None

    @property
    def is_required(self) -> bool:
        return self.info.is_required()

    @property
    def is_sensitive(self) -> bool:
        return any(spec.is_sensitive for spec in self.field_specs)


@dataclass(frozen=True)
class ObjectSpec:
    """An object within the model, or the model itself (its name is then empty)."""

    name: str
    info: FieldInfo | None
    items: tuple[FieldSpec | ArraySpec, ...]

    @property
    def title(self) -> str:
        return title_of(self.info, self.name.rpartition(".")[2]) if self.info else ""

    @property
    def description(self) -> str:
        return description_of(self.info) if self.info else ""


@cache
def object_specs(model: type[Model]) -> tuple[ObjectSpec, ...]:
    """Returns the model's own fields, then each object in it, in the order of declaration."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    own = ObjectSpec("", None, ())
    return tuple(_object_specs(model, schema, definitions, own, may_be_left_out=False))


def _object_specs(
    model: type[Model],
    schema: dict[str, Any],
    definitions: dict[str, Any],
    own: ObjectSpec,
    *,
    may_be_left_out: bool,
) -> Iterator[ObjectSpec]:
    """Yields those of a model with this schema; `definitions` are those of the models within it."""
    items: list[FieldSpec | ArraySpec] = []
    inner: list[ObjectSpec] = []
    for wire, info in fields(model):
        dotted = f"{own.name}.{wire}" if own.name else wire
        nested = submodel(info.annotation)
        limits = _limits(schema["properties"][wire])
        if nested is None:
            items.append(FieldSpec(dotted, info, limits, may_be_left_out))
        elif limits.get("type") == "array":
            items.append(
                ArraySpec(dotted, info, tuple(_field_specs(nested)), limits.get("maxItems"))
            )
        else:
            object_spec = ObjectSpec(dotted, info, ())
            is_optional = may_be_left_out or not info.is_required()
            inner += _object_specs(
                nested,
                definitions[nested.__name__],
                definitions,
                object_spec,
                may_be_left_out=is_optional,
            )
    if items:
        yield replace(own, items=tuple(items))
    yield from inner


def _field_specs(model: type[Model]) -> Iterator[FieldSpec]:
    for object_spec in object_specs(model):
        for item in object_spec.items:
            if isinstance(item, ArraySpec):
                raise TypeError(f"{model.__name__}.{item.name}: lists within lists have no form")
            yield item


def _limits(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of the value itself if the declaration allows None beside it."""
    choices = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    return {**schema, **choices[0]} if len(choices) == 1 else schema


def _plain_types(annotation: Any) -> Iterator[Any]:
    if annotation is type(None):
        return
    if hasattr(annotation, "__metadata__"):
        yield from _plain_types(annotation.__origin__)
    elif isinstance(annotation, type) or getattr(annotation, "__origin__", None) is list:
        yield annotation
    else:
        for argument in get_args(annotation):
            yield from _plain_types(argument)


def _annotated(annotation: object) -> Iterator[Any]:
    yield from getattr(annotation, "__metadata__", ())
    for argument in get_args(annotation):
        yield from _annotated(argument)
