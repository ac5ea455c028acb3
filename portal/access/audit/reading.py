"""Reading the audit trail: the intent and the outcome of a call become one line."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.timezone import make_aware

from portal.access.audit.acts import Act
from portal.access.models import AuditEntry, Connection, EndedLimit, Outcome, Share, User
from portal.access.scope import Scope
from portal.translation.folding import any_form

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
# What people have called something: accents and shapes of apostrophes are no difference.
_WORDS = ("object_label", "connection_name", "message")
_SEARCHED_OF_ENDS = ("message", "object_id")
_CLOCKS_DIFFER = timedelta(minutes=5)
LOOKED_BACK = 20_000  # entries, ends of changes included, that a page looks through at first


def lines() -> QuerySet[AuditEntry]:
    """One entry a change, newest first, with `result`: how it ended, `begun` where nobody knows.

    The end itself is the entry's `answer`.
    """
    return (
        AuditEntry.objects.filter(intent=None)
        .select_related("answer")
        .annotate(result=Coalesce("answer__outcome", F("outcome")))
    )


def entries_for(scope: Scope, family: str, object_id: str) -> QuerySet[AuditEntry]:
    """The history of one object, such as `("users", id)`, as `lines` gives it.

    What others did can name people outside of a part: who sees one alone sees their own.
    """
    # What was created is known by its end alone; each is found by its index.
    data = AuditEntry.objects.filter(
        connection_key=scope.connection.key, family=family, object_id=object_id
    )
    if scope.is_narrow:
        data = data.filter(actor=scope.user)
    return lines().filter(sequence__in=data.values(beginning=Coalesce("intent_id", "sequence")))


def sign_ins_at(user: User) -> QuerySet[AuditEntry]:
    """Sign-ins to this account, and what was refused, as `lines` gives it."""
    acts = (Act.SIGN_IN, Act.SIGN_IN_FAILED)
    return lines().filter(
        connection_key="",
        family=Act.SIGN_IN.family,
        object_id=str(user.pk),
        operation__in=[act.value for act in acts],
    )


def visible_to(user: User) -> QuerySet[AuditEntry]:
    """Administrators see every line, others what they did themselves, and what was done over the
    connections that they own. Over one that is shared with them within limits, or was until that
    ended, administrators too see what they did themselves."""
    if user.is_administrator:
        limited = _limited(user)
        outside = ~Q(connection_key__in=limited) | Q(actor=user)
        return lines().filter(outside) if limited else lines()
    own = Connection.objects.filter(owner=user)
    return lines().filter(Q(actor=user) | Q(connection_key__in=own.values("key")))


def _limited(user: User) -> list[str]:
    """Returns the keys of the connections of which they see a part, or saw one at the end."""
    shares = Share.objects.filter(user=user).order_by()
    limited = shares.exclude(families=[], departments=[], groups=[])
    own = Connection.objects.filter(owner=user)
    ended = (
        EndedLimit.objects.filter(user=user)
        .exclude(connection_key__in=own.values("key"))
        .exclude(connection_key__in=shares.values("connection__key"))
    )
    keys = limited.values_list("connection__key", flat=True)
    return list(keys.union(ended.values_list("connection_key", flat=True)))


def looked_back_to(wanted: dict[str, Any]) -> datetime | None:
    """Returns the time back to which a page with these filters searches at first; None if that is
    all: no index finds a word in the trail, nor counts its lines."""
    newest = AuditEntry.objects.order_by("-time")
    if until := wanted.get("until"):
        newest = newest.filter(time__lt=_midnight(until + timedelta(days=1)))
    oldest = newest.values_list("time", flat=True)[LOOKED_BACK - 1 : LOOKED_BACK + 1]
    if len(times := list(oldest)) < 2:
        return None
    since = wanted.get("since")
    return None if since and _midnight(since) >= times[0] else times[0]


def narrowed(
    entries: QuerySet[AuditEntry], wanted: dict[str, Any], back_to: datetime | None = None
) -> QuerySet[AuditEntry]:
    """The lines that the filters of the audit page leave, since a time if there is one; empty
    filters are none."""
    conditions, ends = Q(), AuditEntry.objects.exclude(intent=None)
    if since := _latest(back_to, wanted.get("since")):
        # No index leads from lines to their ends in time: those are after them, as clocks go.
        conditions &= Q(time__gte=since)
        ends = ends.filter(time__gte=since - _CLOCKS_DIFFER)
    if until := wanted.get("until"):
        before = _midnight(until + timedelta(days=1))
        conditions &= Q(time__lt=before)
        ends = ends.filter(intent__time__lt=before)
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
    """Lines that say of themselves how they ended; nobody knows of those without an end."""
    said = Q(outcome=outcome)
    if outcome != Outcome.UNKNOWN:
        return said
    return said | Q(outcome=Outcome.BEGUN) & ~Q(sequence__in=ends.values("intent"))


def _contains(word: str, names: Iterable[str]) -> Q:
    found = Q()
    form = any_form(word)
    for name in names:
        if name in _WORDS:
            found |= Q(**{f"{name}__iregex": form})
        else:
            found |= Q(**{f"{name}__icontains": word})
    return found


def _latest(back_to: datetime | None, since: date | None) -> datetime | None:
    asked = _midnight(since) if since else None
    return max((at for at in (back_to, asked) if at), default=None)


def _midnight(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.min))
