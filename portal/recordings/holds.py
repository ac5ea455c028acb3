"""Legal holds: recordings that cannot be deleted, moved to the trash or removed with their host.

Guards refuse the calls (`portal.audit.guards`), of pages, jobs and retention rules alike.
"""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar
from urllib.parse import unquote

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.audit import chain, guards
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.trail import record
from portal.config import clock
from portal.config.database import batches
from portal.contract.recordings import Recordings
from portal.contract.users import Users
from portal.recordings.models import Hold, MirroredRecording
from portal.translation import dated, gettext as _, ngettext, number

M = TypeVar("M", Hold, MirroredRecording)
_DELETIONS = (Recordings.delete.name, Recordings.delete_file.name)
_DESTROYING = (*_DELETIONS, Users.delete.name)
# Days change at last where the clocks are twelve hours behind GMT.
_BEHIND = timedelta(hours=12)
_BATCH = 500
_ON_HOLD_UNTIL = gettext_noop("On hold by %(who)s until %(until)s: %(reason)s")
_ON_HOLD = gettext_noop("On hold by %(who)s: %(reason)s")
_ON_HOLD_ELSEWHERE = gettext_noop(
    "%(who)s holds a recording with this ID over a connection to another account"
)
_BEING_DELETED = gettext_noop("A deletion of this recording is under way. Try again in a moment.")
_JUST_DELETED = gettext_noop(
    "A recording has just been deleted, or moved to the trash. Look at the list again."
)


def _theirs(count: int) -> str:
    return ngettext(
        "A recording of theirs is on hold. Transfer their recordings to a colleague, or have the "
        "hold released.",
        "%(count)s of their recordings are on hold. Transfer their recordings to a colleague, or "
        "have the hold released.",
        count,
    )


# The longer first: the others hold for it too.
REFUSALS = (_ON_HOLD_ELSEWHERE, _ON_HOLD_UNTIL, _ON_HOLD, _theirs)


class HoldRefused(Exception):
    """A hold cannot be placed; the text says why."""


def active() -> QuerySet[Hold]:
    """Returns the holds that have not expired."""
    today = (clock.now().astimezone(UTC) - _BEHIND).date()
    return Hold.objects.filter(Q(until=None) | Q(until__gte=today))


def of_account(connection: Connection | None) -> QuerySet[Hold]:
    """Returns the holds in the account of a connection: over it they are read, changed and
    released, and over no other account, whatever its service reports."""
    if connection is None:
        return Hold.objects.none()
    accounts = {"", connection.account_id}
    own = Q(service=connection.service, account_id__in=accounts)
    return Hold.objects.filter(own | Q(connection=connection))


def active_of(connection: Connection) -> QuerySet[Hold]:
    """Returns the holds in the account of a connection that have not expired."""
    return active().filter(pk__in=of_account(connection).values("pk"))


def why_on_hold(connection: Connection, uuids: Collection[str]) -> dict[str, str]:
    """Returns a sentence about the hold of each of these recordings that is on hold, by UUID."""
    found: dict[str, str] = {}
    for some in _batches(active().select_related("held_by"), "uuid", list(uuids)):
        own = _own_among(some, connection)
        for hold in some:
            if hold.uuid not in found or hold.pk in own:
                found[hold.uuid] = _in_words(hold, is_own=hold.pk in own)
    return found


def place(
    origin: Origin,
    connection: Connection,
    recordings: Sequence[MirroredRecording],
    reason: str,
    until: date | None,
    *,
    answerable: User | None = None,
) -> int:
    """Puts recordings on hold, or changes the holds that are there. Returns how many.

    For a host who is no user, `answerable` is the owner of the rule that has asked them. Raises
    `HoldRefused` if one of them is being deleted, or just was; then no hold is placed.
    """
    holder = answerable or origin.actor
    if holder is None:
        raise ValueError("A hold needs an owner.")
    with transaction.atomic():
        for recording in recordings:
            record(
                origin,
                Act.RECORDING_KEPT if answerable else Act.RECORDING_HELD,
                object_id=recording.uuid,
                label=recording.topic,
                connection=connection,
                sent={"reason": reason, "until": until.isoformat() if until else None},
            )
        # The trail is locked by now: what was let through before shows, and nothing is from here.
        _refuse_destroyed(recordings)
        present = {hold.uuid: hold for hold in _present(connection, recordings)}
        for hold in present.values():
            hold.held_by, hold.reason, hold.until = holder, reason, until
            hold.connection, hold.account_id = connection, hold.account_id or connection.account_id
            hold.by_host = answerable is not None
        changed = ["held_by", "by_host", "reason", "until", "connection", "account_id"]
        Hold.objects.bulk_update(present.values(), changed, batch_size=_BATCH)
        made = [
            Hold(
                uuid=one.uuid,
                service=connection.service,
                account_id=connection.account_id,
                session_id=one.session_id,
                host_id=one.host_id,
                host_email=_folded(one.host_email),
                topic=one.topic,
                connection=connection,
                held_by=holder,
                by_host=answerable is not None,
                reason=reason,
                until=until,
            )
            for one in recordings
            if one.uuid not in present
        ]
        Hold.objects.bulk_create(made, batch_size=_BATCH)
    return len(recordings)


