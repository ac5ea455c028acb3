"""Reading the audit trail: the intent and the outcome of a call become one line, with its undo."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.timezone import make_aware

from portal.access.grants import connections_of
from portal.access.models import Connection, EndedLimit, Share, User
from portal.access.roles import CUSTOM, is_custom
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.models import AuditEntry, Outcome
from portal.audit.narrowing import narrowed_at, shown_since
from portal.config import clock
from portal.translation import any_form

_SEARCHED = (
    "email",
    "approved_by",
    "operation",
    "object_id",
    "object_label",
    "connection_name",
    "message",
    "request_id",
    "sent",
)
# Names that people have given: accents and shapes of apostrophes are no difference.
_WORDS = ("object_label", "connection_name", "message")
_SEARCHED_OF_ENDS = ("message", "object_id")
# Entries, ends of changes included, that a page looks through at first, and then at a time.
FIRST_STRETCH, NEXT_STRETCH = 20_000, 100_000
# Entries that are written at the same moment may have their numbers in another order than times.
_BESIDE = 50
# After that time an undo without an end has lost its process.
_LONGEST = timedelta(minutes=5)


def lines() -> QuerySet[AuditEntry]:
    """Returns one entry a change, newest first, with `result`: its outcome, or `begun` while that
    is unknown.

    The end itself is the entry's `answer`.
    """
    return (
        AuditEntry.objects.filter(intent=None)
        .select_related("answer", "actor")
        .annotate(result=Coalesce("answer__outcome", F("outcome")))
    )


def entries_for(scope: Scope, family: str, object_id: str) -> QuerySet[AuditEntry]:
    """Returns the history of one object, such as `("users", id)`, as `lines` gives it.

    Entries of others can name people outside of a limited scope: such a scope shows the user's own.
    """
    # What was created is known by its end alone; each is found by its index.
    data = AuditEntry.objects.filter(
        connection_key=scope.connection.key, family=family, object_id=object_id
    )
    if scope.is_narrow:
        data = data.filter(actor=scope.user)
        if since := shown_since(scope):
            data = data.filter(time__gte=since)
    return lines().filter(sequence__in=data.values(beginning=Coalesce("intent_id", "sequence")))


def sign_ins_at(user: User) -> QuerySet[AuditEntry]:
    """Returns accepted and refused sign-ins to this account, as `lines` gives it."""
    acts = (Act.SIGN_IN, Act.SIGN_IN_FAILED)
    return lines().filter(
        connection_key="",
        family=Act.SIGN_IN.family,
        object_id=str(user.pk),
        operation__in=[act.value for act in acts],
    )


def visible_to(user: User) -> QuerySet[AuditEntry]:
    """Returns all lines for administrators; for others those of their own actions, and of
    connections that they own. Of a connection that the user sees, or saw, within limits, everybody
    sees their own actions alone, since they were limited so."""
    limited = {*limited_keys(user), *_limited_by_roles(user)}
    everything = lines()
    for key, since in narrowed_at(user, limited).items() if limited else ():
        everything = everything.exclude(connection_key=key, time__lt=since)
    if user.is_administrator:
        outside = ~Q(connection_key__in=limited) | Q(actor=user)
        return everything.filter(outside) if limited else everything
    own = Connection.objects.filter(owner=user).exclude(key__in=limited)
    return everything.filter(Q(actor=user) | Q(connection_key__in=own.values("key")))


def limited_keys(user: User) -> list[str]:
    """Returns the keys of connections of others that the user sees, or saw at the end, within
    limits of a share or of their own role."""
    shares = Share.objects.filter(user=user).order_by()
    limited = shares
    if not is_custom(user.role):
        limited = shares.exclude(
            ~Q(role__startswith=CUSTOM), families=[], departments=[], groups=[]
        )
    own = Connection.objects.filter(owner=user)
    ended = (
        EndedLimit.objects.filter(user=user)
        .exclude(connection_key__in=own.values("key"))
        .exclude(connection_key__in=shares.values("connection__key"))
    )
    keys = limited.values_list("connection__key", flat=True)
    return list(keys.union(ended.values_list("connection_key", flat=True)))


def _limited_by_roles(user: User) -> list[str]:
    """Returns the keys of connections that the user's own role limits, or that of the owner."""
    connections = connections_of(user)
    if not is_custom(user.role):
        connections = connections.filter(owner__role__startswith=CUSTOM)
    return list(connections.values_list("key", flat=True))


