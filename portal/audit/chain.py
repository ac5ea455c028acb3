"""The chains: each entry carries a hash, under a key that the database does not have, of itself and
of the entry before it in its chain.

The end of each chain is kept, sealed, in a row of its own, so that a cut tail shows. The rows are
there before the first account is: one that is missing, or was found broken, is never made good
again by appending.

PostgreSQL has several chains, so that processes append beside each other: an appender takes the
first one that is free. Its entry names, under its hash, the ends of the other chains that were not
there when its own chain was last appended to. So a chain that is put back to an earlier state, or
removed with its end, lacks an entry that another one names. Numbers come from one sequence: they
rise in each chain, and those of entries that were rolled back are missing.

SQLite has one chain without gaps. So has a database of an earlier release, until no process of that
runs any more: such a process would append to the first chain alone, by numbers of its own.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from portal.access.models import User
from portal.audit.models import FIRST_CHAIN, NUMBERS, AuditEntry, AuditHead
from portal.config import clock
from portal.config.canonical_json import canonical
from portal.config.database import insert_rows, update_rows

CHAINS = range(FIRST_CHAIN, FIRST_CHAIN + 8)
_log = structlog.get_logger("portal.audit")
# Added when there were entries already: hashed only where they differ from what those have.
_ADDED = {
    field.name: field.get_default()
    for field in AuditEntry._meta.concrete_fields
    if field.name in {"approved_by", "undoes", "elevated_to", "chain", "seen"}
}
_ORDER = 0x7472_6169_6C  # an advisory lock of PostgreSQL
_UPGRADE = timedelta(days=1)  # within which processes of the release before are replaced
# untranslated: what is told to the database
# Numbers are drawn after the row is locked: a subquery of the result is read with its first row.
_CHOICE = """
WITH mine AS MATERIALIZED (SELECT id, count, last_hash, seen, seal FROM access_audithead {})
SELECT id, count, last_hash, seen, seal,
    CASE WHEN seen IS NULL THEN NULL ELSE ARRAY(SELECT nextval('{}') FROM generate_series(1, %s)) END,
    (SELECT json_agg(json_build_array(e.count, e.last_hash)) FROM access_audithead e WHERE e.id <> mine.id)
FROM mine
"""  # noqa: E501
_FREE = _CHOICE.format("ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED", NUMBERS)
_ANY = "WHERE id = (SELECT id FROM access_audithead ORDER BY random() LIMIT 1) FOR UPDATE"
_AFTER_WAIT = _CHOICE.format(_ANY, NUMBERS)


@dataclass(frozen=True)
class _Choice:
    """The end of the chain to append to, the other chains' ends, and the new entries' numbers where
    a sequence gives them."""

    head: AuditHead
    others: Sequence[tuple[int, str]]
    drawn: Sequence[int] | None = None


def append(*entries: AuditEntry) -> None:
    """Adds entries at the end of a chain, within the transaction of the caller."""
    choice = _choose(len(entries))
    head = choice.head
    intact = is_intact(head)
    if not intact:
        last = AuditEntry.objects.filter(chain=head.pk).order_by("-sequence").first()
        head.count, head.last_hash = (last.sequence, last.hash) if last else (0, "")
    highest = max(head.count, *(number for number, _hash in choice.others), 0)
    numbers = choice.drawn or range(highest + 1, highest + 1 + len(entries))
    seen = _newly_seen(head, choice.others)
    for number, entry in zip(numbers, entries, strict=True):
        entry.sequence, entry.chain = number, head.pk
        entry.seen = " ".join(str(other) for other, _hash in seen)
        entry.time = clock.now()
        entry.hash = link(head.last_hash, entry, [digest for _number, digest in seen])
        head.count, head.last_hash, seen = number, entry.hash, []
    insert_rows(entries)
    head.seal = seal(head) if intact else ""
    update_rows([head], AuditHead.COLUMNS[1:])
    for entry in entries:
        _log.info("audit", sequence=entry.sequence, operation=entry.operation, hash=entry.hash)


def _newly_seen(head: AuditHead, others: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Returns the ends of other chains that this one has not named yet."""
    if head.seen is None:
        return []
    named = set(head.seen.split())
    ends = sorted((number, digest) for number, digest in others if number)
    head.seen = " ".join(str(number) for number, _digest in ends)
    return [(number, digest) for number, digest in ends if str(number) not in named]


