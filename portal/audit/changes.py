"""An entry as people read it: each field by its title, with what it was and what it was set to."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args
from urllib.parse import unquote

from django.utils.translation import get_language

from portal.access.models import label_of
from portal.access.roles import Role, is_custom
from portal.access.sign_in_methods import Method
from portal.audit import wording
from portal.audit.acts import Act
from portal.audit.models import AuditEntry, Outcome
from portal.audit.titles import title_of as title_of_entry
from portal.contract import FAMILIES, OPERATIONS
from portal.contract.choices import NumberChoice, TextChoice
from portal.contract.model import MASK, JsonDict, Model, fields, submodel, title_of
from portal.contract.operation import AnyOperation
from portal.translation import gettext as _, gettext_lazy, within
from portal.translation.stored import in_english

_SHOWN = 2  # changes of an entry that a list shows
COLUMNS = {
    "number": gettext_lazy("Number"),
    "time": gettext_lazy("Time"),
    "email": gettext_lazy("Email"),
    "approved_by": gettext_lazy("Approved by"),
    "elevated_to": gettext_lazy("Elevated to"),
    "ip": gettext_lazy("IP address"),
    "connection": gettext_lazy("Connection"),
    "operation": gettext_lazy("Operation"),
    "what": gettext_lazy("Action"),
    "object": gettext_lazy("Object"),
    "object_id": gettext_lazy("Object ID"),
    "path": gettext_lazy("Address"),
    "outcome": gettext_lazy("Outcome"),
    "status": gettext_lazy("Status code"),
    "message": gettext_lazy("Message"),
    "sent": gettext_lazy("Sent"),
    "before": gettext_lazy("Before"),
    "request_id": gettext_lazy("Request ID"),
    "undoes": gettext_lazy("Undoes number"),
}


@dataclass(frozen=True)
class AuditChange:
    """One field. `before` is empty if the field was empty, or, unless `is_recorded`, if that is not
    recorded. `is_sent` is false for a field with an earlier value alone."""

    title: str
    before: str
    after: str = ""
    is_recorded: bool = True
    is_sent: bool = True
    is_removed: bool = False


@dataclass(frozen=True)
class ChangeLine:
    """An entry with its end, in words."""

    entry: AuditEntry

    @property
    def end(self) -> AuditEntry:
        """Returns the entry that records the outcome, or the entry itself if there is none."""
        end: AuditEntry = getattr(self.entry, "answer", self.entry)
        return end

    @property
    def title(self) -> str:
        """Returns what was done, "Changed a profile"; of what was not, or is not known to be, what
        was to be done, "Change a profile"."""
        return title_of_entry(self.entry, self.end.outcome)

    @property
    def event(self) -> str:
        """Returns the title, with the outcome of what is not known to be done."""
        if self.is_done:
            return self.title
        return _("%(title)s: %(outcome)s") % {
            "title": self.title,
            "outcome": within(self.outcome[1]),
        }

    @property
    def is_done(self) -> bool:
        return self.end.outcome == Outcome.DONE

    @property
    def object(self) -> str:
        title: str = getattr(self.entry, "title_in_words", "")
        return title or self.end.object_label or self.end.object_id

    @property
    def by(self) -> str:
        """Returns the name of the user, or the address if there is no name."""
        if self.entry.actor is not None and self.entry.actor.name:
            return self.entry.actor.name
        if self.entry.email:
            return self.entry.email
        return _("Unknown") if self.entry.ip else _("Switchboard")

    @property
    def outcome(self) -> tuple[str, str]:
        """Returns one of the five states, and a word."""
        match self.end.outcome:
            case Outcome.DONE:
                return "good", _("Done")
            case Outcome.FAILED:
                return "bad", _("Failed")
            case _:
                return "warning", _("Outcome unknown")

    @property
    def message(self) -> str:
        """Returns the reason of a failure, in the words of the service or the portal."""
        return wording.shown(self.end.message)

    @property
    def receipt(self) -> str:
        """Returns the address of the receipt of an offboarding; empty for all other entries."""
        return str((self.entry.sent or {}).get("receipt", "")) if _has_receipt(self.entry) else ""

    @property
    def undoes(self) -> int | None:
        """Returns the number of the entry that this one undoes."""
        return self.entry.undoes_id

    @property
    def changes(self) -> list[AuditChange]:
        """Returns the values that were sent, or removed."""
        return list(_changes(self.entry))

    @property
    def first_changes(self) -> list[AuditChange]:
        return self.changes[:_SHOWN]

    @property
    def more_changes(self) -> int:
        return max(len(self.changes) - _SHOWN, 0)


def changes(entry: AuditEntry) -> list[AuditChange]:
    """Returns all that an entry contains: the sent values in their order, then other earlier
    values."""
    meanings = _meanings_of(entry.operation, get_language())
    before, sent = dict(flat(entry.before or {})), dict(_sent(entry))
    results = []
    for name in (*sent, *(name for name in before if name not in sent)):
        meaning = meanings.get(name) or _own(name)
        old, new = meaning.say(before.get(name), name), meaning.say(sent.get(name), name)
        results.append(AuditChange(meaning.title, old, new, name in before, name in sent))
    return results


def meaning_of(operation: str, name: str) -> "FieldMeaning":
    """Returns the meaning of an operation's field, by its dotted name."""
    return _meanings_of(operation, get_language()).get(name) or _own(name)


