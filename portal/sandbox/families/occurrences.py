"""Occurrences of recurring meetings and webinars."""

from datetime import datetime

from django.db.models import QuerySet

from portal.contract.recurrence import Recurrence
from portal.contract.sessions import Occurrence as OccurrenceDocument
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound, invalid
from portal.sandbox.models import Occurrence, Session
from portal.sandbox.recurrence import starts

AVAILABLE = "available"


def occurrence_starts(session: Session) -> list[datetime]:
    """Returns the starts by the session's recurrence; raises `InvalidInput` if there is none."""
    if session.start_time is None or session.recurrence is None:
        return []
    recurrence = Recurrence(**session.recurrence)
    found = starts(session.start_time, session.timezone, recurrence, session.wall_time)
    if not found:
        raise invalid("recurrence.end_date_time", "It ends before it takes place.")
    return found


def replace_occurrences(session: Session) -> None:
    """Replaces the coming occurrences by those of the recurrence; past ones stay.

    All occurrences of a series that is new, or lies wholly in the past, are replaced. Registrations
    for removed occurrences are removed with them.
    """
    planned = occurrence_starts(session)
    known = set(session.occurrences.values_list("number", flat=True))
    coming = [start for start in planned if start > now()] if known else []
    stale = session.occurrences.exclude(start_time__in=coming or planned)
    (stale.filter(start_time__gt=now()) if coming else stale).delete()
    session.occurrences.filter(start_time__in=coming or planned).update(duration=session.duration)
    wanted = [Occurrence.at(session, start) for start in coming or planned]
    Occurrence.objects.bulk_create(each for each in wanted if each.number not in known)
    forget_the_unregistered(session)


def coming_occurrences(session: Session) -> QuerySet[Occurrence]:
    return session.occurrences.filter(start_time__gt=now())


def forget_the_unregistered(session: Session) -> None:
    """Deletes registrants without a remaining occurrence."""
    session.registrants.filter(registrations=None).delete()


def occurrence_of(session: Session, number: str) -> Occurrence:
    found = None
    if len(number) < 19:
        found = session.occurrences.filter(number=int(number)).first()
    if found is None:
        raise NotFound("occurrence")
    return found


def occurrence_documents(session: Session) -> list[OccurrenceDocument]:
    return [
        OccurrenceDocument(
            occurrence_id=each.number,
            start_time=each.start_time,
            duration=each.duration,
            status=AVAILABLE,
        )
        for each in session.occurrences.order_by("start_time")
    ]
