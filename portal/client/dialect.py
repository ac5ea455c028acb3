"""Dialects: what a service calls otherwise than the document, as data.

A dialect is a TOML file whose keys are the document's names: `[paths]` says under which path what
is below another is, `[keys."family.operation"]` what fields of bodies and answers are called. It is
applied at the edge, so that all else knows the document's names alone. `[limits]` has the service's
limits by class (`portal.client.dialect`).
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_core import from_json, to_json

from portal.contract import operations
from portal.contract.operation import AnyOperation, Call, Weight

_LIMIT = re.compile(r"([1-9][0-9]{0,6})/([smd])")
_HOST = "host"
_PATH = re.compile(r"(/[A-Za-z0-9_.~{}-]+)+")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_LARGEST_FILE = 64 * 1024


@dataclass(frozen=True)
class DayLimit:
    """Requests of some classes together, from 00:00 to 24:00 UTC."""

    weights: tuple[Weight, ...]
    requests: int

    @property
    def name(self) -> str:
        return "+".join(self.weights)


@dataclass(frozen=True)
class ClassLimits:
    """The limits of a service; without any, all of its operations share one that is learned."""

    seconds: tuple[tuple[Weight, int], ...] = ()
    minutes: tuple[tuple[Weight, int], ...] = ()
    days: tuple[DayLimit, ...] = ()
    host_a_day: int | None = None

    def __bool__(self) -> bool:
        return bool(self.seconds or self.minutes)

    def a_second(self, weight: Weight) -> int | None:
        return dict(self.seconds).get(weight)

    def a_minute(self, weight: Weight) -> int | None:
        return dict(self.minutes).get(weight)

    def a_day(self, weight: Weight) -> DayLimit | None:
        return next((one for one in self.days if weight in one.weights), None)

    def together_with(self, weight: Weight) -> tuple[Weight, ...]:
        """Returns the classes that are used up for a day together with this one."""
        shared = self.a_day(weight)
        return shared.weights if shared else (weight,)


UNKNOWN = ClassLimits()


def class_limits(given: object) -> ClassLimits:
    """Reads `[limits]`. Raises `ValueError`."""
    if not isinstance(given, dict):
        raise ValueError("limits is no table")  # untranslated: for the log
    results: dict[str, list[tuple[tuple[Weight, ...], int]]] = {"s": [], "m": [], "d": []}
    host = None
    for name, text in given.items():
        limit = _LIMIT.fullmatch(text) if isinstance(text, str) else None
        if limit is None or (name == _HOST and limit[2] != "d"):
            raise ValueError(f"limits: {name}")  # untranslated: for the log
        if name == _HOST:
            host = int(limit[1])
            continue
        weights = tuple(Weight(weight) for weight in name.split("+"))
        if limit[2] != "d" and len(weights) > 1:
            raise ValueError(f"limits: {name}")  # untranslated: for the log
        results[limit[2]].append((weights, int(limit[1])))
    return ClassLimits(
        tuple((weights[0], requests) for weights, requests in results["s"]),
        tuple((weights[0], requests) for weights, requests in results["m"]),
        tuple(DayLimit(weights, requests) for weights, requests in results["d"]),
        host,
    )


class NoDialect(Exception):
    """The file is none, with why."""


@dataclass(frozen=True)
class Dialect:
    """The names of a service, and its limits. Without any the names are the document's."""

    title: str = ""
    paths: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    limits: ClassLimits = UNKNOWN

    def path_of(self, call: Call[object]) -> str:
        """Returns the path of a call, by the longest path that is called otherwise."""
        template = call.operation.path
        for own in sorted(self.paths, key=len, reverse=True):
            if template == own or template.startswith(f"{own}/"):
                return call.filled(self.paths[own] + template.removeprefix(own))
        return call.path

    def sent(self, operation: AnyOperation, document: object) -> Any:
        """Returns a body with the service's names."""
        return _renamed(document, self.keys.get(operation.name, {}))

    def received(self, operation: AnyOperation, content: bytes) -> bytes:
        """Returns the content of an answer with the document's names."""
        names = self.keys.get(operation.name)
        if not names:
            return content
        try:
            document = from_json(content)
        except ValueError:
            return content
        return to_json(_renamed(document, {theirs: own for own, theirs in names.items()}))


AS_DOCUMENTED = Dialect()


def read_dialect(path: Path) -> Dialect:
    """Raises `NoDialect`."""
    try:
        text = path.read_bytes()
        if len(text) > _LARGEST_FILE:
            raise NoDialect(f"{path.name} is too large.")  # untranslated: for the log
        given = tomllib.loads(text.decode())
        limits = class_limits(given.get("limits", {}))
    except (OSError, ValueError) as error:
        raise NoDialect(f"{path.name}: {error}") from None  # untranslated: for the log
    title, paths, keys = given.get("title", ""), given.get("paths", {}), given.get("keys", {})
    if not isinstance(title, str) or not _are_names(paths, _PATH) or not isinstance(keys, dict):
        raise NoDialect(f"{path.name}: no title, paths, keys")  # untranslated: for the log
    operation_names = {operation.name for operation in operations()}
    for name, fields in keys.items():
        if name not in operation_names or not _are_names(fields, _NAME):
            raise NoDialect(f"{path.name}: {name} is not known")  # untranslated: for the log
    return Dialect(title or path.stem, paths, keys, limits)


def _are_names(given: object, form: re.Pattern[str]) -> bool:
    return isinstance(given, dict) and all(
        isinstance(value, str) and form.fullmatch(own) and form.fullmatch(value)
        for own, value in given.items()
    )


def _renamed(document: object, names: Mapping[str, str]) -> Any:
    if not names:
        return document
    if isinstance(document, dict):
        return {names.get(name, name): _renamed(value, names) for name, value in document.items()}
    if isinstance(document, list):
        return [_renamed(each, names) for each in document]
    return document
