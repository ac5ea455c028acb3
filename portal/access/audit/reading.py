"""Reading the audit trail: the intent and the outcome of a call become one line."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.timezone import make_aware

from portal.access.models import AuditEntry, Connection, Outcome, User

_SEARCHED = (
    "email",
    "operation",
    "object_id",
    "object_label",
    "connection_name",
    "message",
    "request_id",
    "sent",
    "answer__message",
    "answer__object_id",
)


def lines() -> QuerySet[AuditEntry]:
    """One entry a change, newest first, with `result`: how it ended, `begun` where nobody knows.

    The end itself is the entry's `answer`.
    """
    return (
        AuditEntry.objects.filter(intent=None)
        .select_related("answer")
        .annotate(result=Coalesce("answer__outcome", F("outcome")))
    )


def entries_for(connection: Connection, family: str, object_id: str) -> QuerySet[AuditEntry]:
    """The history of one object, such as `("users", id)`, as `lines` gives it."""
    # What was created is known by its end alone; each is found by its index.
    data = AuditEntry.objects.filter(
        connection_key=connection.key, family=family, object_id=object_id
    )
    return lines().filter(sequence__in=data.values(beginning=Coalesce("intent_id", "sequence")))


def visible_to(user: User) -> QuerySet[AuditEntry]:
    """Administrators see every line, others what they did themselves."""
    return lines() if user.is_administrator else lines().filter(actor=user)


def narrowed(entries: QuerySet[AuditEntry], wanted: dict[str, Any]) -> QuerySet[AuditEntry]:
    """The lines that the filters of the audit page leave; empty filters are none."""
    conditions = Q()
    for word in (wanted.get("q") or "").split():
        found = Q()
        for name in _SEARCHED:
            found |= Q(**{f"{name}__icontains": word})
        conditions &= found
    if person := wanted.get("person"):
        conditions &= Q(actor=person)
    if connection := wanted.get("connection"):
        conditions &= Q(connection_key=connection)
    if family := wanted.get("family"):
        conditions &= Q(operation__startswith=f"{family}.")
    if outcome := wanted.get("outcome"):
        same = (
            [Outcome.UNKNOWN, Outcome.BEGUN] if outcome == Outcome.UNKNOWN else [Outcome(outcome)]
        )
        conditions &= Q(result__in=same)
    if since := wanted.get("since"):
        conditions &= Q(time__gte=_midnight(since))
    if until := wanted.get("until"):
        conditions &= Q(time__lt=_midnight(until + timedelta(days=1)))
    return entries.filter(conditions)


def _midnight(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.min))
