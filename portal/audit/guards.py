"""Guards that forbid single writes: a recording on hold, for example, cannot be deleted.

A guard decides in the transaction that records the intent of a write, while it shares the order of
the audit trail. Code that forbids something locks that order, by recording it, and then looks with
`let_through` for earlier writes: so neither slips past the other.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta

from django.db.models import QuerySet

from portal.access.grants import connections_of
from portal.access.models import ApprovalRule, Connection
from portal.audit import chain, wording
from portal.audit.acts import title
from portal.audit.models import AuditEntry, Outcome
from portal.audit.reading import undone_by
from portal.client import ApiError
from portal.config import clock
from portal.translation.stored import in_english

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
    """A write that a guard forbids before its intent is recorded; the text says why."""


def register(guards: Mapping[str, Guard]) -> None:
    """Asks these guards before the operations of these names."""
    _guards.update(guards)


def judge(*entries: AuditEntry) -> None:
    """Asks the guards of these intents; those that are forbidden are failures from now on, and so
    are those that wait for an approval which they have not.

    Called in the transaction that appends the entries.
    """
    intents = [one for one in entries if one.outcome == Outcome.BEGUN and one.intent_id is None]
    # Not later: two that share the order already would wait for each other.
    if any(one.undoes_id is not None for one in intents):
        chain.lock()
    _require_access(intents)
    _require_approval([one for one in intents if one.outcome == Outcome.BEGUN])
    # Of two undos of one entry at the same time the second is refused. Calls of one request are one
    # undo, in as many calls as it takes.
    for entry in intents:
        undone = entry.undoes_id if entry.outcome == Outcome.BEGUN else None
        if undone is not None and undone_by(undone, but=entry.request_id):
            entry.outcome, entry.message = Outcome.FAILED, wording.UNDONE_ALREADY
    guarded = [one for one in intents if one.operation in _guards and one.outcome == Outcome.BEGUN]
    if guarded:
        chain.share()
    for entry in guarded:
        guard = _guards[entry.operation]
        entry.refusal = str(guard(entry))
        if entry.refusal:
            entry.outcome = Outcome.FAILED
            with in_english():
                entry.message = str(guard(entry))


def _require_access(intents: Sequence[AuditEntry]) -> None:
    """Refuses intents of users without access. Taking access back is an entry too, so no write
    begins after it in the trail."""
    allowed: dict[tuple[int, str], bool] = {}
    for entry in intents:
        actor, key = entry.actor, entry.connection_key
        if actor is None:
            continue
        if (actor.pk, key) not in allowed:
            is_owner = Connection.objects.filter(key=key, owner=actor).exists()
            if not is_owner:
                chain.share()
            allowed[actor.pk, key] = is_owner or connections_of(actor).filter(key=key).exists()
        if not allowed[actor.pk, key]:
            entry.outcome, entry.message = Outcome.FAILED, wording.ACCESS_ENDED


def _require_approval(intents: Sequence[AuditEntry]) -> None:
    """Refuses intents that wait for an approval. A single call asks for it earlier: this is for the
    rest, such as the rows of a job that was not approved."""
    alone = [entry for entry in intents if not entry.approved_by]
    if not alone:
        return
    rules = ApprovalRule.objects.filter(connection__key__in={one.connection_key for one in alone})
    chosen = dict(rules.values_list("connection__key", "operations"))
    for entry in alone:
        if entry.operation in chosen.get(entry.connection_key, ()):
            entry.outcome = Outcome.FAILED
            with in_english():
                what = title(entry.operation)
            entry.message = wording.NEEDS_APPROVAL % {"what": what}


def refusal_of(entry: AuditEntry) -> str:
    """Returns the reason why `judge` has forbidden this intent; empty if it has not."""
    is_refused = entry.outcome == Outcome.FAILED and entry.intent_id is None
    return (entry.refusal or wording.shown(entry.message)) if is_refused else ""


def let_through(operations: Collection[str]) -> QuerySet[AuditEntry]:
    """Writes of these operations that were lately let through, and are under way or may have been
    done: copies need not know of them yet."""
    lately = AuditEntry.objects.filter(
        operation__in=list(operations),
        outcome=Outcome.BEGUN,
        time__gt=clock.now() - _LONGEST,
    )
    return lately.exclude(answer__outcome=Outcome.FAILED).select_related("answer")