def _changes(entry: AuditEntry) -> Iterator[AuditChange]:
    meanings = _meanings_of(entry.operation, get_language())
    operation = OPERATIONS.get(entry.operation)
    before = dict(flat(entry.before or {}))
    for name, value in _sent(entry):
        meaning = meanings.get(name) or _own(name)
        # What is added stands beside what was there before, it does not replace it.
        adds = operation is not None and operation.method == "POST"
        old = None if adds else before.get(name)
        before_words, words = meaning.say(old, name), meaning.say(value, name)
        if words and words == before_words and words != MASK:  # a secret is set anew unseen
            continue
        if words or before_words or name in before:  # nothing where there was nothing is no change
            yield AuditChange(meaning.title, before_words, words, name in before)
    if operation and operation.method == "DELETE" and operation.query is None:
        yield from _removed(operation, entry, before, meanings)


def _sent(entry: AuditEntry) -> Iterator[tuple[str, Any]]:
    """Yields the sent values, by dotted names; the address of a receipt is a link, no change."""
    for name, value in flat(entry.sent or {}):
        is_kind = name == "kind" and entry.operation == Act.JOB_DRAFTED  # its title says it
        if not is_kind and not (name == "receipt" and _has_receipt(entry)):
            yield name, value


def _has_receipt(entry: AuditEntry) -> bool:
    return entry.operation == Act.PERSON_OFFBOARDED


def _removed(
    operation: AnyOperation,
    entry: AuditEntry,
    before: JsonDict,
    meanings: "Mapping[str, FieldMeaning]",
) -> Iterator[AuditChange]:
    for name, value in before.items():
        meaning = meanings.get(name) or _own(name)
        gone = meaning.say(_one_of(value, entry.path) if name == "assistants" else value)
        # The interface calls the array `assistants` for both.
        words = _("Schedulers") if operation.family == "schedulers" else meaning.title
        yield AuditChange(words, gone, is_sent=False, is_removed=True)


def _one_of(delegates: list[JsonDict], path: str) -> list[JsonDict]:
    """Returns the delegate that the path ends with, or all of them."""
    last = unquote(path.rpartition("/")[2])
    return [one for one in delegates if last in one.values()] or delegates


@dataclass(frozen=True)
class FieldMeaning:
    """The title of a field, and the titles of its values if they are of a fixed set."""

    title: str
    labels: dict[Any, str] = field(default_factory=dict)

    def say(self, value: object, name: str = "") -> str:
        if words := wording.in_words(name, value):
            return words
        if isinstance(value, list):
            return ", ".join(self.say(item) for item in value)
        is_plain = isinstance(value, str | int) and not isinstance(value, bool)
        label = self.labels.get(value) if is_plain else None
        return label or _in_words(value)


class _StoredWords(FieldMeaning):
    """A value that is stored as words, such as a role's need of a second factor."""

    def say(self, value: object, name: str = "") -> str:
        return wording.shown(super().say(value, name))


class _RoleMeaning(FieldMeaning):
    """A role by its name, also one that was deleted since."""

    def say(self, value: object, name: str = "") -> str:
        is_role = isinstance(value, str) and (value in Role.values or is_custom(value))
        return label_of(str(value)) if is_role else super().say(value, name)


class _RightsMeaning(FieldMeaning):
    """The rights of a defined role, as names such as `webinars.read`."""

    def say(self, value: object, name: str = "") -> str:
        if not isinstance(value, list):
            return super().say(value, name)
        effects: dict[str, list[str]] = {}
        for one in map(str, value):
            family, _dot, effect = one.partition(".")
            effects.setdefault(family, []).append(str(wording.EFFECTS.get(effect, effect)))
        families = {family.name: str(family.title) for family in FAMILIES}
        return "; ".join(
            f"{families.get(family, family)}: {', '.join(each)}" for family, each in effects.items()
        )