def _choose(count: int) -> _Choice:
    """Locks the end of a chain: of the first one that is free, where there are several."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for statement in (_FREE, _AFTER_WAIT):
                cursor.execute(statement, [count])
                if row := cursor.fetchone():
                    *values, drawn, others = row
                    head = AuditHead.from_db(None, AuditHead.COLUMNS, values)
                    return _Choice(head, others or [], drawn)
    head, *rest = _heads() or [AuditHead.objects.get_or_create(pk=FIRST_CHAIN)[0]]
    return _Choice(head, [(each.count, each.last_hash) for each in rest])


def _heads() -> list[AuditHead]:
    return list(AuditHead.objects.order_by("pk"))


def lock() -> None:
    """Has entries that `share` the order wait until the caller's transaction ends, and others that
    lock it."""
    _lock("pg_advisory_xact_lock")


def share() -> None:
    """Keeps others from locking the order of entries until the caller's transaction ends."""
    _lock("pg_advisory_xact_lock_shared")


def _lock(function: str) -> None:
    """On SQLite a transaction that writes has the whole database. The release before locks the one
    chain that it has."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [_ORDER])
            cursor.execute(
                "SELECT 1 FROM access_audithead WHERE id = %s AND seen IS NULL FOR UPDATE",
                [FIRST_CHAIN],
            )


def begin(**_signal: object) -> None:
    """Seals the ends of a trail that has no entries yet, in a database that has just been made."""
    if seal_beginning() and connection.vendor == "postgresql":
        open_chains()


def seal_beginning() -> bool:
    """Makes the end of the first chain, and returns whether the trail is so new that it may."""
    if AuditHead.objects.exists() or AuditEntry.objects.exists() or User.objects.exists():
        return False
    head = AuditHead(pk=FIRST_CHAIN)
    head.seal = seal(head)
    head.save()
    return True


def open_chains() -> None:
    """Has entries go to several chains from now on. A trail that is broken stays as it is."""
    with transaction.atomic():
        lock()
        head = AuditHead.objects.select_for_update().filter(pk=FIRST_CHAIN, seen=None).first()
        if head is None or not is_intact(head):
            return
        for pk in CHAINS:
            opened = head if pk == FIRST_CHAIN else AuditHead(pk=pk)
            opened.seen = ""
            opened.seal = seal(opened)
            opened.save()
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT setval(%s, %s, %s)", [NUMBERS, max(head.count, 1), head.count > 0]
                )
    _log.info("audit chains opened", sequence=head.count, chains=len(CHAINS))


def open_after_upgrade() -> None:
    """Opens the chains of a database that an earlier release made, once that has been replaced."""
    if connection.vendor != "postgresql":
        return
    if not AuditHead.objects.filter(pk=FIRST_CHAIN, seen=None).exists():
        return
    applied = MigrationRecorder(connection).applied_migrations().get(("audit", "0003_chains"))
    if applied is None or applied.applied < clock.now() - _UPGRADE:
        open_chains()


def is_intact(head: AuditHead) -> bool:
    return hmac.compare_digest(head.seal, seal(head))


def seal(head: AuditHead) -> str:
    place = f"{head.count} {head.last_hash}"
    return _mac(f"end {place}" if head.seen is None else f"end of {head.pk} {place} {head.seen}")


def link(previous: str, entry: AuditEntry, seen: Iterable[str] = ()) -> str:
    """Returns the hash of an entry after the one with the hash `previous`; `seen` are the hashes of
    those that it names."""
    values = {
        field.attname: getattr(entry, field.attname)
        for field in AuditEntry._meta.concrete_fields
        if field.attname != "hash"
        and (field.name not in _ADDED or getattr(entry, field.attname) != _ADDED[field.name])
    }
    plain = {
        name: value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }
    return _mac(f"{' '.join([previous, *seen])}\n{canonical(plain)}")


def _mac(text: str) -> str:
    return hmac.new(settings.AUDIT_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()