def _present(connection: Connection, recordings: Sequence[MirroredRecording]) -> Iterator[Hold]:
    """Yields the account's holds of these recordings; that of the reported account at last."""
    every = of_account(connection).order_by("account_id")
    for some in _batches(every, "uuid", [one.uuid for one in recordings]):
        yield from some


def release(origin: Origin, connection: Connection, placed: Iterable[Hold], why: str) -> int:
    """Ends holds; each leaves an entry in the audit trail with who held it, and why. Returns
    their number: holds that another user has released since, and those of other accounts, are
    skipped."""
    with transaction.atomic():
        chain.lock()
        own = of_account(connection).select_related("held_by", "connection")
        there = _batches(own, "pk", [one.pk for one in placed])
        current = sorted((hold for some in there for hold in some), key=lambda hold: hold.pk)
        for hold in current:
            # Both connections have it in their history, where it is another one.
            placed_over = hold.connection or connection
            for over in dict.fromkeys((connection, placed_over)):
                record(
                    origin,
                    Act.RECORDING_RELEASED,
                    object_id=hold.uuid,
                    label=hold.topic,
                    connection=over,
                    sent={"reason": why},
                    before={
                        "held_by": hold.host_email if hold.by_host else hold.held_by.email,
                        "reason": hold.reason,
                        "until": hold.until.isoformat() if hold.until else None,
                        "since": hold.created_at.isoformat(),
                    },
                )
        for some in _batches(Hold.objects.all(), "pk", [hold.pk for hold in current]):
            some.delete()
    return len(current)


def in_words(hold: Hold, connection: Connection | None) -> str:
    """Returns a sentence about a hold: by whom, until when, and why. Over another account than its
    own it tells neither."""
    return _in_words(hold, is_own=bool(_own_among([hold], connection)))


def _in_words(hold: Hold, *, is_own: bool) -> str:
    values = {"who": hold.holder, "reason": hold.reason}
    if not is_own:
        return _(_ON_HOLD_ELSEWHERE) % values
    if hold.until is None:
        return _(_ON_HOLD) % values
    until = dated(hold.until, _("j F Y"))
    return _(_ON_HOLD_UNTIL) % (values | {"until": until})


def _connection_of(entry: AuditEntry) -> Connection | None:
    return Connection.objects.filter(key=entry.connection_key).first()


def _own_among(holds: Iterable[Hold], connection: Connection | None) -> set[int]:
    """Returns which of these holds are in the account of a connection, by their primary keys."""
    own = of_account(connection).filter(pk__in=[hold.pk for hold in holds])
    return set(own.values_list("pk", flat=True))


@dataclass(frozen=True)
class _Target:
    """The target of a write: as the call names it, in any spelling, and as the service reported it
    just before. `accounts` is empty if no account is reported."""

    names: frozenset[str]
    emails: frozenset[str] = frozenset()
    accounts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, entry: AuditEntry) -> "_Target":
        reported, called = entry.before or {}, entry.object_id
        connection = _connection_of(entry)
        names = {called, called.strip(), unquote(called), unquote(unquote(called))}
        names |= {str(reported.get(name) or "") for name in ("uuid", "id")}
        names |= {str(int(name)) for name in names if name.isdecimal()}
        emails = {called, unquote(called), str(reported.get("email") or "")}
        accounts = {str(reported.get("account_id") or "")}
        accounts |= {connection.account_id} if connection else set()
        return cls(
            frozenset(names - {""}),
            frozenset(_folded(each) for each in emails if "@" in each),
            frozenset(accounts - {""}),
        )

    def holds(self) -> QuerySet[Hold]:
        """Returns active holds, without those that are certainly of another account."""
        every = active()
        if not self.accounts:
            return every
        return every.filter(Q(account_id="") | Q(account_id__in=self.accounts))


