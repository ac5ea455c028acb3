"""An object at two points in time, as far as the audit trail knows what it was then."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from portal.access.audit import entries_for
from portal.access.audit.changes import ChangeLine, flat, meaning_of
from portal.access.models import AuditEntry, Outcome
from portal.access.scope import Scope
from portal.access.undo.recorded import OPERATIONS
from portal.access.undo.values import is_same
from portal.contract.inverse import Opposite, Restores
from portal.contract.model import MASK

MOST = 2_000  # changes of an object that are looked at

_UNKNOWN = object()
# The reading that reports a field, or the operation that sets what none reports; and its name.
_Key = tuple[str, str]


@dataclass(frozen=True)
class FieldDifference:
    """A field whose value is another one; empty words stand for no value, unless it is not known.

    `last` is who changed it last in between.
    """

    title: str
    earlier: str
    later: str
    last: ChangeLine
    is_earlier_known: bool = True
    is_later_known: bool = True


@dataclass
class ObjectComparison:
    """Differences between two moments; `events` are acts in between beside changes of fields, and
    `doubtful` those whose outcome is open."""

    differences: list[FieldDifference] = field(default_factory=list)
    events: list[ChangeLine] = field(default_factory=list)
    doubtful: list[ChangeLine] = field(default_factory=list)


@dataclass
class _Values:
    """The value of a field after the earlier moment, if known, and after the later one."""

    operation: str
    earlier: Any = _UNKNOWN
    later: Any = _UNKNOWN
    last: AuditEntry | None = None


def compare(
    scope: Scope, family: str, object_id: str, earlier: int, later: int
) -> ObjectComparison:
    """The object after the entry `earlier`, and after the entry `later`."""
    found = entries_for(scope, family, object_id).filter(sequence__lte=later)
    entries = [*reversed(found[:MOST])]
    comparison, known = ObjectComparison(), dict[_Key, _Values]()
    for entry in entries:
        line = ChangeLine(entry)
        is_between = entry.sequence > earlier
        if line.end.outcome == Outcome.FAILED:
            continue
        if line.end.outcome != Outcome.DONE:
            if is_between:
                comparison.doubtful.append(line)
        elif not _note(known, entry, is_between=is_between) and is_between:
            comparison.events.append(line)
    comparison.differences = list(_differences(known))
    return comparison


def _note(known: dict[_Key, _Values], entry: AuditEntry, *, is_between: bool) -> bool:
    """Notes what the entry has set; False where it is not about fields."""
    operation = OPERATIONS.get(entry.operation)
    if operation is None or not isinstance(operation.inverse, Restores | Opposite):
        return False
    reads = isinstance(operation.inverse, Restores) and operation.before is not None
    before = dict(flat(entry.before or {}))
    for name, value in flat(entry.sent or {}):
        source = operation.before.name if reads and operation.before else operation.name
        values = known.setdefault((source, name), _Values(operation.name))
        sent = _UNKNOWN if value == MASK else value
        if not is_between:
            values.earlier = sent
            continue
        if values.last is None and values.earlier is _UNKNOWN:
            was = before.get(name, _UNKNOWN)
            values.earlier = _UNKNOWN if was == MASK else was
        values.later, values.last = sent, entry
    return True


def _differences(known: dict[_Key, _Values]) -> Iterable[FieldDifference]:
    for (_source, name), values in known.items():
        if values.last is None:
            continue
        is_known = _UNKNOWN not in (values.earlier, values.later)
        if is_known and is_same(values.earlier, values.later):
            continue
        meaning = meaning_of(values.operation, name)
        yield FieldDifference(
            meaning.title,
            "" if values.earlier is _UNKNOWN else meaning.say(values.earlier),
            "" if values.later is _UNKNOWN else meaning.say(values.later),
            ChangeLine(values.last),
            values.earlier is not _UNKNOWN,
            values.later is not _UNKNOWN,
        )
