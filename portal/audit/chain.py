"""The chain: each entry carries a hash, under a key that the database does not have, of itself and
of the entry before it.

The end of the chain is kept, sealed, in a row of its own, so that a cut tail shows. It is there
before the first account is: one that is missing, or was found broken, is never made good again by
appending.
"""

import hashlib
import hmac
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog
from django.conf import settings
from django.db.models import Subquery

from portal.access.models import User
from portal.audit.models import AuditEntry, AuditHead, insert
from portal.config import clock
from portal.config.canonical_json import canonical
from portal.translation import gettext as _

_log = structlog.get_logger("portal.audit")
_HEAD = 1
# Added when there were entries already: hashed only where they have a value, so that the hashes of
# those hold.
_ADDED = frozenset({"approved_by", "undoes_id", "elevated_to"})
# The number of an entry, and its hash.
Place = tuple[int, str]
BEGINNING: Place = (0, "")
MOST = 20_000  # entries a check walks


@dataclass(frozen=True)
class ChainVerdict:
    """The result of a walk along the chain; `problem` is empty if the chain is whole."""

    entries: int
    last_hash: str
    problem: str = ""


def append(*entries: AuditEntry) -> None:
    """Adds entries at the end, within the transaction of the caller, one appender at a time."""
    head = lock()
    intact = _is_intact(head)
    if not intact:
        last = AuditEntry.objects.order_by("-sequence").first()
        head.count, head.last_hash = (last.sequence, last.hash) if last else (0, "")
    for entry in entries:
        entry.sequence = head.count + 1
        entry.time = clock.now()
        entry.hash = _link(head.last_hash, entry)
        head.count, head.last_hash = entry.sequence, entry.hash
    insert(entries)
    head.seal = _seal(head) if intact else ""
    head.save()
    for entry in entries:
        _log.info("audit", sequence=entry.sequence, operation=entry.operation, hash=entry.hash)


def lock() -> AuditHead:
    """Keeps others from adding entries until the caller's transaction ends."""
    head, _created = AuditHead.objects.select_for_update().get_or_create(pk=_HEAD)
    return head


def begin(**_signal: object) -> None:
    """Seals the end of a trail that has no entries yet, in a database that has just been made."""
    if not (AuditHead.objects.exists() or AuditEntry.objects.exists() or User.objects.exists()):
        head = AuditHead(pk=_HEAD)
        head.seal = _seal(head)
        head.save()


def verify(attested: Place | None = None) -> ChainVerdict:
    """Walks the whole chain. `attested` is a number with its hash that was written down before.

    Without it, a database that was put back as a whole to an earlier state looks whole.
    """
    return walk(BEGINNING, attested=attested)


def walk(after: Place, most: int | None = None, attested: Place | None = None) -> ChainVerdict:
    """Walks on from an entry that was attested, over `most` entries or to the end."""
    head = AuditHead.objects.filter(pk=_HEAD).first()
    count, previous = after
    if not _is_there(after):
        return ChainVerdict(
            count, previous, _("Entry %(number)s is not the one noted.") % {"number": count}
        )
    entries = AuditEntry.objects.order_by("sequence")
    if head:
        entries = entries.filter(sequence__lte=head.count)
    if count:
        entries = entries.filter(sequence__gt=count)
    walked = 0
    for entry in entries[:most].iterator(chunk_size=2000):
        expected = count + 1
        if entry.sequence > expected:
            return ChainVerdict(
                count, previous, _("Entry %(number)s is missing.") % {"number": expected}
            )
        if entry.sequence < expected or not hmac.compare_digest(entry.hash, _link(previous, entry)):
            return ChainVerdict(
                count,
                previous,
                _("Entry %(number)s was changed or inserted.") % {"number": entry.sequence},
            )
        if attested and entry.sequence == attested[0] and entry.hash != attested[1]:
            return ChainVerdict(
                count,
                previous,
                _("Entry %(number)s is not the one noted.") % {"number": entry.sequence},
            )
        count, previous = entry.sequence, entry.hash
        walked += 1
    if walked == most:
        return ChainVerdict(count, previous)
    return ChainVerdict(count, previous, _problem_at_end(head, count, previous, attested))