def forbids_deletion(entry: AuditEntry) -> str:
    """Returns why a deletion is refused, by the recording's UUID or the number of its meeting;
    mostly empty. It is a guard."""
    target = _Target.of(entry)
    by_number = target.holds().filter(session_id__in=target.names)
    hold = active().filter(Q(uuid__in=target.names) | Q(pk__in=by_number.values("pk")))
    connection = _connection_of(entry)
    own = of_account(connection).values("pk")
    held = hold.select_related("held_by")
    first = held.filter(pk__in=own).first() or held.first()
    return f"{in_words(first, connection)}." if first else ""


def forbids_removal(entry: AuditEntry) -> str:
    """Returns why a removal of a person with their recordings is refused; mostly empty. It is a
    guard. After a transfer the holds protect the recipient."""
    held = _of_hosts(_Target.of(entry))
    if heir := _heir(entry):
        connection = _connection_of(entry)
        own = of_account(connection).values("pk")
        held.filter(pk__in=own).update(host_email=_folded(heir))
        return ""
    return _obstacle(held)


def of_host(connection: Connection, host_id: str) -> str:
    """Returns the reason why a person cannot be removed without a transfer; mostly empty."""
    accounts = frozenset({connection.account_id} - {""})
    return _obstacle(_of_hosts(_Target(frozenset({host_id}), accounts=accounts)))


def _heir(entry: AuditEntry) -> str:
    """Returns the recipient of the recordings of a removed person; empty if they are deleted."""
    sent = entry.sent or {}
    return str(sent.get("transfer_email") or "") if sent.get("transfer_recording") else ""


def _of_hosts(target: _Target) -> QuerySet[Hold]:
    """Returns the holds on a person's recordings, as of the hold and as of the mirror."""
    by_id = Q(host_id__in=target.names)
    listed = by_id
    for email in target.emails:
        listed |= Q(host_email__iexact=email)
    uuids = MirroredRecording.objects.filter(listed).values("uuid")
    return target.holds().filter(by_id | Q(host_email__in=target.emails) | Q(uuid__in=uuids))


def _refuse_destroyed(recordings: Sequence[MirroredRecording]) -> None:
    """Raises `HoldRefused` if a write is deleting one of these, or has deleted it since its row was
    read."""
    touched: dict[int, datetime | None] = {}
    for some in _batches(MirroredRecording.objects.all(), "pk", [one.pk for one in recordings]):
        touched |= dict(some.values_list("pk", "touched_at"))
    if any(one.pk not in touched for one in recordings):
        raise HoldRefused(_(_JUST_DELETED))
    for entry in guards.let_through(_DESTROYING):
        end: AuditEntry | None = getattr(entry, "answer", None)
        # A row that was written since says what the write has left.
        older = [one for one in recordings if not (end and _is_after(touched[one.pk], end))]
        if _destroyed(older, entry):
            raise HoldRefused(_(_JUST_DELETED) if end else _(_BEING_DELETED))


def _is_after(touched: datetime | None, end: AuditEntry) -> bool:
    return touched is not None and touched > end.time


def _destroyed(recordings: Sequence[MirroredRecording], entry: AuditEntry) -> bool:
    """Returns whether a write takes one of these with it."""
    target = _Target.of(entry)
    if entry.operation in _DELETIONS:
        names = {one.uuid for one in recordings} | {one.session_id for one in recordings} - {""}
        return not names.isdisjoint(target.names)
    hosts = {one.host_id for one in recordings} - {""}
    emails = {_folded(one.host_email) for one in recordings} - {""}
    return not _heir(entry) and not (
        hosts.isdisjoint(target.names) and emails.isdisjoint(target.emails)
    )


def _folded(email: str) -> str:
    """Returns an email address in the form in which addresses are compared."""
    return unicodedata.normalize("NFKC", email.strip()).casefold()


def _obstacle(own: QuerySet[Hold]) -> str:
    count = own.count()
    if not count:
        return ""
    return _theirs(count) % {"count": number(count)}


GUARDS = {
    Recordings.delete.name: forbids_deletion,
    Recordings.delete_file.name: forbids_deletion,
    Users.delete.name: forbids_removal,
}


def _batches(rows: QuerySet[M], field: str, values: Sequence[object]) -> Iterator[QuerySet[M]]:
    for batch in batches(values):
        yield rows.filter(**{f"{field}__in": batch})
