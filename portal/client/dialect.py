"""Dialects: what a service calls otherwise than the document, as data.

A dialect is a TOML file whose keys are the document's names: `[paths]` says under which path what
is below another is, `[keys."family.operation"]` what fields of bodies and answers are called. It is
applied at the edge, so that all else knows the document's names alone. `[limits]` has the service's
limits by class, and `operations = "today"` says that its scopes and classes are those of today.
`[apart."family.operation"]` names lists that an answer has apart from the document's, on request.
`transfers` are the parameters of a removal by which a person leaves more than in the document,
`licences` the numbers of those licences of the document that the service gives.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic_core import from_json, to_json

from portal.contract import operations
from portal.contract.operation import AnyOperation, Call, Weight
from portal.contract.today import ASKED, Asked
from portal.contract.users import LicenceType, UserRemoval, UserRemovalToday

_LIMIT = re.compile(r"([1-9][0-9]{0,6})/([smd])")
_HOST, _TODAY = "host", "today"
_PATH = re.compile(r"(/[A-Za-z0-9_.~{}-]+)+")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_LARGEST_FILE = 64 * 1024
_TRANSFERS = UserRemovalToday.model_fields.keys() - UserRemoval.model_fields.keys()


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
    classes: tuple[tuple[str, Weight], ...] = ()  # of operations, where they are not as declared

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
class ListedApart:
    """Records of an answer that a service lists apart, on request: each of the `lists`, with the
    `action` that its records have in the document's list."""

    into: str
    lists: Mapping[str, str]

    def joined(self, document: Any) -> Any:
        """Returns an answer with all records in the document's list; one that is listed both
        there and apart is there once, as it is apart."""
        if not isinstance(document, dict) or not isinstance(document.get(self.into), list):
            return document
        apart = [
            {**record, "action": record.get("action") or action}
            for name, action in self.lists.items()
            for record in document.get(name) or ()
            if isinstance(record, dict)
        ]
        ids = {record["id"] for record in apart if record.get("id")}
        kept = [
            one
            for one in document[self.into]
            if not (isinstance(one, dict) and one.get("id") in ids)
        ]
        beside = {name: value for name, value in document.items() if name not in self.lists}
        return {**beside, self.into: [*kept, *apart]}


@dataclass(frozen=True)
class Dialect:
    """The names of a service, and its limits. Without any the names are the document's."""

    title: str = ""
    paths: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    limits: ClassLimits = UNKNOWN
    asked: Mapping[str, Asked] = field(default_factory=dict)  # for an operation, by its name
    apart: Mapping[str, ListedApart] = field(default_factory=dict)
    licences: tuple[LicenceType, ...] = tuple(LicenceType)  # that people can be given
    transfers: tuple[str, ...] = ()  # what a removed person can leave, beside the document's

    def path_of(self, call: Call[object]) -> str:
        """Returns the path of a call, by the longest path that is called otherwise."""
        template = call.operation.path
        for own in sorted(self.paths, key=len, reverse=True):
            if template == own or template.startswith(f"{own}/"):
                return call.filled(self.paths[own] + template.removeprefix(own))
        return call.path

    def parameters(self, call: Call[object]) -> dict[str, str]:
        """Returns the query of a call, with what the service has to be asked for beside."""
        apart = self.apart.get(call.operation.name)
        asked = {"include_fields": ",".join(apart.lists)} if apart else {}
        return {**call.parameters, **asked}

    def sent(self, operation: AnyOperation, document: object) -> Any:
        """Returns a body with the service's names."""
        return _renamed(document, self.keys.get(operation.name, {}))

    def received(self, operation: AnyOperation, content: bytes) -> bytes:
        """Returns the content of an answer with the document's names."""
        names, apart = self.keys.get(operation.name, {}), self.apart.get(operation.name)
        if not names and not apart:
            return content
        try:
            document = from_json(content)
        except ValueError:
            return content
        if apart:
            document = apart.joined(document)
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
    asked = ASKED if given.get("operations") == _TODAY else {}
    limits = replace(limits, classes=tuple((name, one.weight) for name, one in asked.items()))
    title, paths, keys = given.get("title", ""), given.get("paths", {}), given.get("keys", {})
    if not isinstance(title, str) or not _are_names(paths, _PATH) or not isinstance(keys, dict):
        raise NoDialect(f"{path.name}: no title, paths, keys")  # untranslated: for the log
    operation_names = {operation.name for operation in operations()}
    for name, fields in keys.items():
        if name not in operation_names or not _are_names(fields, _NAME):
            raise NoDialect(f"{path.name}: {name} is not known")  # untranslated: for the log
    apart = {
        name: ListedApart(str(one["into"]), dict(one["lists"]))
        for name, one in given.get("apart", {}).items()
        if name in operation_names
    }
    transfers = given.get("transfers", [])
    if not isinstance(transfers, list) or not _TRANSFERS.issuperset(map(str, transfers)):
        raise NoDialect(f"{path.name}: transfers")  # untranslated: for the log
    try:
        licences = tuple(map(LicenceType, given.get("licences", LicenceType)))
    except (TypeError, ValueError):
        raise NoDialect(f"{path.name}: licences") from None  # untranslated: for the log
    return Dialect(
        title or path.stem, paths, keys, limits, asked, apart, licences, tuple(transfers)
    )


def _are_names(given: object, form: re.Pattern[str]) -> bool:
    return isinstance(given, dict) and all(
        isinstance(value, str) and form.fullmatch(own) and form.fullmatch(value)
        for own, value in given.items()
    )


def _renamed(document: object, names: Mapping[str, str]) -> Any:
    """Returns a document with other keys, at any depth. A renamed field goes before one that has
    its new name already: services that renamed a field may answer with both."""
    if not names:
        return document
    if isinstance(document, dict):
        taken = {names[name] for name in document if name in names}
        return {
            names.get(name, name): _renamed(value, names)
            for name, value in document.items()
            if name in names or name not in taken
        }
    if isinstance(document, list):
        return [_renamed(each, names) for each in document]
    return document
