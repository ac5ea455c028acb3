"""Undoing a change of values: each goes back unless it has changed since."""

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from pydantic import ValidationError

from portal.audit import trail
from portal.audit.changes import ChangeLine, flat, meaning_of
from portal.audit.models import AuditEntry
from portal.audit.undo.members import UndoneValue, UndoPlan, UnrestoredValue, find, is_same, nested
from portal.audit.undo.recorded import SECRET, RecordedWrite, has_secret, written
from portal.contract.inverse import Restores
from portal.contract.model import JsonDict, Model, fields, submodel
from portal.contract.operation import AnyOperation, Caller
from portal.translation import gettext as _, gettext_lazy

_UNKNOWN = gettext_lazy("The service did not report what it was before.")
_NONE = gettext_lazy("It had no value before, and cannot be cleared.")


def restore(write: RecordedWrite, caller: Caller) -> UndoPlan:
    """Returns the plan that restores values. Raises `ApiError` if the present state cannot be
    read."""
    reading = cast(AnyOperation, write.operation.before)
    read = caller(reading.call(*write.ids[: len(reading.path_parameters)]))
    before = own_state(write.before, write)
    now, plain = own_state(trail.state(read), write), own_state(read.sent(), write)
    if now is None or plain is None:
        return UndoPlan(left=[UnrestoredValue(_("All of it"), _("It is not there any more."))])
    restoration = _Restoration(write, dict(flat(before or {})), dict(flat(now)))
    for name, value in written(write):
        restoration.add(name, value)
    return restoration.plan(plain)


def own_state(state: JsonDict, write: RecordedWrite) -> JsonDict | None:
    """Returns the section of a state that a write is about; the state was read before it."""
    inverse, reading = write.operation.inverse, write.operation.before
    if isinstance(inverse, Restores) and inverse.within:
        return state.get(inverse.within) or {}
    if isinstance(inverse, Restores) and inverse.same:
        return find(state, inverse.same, write.sent.get(inverse.same))
    if reading is not None and len(reading.path_parameters) < len(write.ids):
        return find([*state.values()], "id", write.ids[-1])
    return state


class _Restoration:
    def __init__(
        self, write: RecordedWrite, before: Mapping[str, object], now: Mapping[str, object]
    ) -> None:
        self._write = write
        self._before, self._now = before, now
        self._read_as = cast(Restores, write.operation.inverse).read_as
        self._zone = str(write.sent.get("timezone") or now.get("timezone") or "")
        self._restored: dict[str, object] = {}
        self._left: list[UnrestoredValue] = []

    def add(self, name: str, sent: object) -> None:
        """Decides on one field that the write has sent."""
        meaning = meaning_of(self._write.operation.name, name)
        is_recorded, was = self._value(self._before, name)
        reported, now = self._value(self._now, name)
        if has_secret(sent) or has_secret(was):
            self._left.append(UnrestoredValue(meaning.title, SECRET))
        elif not is_recorded and not self._is_read(name):
            self._left.append(UnrestoredValue(meaning.title, _UNKNOWN))
        elif is_same(now, was, self._zone):
            return
        elif reported and not is_same(now, sent, self._zone):
            self._left.append(self._changed_since(name, meaning.title, meaning.say(now)))
        else:
            self._restored[name] = was if was is not None else ([] if isinstance(now, list) else "")

    def plan(self, present: dict[str, object]) -> UndoPlan:
        """Returns the plan of the restoration; `present` is the whole object as it is now, secrets
        too."""
        plan = UndoPlan(left=self._left)
        body = self._body(present)
        for name, value in self._restored.items():
            meaning = meaning_of(self._write.operation.name, name)
            now = self._value(self._now, name)[1]
            plan.back.append(UndoneValue(meaning.title, meaning.say(now), meaning.say(value)))
        if body is not None:
            plan.calls.append(self._write.operation.call(*self._write.ids, body))
        return plan

    def _body(self, present: dict[str, object]) -> Model | None:
        """The body that restores; what it does not take is left."""
        operation = self._write.operation
        model = cast(type[Model], operation.body)
        is_whole = operation.method == "PUT"
        while self._restored:
            data = nested(self._restored)
            for name, info in fields(model):
                if (info.is_required() or is_whole) and name not in data and name in present:
                    data[name] = present[name]
            if is_whole:  # all of it was reported, also what no document allows
                data = unknown_of(operation, present) | data
                return model.read(json.dumps(data).encode())
            try:
                return model.model_validate(data, extra="allow")
            except ValidationError as error:
                self._leave([".".join(map(str, one["loc"])) for one in error.errors()])
        return None

    def _leave(self, names: list[str]) -> None:
        """Leaves the fields that the body does not take; all of them where it is none of these."""
        refused = [
            name
            for name in self._restored
            if any(one == name or one.startswith(f"{name}.") for one in names)
        ]
        for name in refused or list(self._restored):
            value = self._restored.pop(name)
            meaning = meaning_of(self._write.operation.name, name)
            words = meaning.say(value)
            why = (
                _("It was “%(words)s” before, which cannot be set.") % {"words": words}
                if words
                else _NONE
            )
            self._left.append(UnrestoredValue(meaning.title, why))

    def _value(self, state: Mapping[str, object], name: str) -> tuple[bool, Any]:
        """Returns whether a state has a field, and its value."""
        other = self._read_as.get(name)
        if other is None:
            return name in state, state.get(name)
        return other in state, str(state.get(other) or "").rstrip("/").rpartition("/")[2]

    def _is_read(self, name: str) -> bool:
        """Returns whether the service reports a field if it has a value."""
        reading = self._write.operation.before
        returned = reading.returns if reading else None
        within = cast(Restores, self._write.operation.inverse).within
        if returned is not None and within:
            returned = submodel(dict(fields(returned))[within].annotation)
        return returned is not None and name in dict(fields(returned))

    def _changed_since(self, name: str, title: str, words: str) -> UnrestoredValue:
        entry = changed_by(self._write, lambda sent: name in sent)
        return changed(title, words, entry)


def unknown_of(operation: AnyOperation, state: Mapping[str, object]) -> JsonDict:
    """Returns the fields of a state that no document declares. What replaces or makes the whole
    sends them as they are."""
    reading = operation.before.returns if operation.before else None
    declared = {name for name, _info in fields(reading)} if reading else set(state)
    return {
        name: value
        for name, value in state.items()
        if name not in declared and not has_secret(value)
    }


def changed_by(
    write: RecordedWrite, did: Callable[[Mapping[str, object]], bool]
) -> AuditEntry | None:
    """Returns the last later entry of the same operation with matching sent values."""
    for entry in write.later:
        if entry.operation == write.operation.name and did(dict(flat(entry.sent or {}))):
            return entry
    return None


def changed(title: str, words: str, entry: AuditEntry | None) -> UnrestoredValue:
    """Returns that a value has changed since and stays."""
    if entry and words:
        why = _("Changed since to “%(words)s”, by %(person)s. It stays.")
    elif entry:
        why = _("Cleared since, by %(person)s. It stays.")
    elif words:
        why = _("Changed since to “%(words)s”, outside of Switchboard. It is not undone.")
    else:
        why = _("Cleared since, outside of Switchboard. It is not undone.")
    return UnrestoredValue(
        title, why % {"words": words, "person": ChangeLine(entry).by if entry else ""}, entry
    )