def _is_there(place: Place) -> bool:
    number, digest = place
    return place == BEGINNING or AuditEntry.objects.filter(pk=number, hash=digest).exists()


def _problem_at_end(
    head: AuditHead | None, count: int, last_hash: str, attested: Place | None
) -> str:
    if attested and attested[0] > count:
        return _("Entry %(number)s, which was noted, is missing.") % {"number": attested[0]}
    if head is None:
        return _("The end of the chain is missing.")
    if head.count != count:
        return _("Entry %(number)s is missing; the chain had %(count)s entries.") % {
            "number": count + 1,
            "count": head.count,
        }
    if not count and User.objects.exists():
        return _("There are accounts, and no entry of how they were made.")
    if not _is_intact(head) or head.last_hash != last_hash:
        return _("The end of the chain, after entry %(number)s, was changed.") % {"number": count}
    beyond = AuditEntry.objects.filter(
        sequence__gt=Subquery(AuditHead.objects.filter(pk=_HEAD).values("count"))
    ).first()
    return _("Entry %(number)s was inserted.") % {"number": beyond.sequence} if beyond else ""


def _is_intact(head: AuditHead) -> bool:
    return hmac.compare_digest(head.seal, _seal(head))


def _seal(head: AuditHead) -> str:
    return _mac(f"end {head.count} {head.last_hash}")


def _link(previous: str, entry: AuditEntry) -> str:
    values = {
        field.attname: getattr(entry, field.attname)
        for field in AuditEntry._meta.concrete_fields
        if field.attname != "hash"
        and (field.attname not in _ADDED or getattr(entry, field.attname))
    }
    plain = {
        name: value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }
    return _mac(f"{previous}\n{canonical(plain)}")


def _mac(text: str) -> str:
    return hmac.new(settings.AUDIT_KEY.encode(), text.encode(), hashlib.sha256).hexdigest()


@dataclass
class RoutineMarks:
    """The last entry that was seen, and how far the older ones were walked again."""

    last: Place = BEGINNING
    again: Place = BEGINNING


def check(most: int = MOST) -> ChainVerdict:
    """Walks on from what was noted, marks how far it came, and logs both."""
    marks = _marks()
    new = walk(marks.last, most)
    if new.problem:
        return _broken(new)
    marks.last = (new.entries, new.last_hash)
    left = most - (new.entries - _marks().last[0])
    if left > 0 and marks.last != BEGINNING:
        if marks.again[0] >= marks.last[0]:
            marks.again = BEGINNING
        older = walk(marks.again, left)
        if older.problem:
            return _broken(older)
        marks.again = (older.entries, older.last_hash)
    store_marks(marks)
    _log.info("audit verified", sequence=new.entries, hash=new.last_hash, again=marks.again[0])
    return new


def store_marks(marks: RoutineMarks) -> None:
    """Replaces what was noted."""
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".new")
    written.write_text(json.dumps(asdict(marks)))
    written.replace(path)


def _marks() -> RoutineMarks:
    """Returns the marks of the last walk; empty ones if there are none, and then the walk begins
    again."""
    try:
        data = json.loads(_path().read_text())
        return RoutineMarks(
            *[(int(data[name][0]), str(data[name][1])) for name in ("last", "again")]
        )
    except FileNotFoundError:
        return RoutineMarks()
    except (ValueError, KeyError, IndexError, TypeError):
        _log.warning("audit notes unreadable", path=str(_path()))
        return RoutineMarks()


def _broken(verdict: ChainVerdict) -> ChainVerdict:
    _log.error("audit trail broken", problem=verdict.problem, intact=verdict.entries)
    return verdict


def _path() -> Path:
    return Path(settings.DATA_DIR) / "audit-noted.json"