@dataclass(frozen=True)
class Stretch:
    """Entries that a page looks through together, by their numbers: from `first`, below `end`."""

    first: int
    end: int
    is_last: bool

    @property
    def back_to(self) -> datetime | None:
        result = AuditEntry.objects.filter(sequence__gte=self.first).order_by("sequence")
        return result.values_list("time", flat=True).first()


def stretches(wanted: dict[str, Any], below: int | None) -> Iterator[Stretch]:
    """Yields the entries of the chosen days from their end: no index finds a word in the trail, nor
    counts its lines. Where they are looked through already from an entry on, those `below` it."""
    by_time = AuditEntry.objects.order_by("time").values_list("sequence", flat=True)
    if until := wanted.get("until"):
        by_time = by_time.filter(time__lt=_midnight(until + timedelta(days=1)))
    end, most = max(by_time.reverse()[:_BESIDE], default=0) + 1, FIRST_STRETCH
    if below:
        end, most = min(below, end), NEXT_STRETCH
    since = wanted.get("since")
    begun = by_time.filter(time__gte=_midnight(since))[:_BESIDE] if since else ()
    oldest = min(begun, default=end) if since else 1
    while True:
        first = max(oldest, end - most)
        yield Stretch(first, end, is_last=first <= oldest)
        if first <= oldest:
            return
        end, most = first, NEXT_STRETCH


def narrowed(
    entries: QuerySet[AuditEntry], wanted: dict[str, Any], stretch: Stretch | None = None
) -> QuerySet[AuditEntry]:
    """Returns the lines that the filters of the audit page leave, within a stretch if one is given.
    An empty filter leaves all."""
    conditions, ends = Q(), AuditEntry.objects.exclude(intent=None)
    if stretch:
        conditions &= Q(sequence__gte=stretch.first, sequence__lt=stretch.end)
        ends = ends.filter(intent__gte=stretch.first, intent__lt=stretch.end)
    if since := wanted.get("since"):
        conditions &= Q(time__gte=_midnight(since))
    if until := wanted.get("until"):
        conditions &= Q(time__lt=_midnight(until + timedelta(days=1)))
    for word in (wanted.get("q") or "").split():
        ended = ends.filter(_contains(word, _SEARCHED_OF_ENDS))
        conditions &= _contains(word, _SEARCHED) | Q(sequence__in=ended.values("intent"))
    if person := wanted.get("person"):
        conditions &= Q(actor=person)
    if connection := wanted.get("connection"):
        conditions &= Q(connection_key=connection)
    if family := wanted.get("family"):
        conditions &= Q(operation__startswith=f"{family}.")
    if outcome := wanted.get("outcome"):
        ended = ends.filter(outcome=outcome)
        conditions &= _own(outcome, ends) | Q(sequence__in=ended.values("intent"))
    return entries.filter(conditions)


def _own(outcome: str, ends: QuerySet[AuditEntry]) -> Q:
    """Returns the condition for lines that record this outcome themselves; the outcome of a line
    without an end is unknown."""
    ended = Q(outcome=outcome)
    if outcome != Outcome.UNKNOWN:
        return ended
    return ended | Q(outcome=Outcome.BEGUN) & ~Q(sequence__in=ends.values("intent"))


def _contains(word: str, names: Iterable[str]) -> Q:
    result = Q()
    form = any_form(word)
    for name in names:
        if name in _WORDS:
            result |= Q(**{f"{name}__iregex": form})
        else:
            result |= Q(**{f"{name}__icontains": word})
    return result


def _midnight(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.min))


def undone_among(sequences: Collection[int], but: str = "") -> dict[int, AuditEntry]:
    """Returns the first entry of the undo of each of these, done or under way, unless a call of it
    failed.

    All calls of one request are one undo. `but` is a request that does not count.
    """
    result = AuditEntry.objects.filter(undoes__in=list(sequences), intent=None)
    if but:
        result = result.exclude(request_id=but)
    runs: dict[tuple[int, str], list[AuditEntry]] = defaultdict(list)
    for entry in result.select_related("answer", "actor").order_by("sequence"):
        runs[entry.undoes_id or 0, entry.request_id].append(entry)
    return {sequence: run[0] for (sequence, _), run in runs.items() if all(map(_holds, run))}


def undone_by(sequence: int, but: str = "") -> AuditEntry | None:
    return undone_among([sequence], but).get(sequence)


def _holds(entry: AuditEntry) -> bool:
    end: AuditEntry | None = getattr(entry, "answer", None)
    if end is not None:
        return end.outcome == Outcome.DONE
    return entry.outcome == Outcome.BEGUN and entry.time > clock.now() - _LONGEST
