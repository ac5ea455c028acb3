"""Guards that forbid single writes: a recording on hold, for example, cannot be deleted by anyone.

It is decided in the transaction that records the intent of a write, while the end of the audit
trail is locked. Whoever forbids something locks it too, by recording that, and then looks with
`under_way` for writes that have been let through: so neither slips past the other.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from portal.access.audit import chain
from portal.access.models import AuditEntry, Outcome
from portal.client import ApiError

# From the intent of a write to why it is forbidden; mostly empty.
Guard = Callable[[AuditEntry], str]
_guards: dict[str, Guard] = {}
# After that time a write without an end has lost its process.
_LONGEST = timedelta(minutes=5)


class Protected(ApiError):
    """Something of the portal's own forbids the write: nothing was sent."""

    def _leaves_open(self) -> bool:
        return False


class Forbidden(Exception):
    """A guard forbids the write whose intent was to be recorded; the text says why."""


def register(guards: Mapping[str, Guard]) -> None:
    """Asks these guards before the operations of these names."""
    _guards.update(guards)


def judge(*entries: AuditEntry) -> None:
    """Asks the guards of these intents; those that are forbidden are failures from now on.

    Called in the transaction that appends the entries.
    """
    guarded = [entry for entry in entries if entry.operation in _guards and _is_intent(entry)]
    if not guarded:
        return
    chain.lock()
    for entry in guarded:
        words = _guards[entry.operation](entry)
        if words:
            entry.outcome, entry.message = Outcome.FAILED, words


def refusal_of(entry: AuditEntry) -> str:
    """Why `judge` has forbidden this intent; empty where it has not."""
    is_refused = entry.outcome == Outcome.FAILED and entry.intent_id is None
    return entry.message if is_refused else ""


def under_way(operations: Collection[str], **fields: object) -> QuerySet[AuditEntry]:
    """Writes of these operations that were let through, and whose end is not recorded yet."""
    return AuditEntry.objects.filter(
        operation__in=list(operations),
        outcome=Outcome.BEGUN,
        answer=None,
        time__gt=timezone.now() - _LONGEST,
        **fields,
    )


def _is_intent(entry: AuditEntry) -> bool:
    return entry.outcome == Outcome.BEGUN and entry.intent_id is None
