"""Replacement of the dates of a series that is given new times.

The service makes the coming ones anew, and a series that lies wholly in the past as a whole. With a
date that is no more, everything that belonged to it alone is gone; a deleted date comes back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from portal.config import clock
from portal.contract.sessions import Occurrence
from portal.sessions.services.session import SessionRecord
from portal.sessions.times import local_time


@dataclass(frozen=True)
class Replacement:
    """`dates` are all that it takes place at then, `gone` the occurrences that are no more.

    `follows` says which new date comes for an old one, and `back` the same of those that had been
    deleted.
    """

    dates: tuple[datetime, ...]
    gone: tuple[Occurrence, ...] = ()
    follows: Mapping[datetime, datetime] = field(default_factory=dict)
    back: Mapping[datetime, datetime] = field(default_factory=dict)


def replaced(session: SessionRecord, planned: Sequence[datetime], zone: str) -> Replacement:
    """Returns the replacement by new times at which it would take place, `planned`, in a zone."""
    now = clock.now()
    coming = [each for each in planned if each > now] if session.dates else []
    wanted = coming or list(planned)
    stays = [each for each in session.dates if each <= now] if coming else []
    gone = tuple(
        one
        for one in session.occurrences
        if one.start_time and one.start_time not in (*stays, *wanted)
    )
    deleted = session.pattern.deleted if session.pattern else ()
    before = sorted({*session.dates, *deleted} - set(stays))
    before = [each for each in before if not coming or each > now]
    follows = _follows(before, wanted, (session.timezone, zone))
    back = {each: follows[each] for each in deleted if each in follows}
    return Replacement(tuple(sorted({*stays, *wanted})), gone, follows, back)


def _follows(
    before: Sequence[datetime], after: Sequence[datetime], zones: tuple[str, str]
) -> dict[datetime, datetime]:
    """As many dates follow each other in their order; of others, those on the same day."""
    if len(before) == len(after):
        return dict(zip(before, after, strict=True))
    by_day = {local_time(each, zones[1]).date(): each for each in reversed(after)}
    days = {each: local_time(each, zones[0]).date() for each in before}
    return {each: by_day[day] for each, day in days.items() if day in by_day}
