"""Later entries of the trail that leave an undo nothing to restore."""

from collections import defaultdict
from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from portal.audit.changes import flat
from portal.audit.models import AuditEntry, Outcome
from portal.audit.undo.members import is_same
from portal.audit.undo.recorded import RecordedWrite, has_secret, obstacle, recorded, written
from portal.contract.inverse import NoWayBack, Opposite, Recreates, Restores
from portal.contract.operation import AnyOperation
from portal.translation import gettext_lazy

_DELETED = gettext_lazy("It was deleted since.")
_CHANGED = gettext_lazy("What it changed was changed again since.")
_MOST = 2000  # later entries that are looked at for a page of lines
Object = tuple[str, str, str]  # the key of a connection, a family and an id


def obstacles_of(entries: Collection[AuditEntry]) -> dict[int, str]:
    """Returns why each entry, by its number, cannot be undone, by the trail alone with the later
    entries of the same object; empty for one that can."""
    result = {entry.sequence: obstacle(entry) for entry in entries}
    possible = [entry for entry in entries if not result[entry.sequence]]
    writes = [write for write in map(recorded, possible) if write and write.end.object_id]
    later = _later(writes)
    for write in writes:
        since = [
            one for one in later[_object_of(write)] if one.entry.sequence > write.entry.sequence
        ]
        if any(_deletes(one, write) for one in since):
            result[write.entry.sequence] = str(_DELETED)
        elif _is_changed(write, since):
            result[write.entry.sequence] = str(_CHANGED)
    return result


def _number(write: RecordedWrite) -> int:
    return write.entry.sequence


def _object_of(write: RecordedWrite) -> Object:
    return write.entry.connection_key, write.end.family or write.entry.family, write.end.object_id


def _later(writes: Collection[RecordedWrite]) -> dict[Object, list[RecordedWrite]]:
    """Returns the later done writes of the objects of these, newest first, by one query."""
    result: dict[Object, list[RecordedWrite]] = defaultdict(list)
    first = {
        _object_of(write): write.entry.sequence
        for write in sorted(writes, key=_number, reverse=True)
    }
    if not first:
        return result
    objects = (
        Q(connection_key=key, family=family, object_id=object_id, sequence__gt=sequence)
        for (key, family, object_id), sequence in first.items()
    )
    found = AuditEntry.objects.filter(reduce(or_, objects), intent=None, path__gt="")
    found = found.filter(answer__outcome=Outcome.DONE).select_related("answer")
    for write in filter(None, map(recorded, found[:_MOST])):
        result[write.entry.connection_key, write.entry.family, write.entry.object_id].append(write)
    return result


def _deletes(later: RecordedWrite, write: RecordedWrite) -> bool:
    """Returns whether a later write has deleted the object, or the child of it, of a write."""
    if not _is_deletion(later.operation) or "occurrence_id" in later.sent:
        return False
    if len(later.ids) == 1:
        return True
    return _path_of(later) == _path_of(write) or _path_of(write).startswith(f"{_path_of(later)}/")


def _is_deletion(operation: AnyOperation) -> bool:
    """Returns whether the operation deletes what its path names, for good."""
    is_final = isinstance(operation.inverse, NoWayBack | Recreates)
    return operation.method == "DELETE" and operation.path.endswith("}") and is_final


def _path_of(write: RecordedWrite) -> str:
    return write.end.path.partition(" ")[2]


def _is_changed(write: RecordedWrite, later: Collection[RecordedWrite]) -> bool:
    """Returns whether all that a write has changed was changed again by later writes of the same
    operation, to other values."""
    inverse = write.operation.inverse
    same = [
        one
        for one in later
        if one.operation == write.operation and one.entry.path == write.entry.path
    ]
    if isinstance(inverse, Opposite):
        return bool(same)
    if not isinstance(inverse, Restores):
        return False
    if inverse.same:
        own = write.sent.get(inverse.same)
        same = [one for one in same if is_same(one.sent.get(inverse.same), own)]
    now: dict[str, Any] = {}
    for one in same:
        now = dict(written(one)) | now
    before = dict(flat(write.before))
    changed = {
        name: value
        for name, value in written(write)
        if not has_secret(value)
        and (name in inverse.read_as or not is_same(value, before.get(name)))
    }
    return bool(changed) and all(
        name in now and not is_same(now[name], value) for name, value in changed.items()
    )