def _own(name: str) -> FieldMeaning:
    """Returns the meaning of a field that no operation declares, such as one of the portal's own
    changes."""
    if name == "role":
        return _RoleMeaning(_("Role"))
    if name == "rights":
        return _RightsMeaning(_("Rights"))
    if name == "signed_in_by":
        return FieldMeaning(_("Method"), {method.value: str(method.label) for method in Method})
    if name == "what":  # which change was asked for, among others
        return _StoredWords(wording.title(name), _summaries(get_language()))
    if name == "reason":  # of a person, or why a change has lapsed
        return _StoredWords(wording.title(name))
    if name == "operations":  # those of a share, or those that need approval
        named = {operation.name: operation.summary for operation in OPERATIONS.values()}
        return FieldMeaning(wording.title(name), named)
    if name in Role.values:
        return _StoredWords(str(Role(name).label))
    return FieldMeaning(": ".join(wording.title(segment) for segment in name.split(".")))


@cache
def _summaries(_language: str) -> dict[Any, str]:
    """Returns the titles of operations in one language, by their English words."""
    return {operation.words: operation.summary for operation in OPERATIONS.values()}


@cache
def _meanings_of(name: str, _language: str) -> Mapping[str, FieldMeaning]:
    """Returns the meanings of an operation's fields, in one language."""
    operation = OPERATIONS.get(name)
    meanings: dict[str, FieldMeaning] = {}
    if operation:
        reading = operation.before and operation.before.returns
        for model in (reading, operation.query, operation.body):
            meanings |= dict(_meanings(model)) if model else {}
    return meanings


def _meanings(
    model: type[Model], start: str = "", group: str = ""
) -> Iterator[tuple[str, FieldMeaning]]:
    for name, info in fields(model):
        own = title_of(info, name)
        yield f"{start}{name}", FieldMeaning(f"{group}{own}", dict(_labels(info.annotation)))
        inner = submodel(info.annotation)
        if inner:
            yield from _meanings(inner, f"{start}{name}.", f"{own}: " if info.title else "")


def _labels(annotation: object) -> Iterator[tuple[Any, str]]:
    if isinstance(annotation, type) and issubclass(annotation, TextChoice | NumberChoice):
        yield from ((member.value, member.label) for member in annotation)
    for argument in get_args(annotation):
        yield from _labels(argument)


def flat(value: Mapping[str, object], start: str = "") -> Iterator[tuple[str, Any]]:
    """Yields the fields by their dotted names."""
    for name, item in value.items():
        if isinstance(item, dict) and item:
            yield from flat(item, f"{start}{name}.")
        else:
            yield f"{start}{name}", item


def _in_words(value: object) -> str:
    if value in (None, "", [], {}):
        return ""
    if isinstance(value, bool):
        return _("On") if value else _("Off")
    if isinstance(value, list):
        return ", ".join(_in_words(item) for item in value)
    if isinstance(value, dict) and value.get("email"):
        return str(value["email"])
    if isinstance(value, dict):
        return " ".join(_in_words(item) for item in value.values() if item)
    return str(value)


def as_json_lines(entries: Iterable[AuditEntry]) -> Iterator[str]:
    for entry in entries:
        yield json.dumps(row(entry), ensure_ascii=False) + "\n"


def row(entry: AuditEntry) -> JsonDict:
    """Returns one line of the trail, its end included."""
    line = ChangeLine(entry)
    end = line.end
    with in_english():  # as all else in the export, for every reader
        what = line.title
    return {
        "number": entry.sequence,
        "time": entry.time.isoformat(),
        "email": entry.email,
        "approved_by": entry.approved_by,
        "elevated_to": entry.get_elevated_to_display(),
        "ip": entry.ip,
        "connection": entry.connection_name,
        "operation": entry.operation,
        "what": what,
        "object": end.object_label,
        "object_id": end.object_id,
        "path": entry.path,
        "outcome": end.outcome if end.outcome != Outcome.BEGUN else Outcome.UNKNOWN,
        "status": end.status,
        "message": end.message,
        "sent": entry.sent,
        "before": entry.before,
        "request_id": entry.request_id,
        "undoes": entry.undoes_id,
    }
