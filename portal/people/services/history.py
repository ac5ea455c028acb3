"""What was done to a person through this portal, each change with what it was before."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, get_args
from urllib.parse import unquote

from portal.access.audit import acts
from portal.access.models import AuditEntry, Outcome
from portal.contract import operations
from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import Model, fields, submodel

_OPERATIONS = {operation.name: operation for operation in operations()}
_STATES = {
    Outcome.DONE: "good",
    Outcome.FAILED: "bad",
    Outcome.UNKNOWN: "warning",
    Outcome.BEGUN: "warning",
}


@dataclass(frozen=True)
class Change:
    """One value that was sent, and the one that stood there where that is known."""

    title: str
    before: str
    after: str
    is_removed: bool = False


@dataclass(frozen=True)
class Line:
    """One change to the person, as the history lists it."""

    entry: AuditEntry
    title: str
    outcome: str
    state: str
    message: str
    changes: list[Change]


def lines(entries: Iterable[AuditEntry]) -> Iterator[Line]:
    """Audit entries in words; `entries` come from `portal.access.audit.entries_for`."""
    for entry in entries:
        result = Outcome(entry.result)  # type: ignore[attr-defined]
        answer = getattr(entry, "answer", None)
        yield Line(
            entry,
            acts.title(entry.operation),
            result.label,
            _STATES[result],
            answer.message if answer else entry.message,
            list(_changes(entry)),
        )


def _changes(entry: AuditEntry) -> Iterator[Change]:
    operation = _OPERATIONS.get(entry.operation)
    if operation is None:
        return
    known: dict[str, _Meaning] = {}
    for model in (operation.query, operation.body, operation.before and operation.before.returns):
        known |= dict(_meanings(model)) if model else {}
    before = dict(_flat(entry.before or {}))
    for name, value in _flat(entry.sent or {}):
        meaning = known.get(name, _Meaning(name))
        # What is added stands beside what was there before, it does not replace it.
        old = before.get(name) if operation.method != "POST" else None
        yield Change(meaning.title, meaning.say(old), meaning.say(value))
    if operation.method == "DELETE" and operation.query is None:
        for name, value in before.items():
            meaning = known.get(name, _Meaning(name))
            gone = meaning.say(_one_of(value, entry.path) if name == "assistants" else value)
            # The interface calls the array `assistants` for both.
            title = "Schedulers" if operation.family == "schedulers" else meaning.title
            yield Change(title, gone, "", is_removed=True)


def _one_of(delegates: list[dict[str, Any]], path: str) -> list[dict[str, Any]]:
    """The delegate that the path ends with, or all of them."""
    last = unquote(path.rpartition("/")[2])
    return [one for one in delegates if last in one.values()] or delegates


@dataclass(frozen=True)
class _Meaning:
    """What a field is called, and what its values are called where they are of a fixed set."""

    title: str
    labels: dict[Any, str] = field(default_factory=dict)

    def say(self, value: Any) -> str:
        known = self.labels.get(value) if _is_plain(value) else None
        return known or _in_words(value)


def _meanings(
    model: type[Model], start: str = "", group: str = ""
) -> Iterator[tuple[str, _Meaning]]:
    for name, info in fields(model):
        own = info.title or name
        yield f"{start}{name}", _Meaning(f"{group}{own}", dict(_labels(info.annotation)))
        inner = submodel(info.annotation)
        if inner:
            yield from _meanings(inner, f"{start}{name}.", f"{own}: ")


def _labels(annotation: Any) -> Iterator[tuple[Any, str]]:
    if isinstance(annotation, type) and issubclass(annotation, TextChoice | NumberChoice):
        yield from ((member.value, member.label) for member in annotation)
    for part in get_args(annotation):
        yield from _labels(part)


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _flat(value: dict[str, Any], start: str = "") -> Iterator[tuple[str, Any]]:
    for name, item in value.items():
        if isinstance(item, dict):
            yield from _flat(item, f"{start}{name}.")
        else:
            yield f"{start}{name}", item


def _in_words(value: Any) -> str:
    if value in (None, "", []):
        return ""
    if isinstance(value, bool):
        return "On" if value else "Off"
    if isinstance(value, list):
        return ", ".join(_in_words(item) for item in value)
    if isinstance(value, dict) and value.get("email"):
        return str(value["email"])
    if isinstance(value, dict):
        return " ".join(_in_words(item) for item in value.values() if item)
    return str(value)
