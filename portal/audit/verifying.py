"""Walks along the chains of the audit trail, in the order of its entries."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce, Greatest

from portal.access.models import User
from portal.audit.chain import CHAINS, is_intact, link
from portal.audit.models import AuditEntry, AuditHead
from portal.translation import gettext as _

# The number of an entry and its hash; with several chains, the hash of all their last hashes.
Noted = tuple[int, str]
_RECENT = 10_000  # hashes of walked entries, in which those that others name are looked up


@dataclass(frozen=True)
class Reached:
    """The place that a walk has reached: how many entries, and the last one of each chain."""

    entries: int = 0
    ends: Mapping[int, Noted] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return max((number for number, _hash in self.ends.values()), default=0)

    @property
    def digest(self) -> str:
        if len(self.ends) < 2:
            return "".join(digest for _number, digest in self.ends.values())
        lines = [f"{chain} {digest}" for chain, (_number, digest) in sorted(self.ends.items())]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


BEGINNING = Reached()


@dataclass(frozen=True)
class ChainVerdict:
    """The result of a walk along the chains; `problem` is empty if they are whole."""

    place: Reached
    problem: str = ""

    @property
    def entries(self) -> int:
        return self.place.entries


def verify(noted: Noted | None = None) -> ChainVerdict:
    """Walks all chains. `noted` is a number with its hash that was written down before.

    Without it, a database that was put back as a whole to an earlier state looks whole.
    """
    return walk(BEGINNING, noted=noted)


def walk(after: Reached, most: int | None = None, noted: Noted | None = None) -> ChainVerdict:
    """Walks on from a place that was reached before, over `most` entries or to the end."""
    heads = _heads()
    if (lost := _lost(after)) is not None:
        return ChainVerdict(after, _not_noted(lost))
    entries = AuditEntry.objects.order_by("sequence")
    if heads:
        entries = entries.filter(sequence__lte=max(head.count for head in heads))
    if after.entries:
        entries = entries.filter(sequence__gt=after.number)
    steps = _Steps(after, is_single=_is_single(heads))
    for entry in entries[:most].iterator(chunk_size=2000):
        if problem := steps.problem_of(entry):
            return ChainVerdict(steps.place, problem)
        steps.take(entry)
        if noted and entry.sequence == noted[0]:
            if steps.place.digest != noted[1]:
                return ChainVerdict(after, _not_noted(entry.sequence))
            noted = None
    if steps.place.entries - after.entries == most:
        return ChainVerdict(steps.place)
    return ChainVerdict(steps.place, _problem_at_end(heads, steps.place, noted))


def _heads() -> list[AuditHead]:
    """The ends of all chains at one moment, at which nothing is being appended: entries with lower
    numbers do not come later."""
    heads = AuditHead.objects.order_by("pk")
    if connection.vendor != "postgresql":
        return list(heads)
    with transaction.atomic():
        return list(heads.select_for_update())


def _lost(place: Reached) -> int | None:
    """Returns the number of an entry of this place that is not there as it was."""
    numbers = [number for number, _hash in place.ends.values()]
    rows = AuditEntry.objects.filter(pk__in=numbers).values_list("chain", "sequence", "hash")
    there = {(chain, (number, digest)) for chain, number, digest in rows} if numbers else set()
    lost = place.ends.items() - there
    return min((number for _chain, (number, _hash) in lost), default=None)


class _Steps:
    """The place of a walk, and whether an entry is the next one."""

    def __init__(self, after: Reached, *, is_single: bool) -> None:
        self._count = after.entries
        self._ends = dict(after.ends)
        self._is_single = is_single
        self._hashes = dict(after.ends.values())
        self._hash = ""

    @property
    def place(self) -> Reached:
        return Reached(self._count, dict(self._ends))

    def problem_of(self, entry: AuditEntry) -> str:
        number, previous = self._ends.get(entry.chain, (0, ""))
        if self._is_single and entry.sequence > number + 1:
            return _("Entry %(number)s is missing.") % {"number": number + 1}
        names = [int(each) for each in entry.seen.split()]
        hashes = self._hashes_of(names)
        if absent := [each for each in names if each not in hashes]:
            words = _("Entry %(number)s is missing: entry %(other)s was written after it.")
            return words % {"number": absent[0], "other": entry.sequence}
        self._hash = link(previous, entry, [hashes[each] for each in names])
        is_next = entry.sequence > number and entry.chain in CHAINS
        if is_next and hmac.compare_digest(entry.hash, self._hash):
            return ""
        if self._is_single or not number:
            return _("Entry %(number)s was changed or inserted.") % {"number": entry.sequence}
        words = _(
            "Entry %(number)s does not follow entry %(other)s: it was changed or inserted, or"
            " one between them is missing."
        )
        return words % {"number": entry.sequence, "other": number}

    def take(self, entry: AuditEntry) -> None:
        self._count += 1
        self._ends[entry.chain] = (entry.sequence, entry.hash)
        self._hashes[entry.sequence] = entry.hash
        if len(self._hashes) > _RECENT:
            del self._hashes[next(iter(self._hashes))]

    def _hashes_of(self, numbers: Iterable[int]) -> Mapping[int, str]:
        if others := [each for each in numbers if each not in self._hashes]:
            rows = AuditEntry.objects.filter(pk__in=others).values_list("sequence", "hash")
            return {**self._hashes, **dict(rows)}
        return self._hashes


def _not_noted(number: int) -> str:
    return _("Entry %(number)s is not the one noted.") % {"number": number}


def _is_single(heads: Sequence[AuditHead]) -> bool:
    return all(head.seen is None for head in heads)


def _problem_at_end(heads: Sequence[AuditHead], place: Reached, noted: Noted | None) -> str:
    if noted:
        if noted[0] > place.number:
            return _("Entry %(number)s, which was noted, is missing.") % {"number": noted[0]}
        return _not_noted(noted[0])
    if {head.pk for head in heads} != set(CHAINS[:1] if _is_single(heads) else CHAINS):
        return _("The end of the chain is missing.")
    for head in heads:
        number, digest = place.ends.get(head.pk, (0, ""))
        if head.count != number:
            return _missing(head, number, is_single=_is_single(heads))
        if not place.entries and User.objects.exists():
            return _("There are accounts, and no entry of how they were made.")
        if not is_intact(head) or head.last_hash != digest:
            words = _("The end of the chain, after entry %(number)s, was changed.")
            return words % {"number": number}
    end = AuditHead.objects.filter(pk=OuterRef("chain")).values("count")
    beyond = AuditEntry.objects.filter(
        sequence__gt=Greatest(Coalesce(Subquery(end), 0), place.number)
    ).first()
    return _("Entry %(number)s was inserted.") % {"number": beyond.sequence} if beyond else ""


def _missing(head: AuditHead, last: int, *, is_single: bool) -> str:
    """Says that a chain does not end where it did."""
    if is_single:
        return _("Entry %(number)s is missing; the chain had %(count)s entries.") % {
            "number": last + 1,
            "count": head.count,
        }
    if head.count < last:
        return _("The end of the chain, after entry %(number)s, was changed.") % {"number": last}
    return _("Entry %(number)s is missing.") % {"number": head.count}
