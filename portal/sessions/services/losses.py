"""Registrations that are deleted with a session, its occurrences or replaced dates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, cast

from portal.access.models import Connection
from portal.audit.undo.members import UndoPlan, UnrestoredValue
from portal.audit.undo.recorded import RecordedWrite
from portal.client import Api, ApiError
from portal.config import cache, clock
from portal.contract.operation import AnyOperation, Caller
from portal.contract.recurrence import Recurrence
from portal.contract.registrants import (
    RegistrantDetails,
    RegistrantStatus,
)
from portal.contract.sessions import ApprovalType, Occurrence, OccurrenceQuery, RegistrationType
from portal.sessions import mirror
from portal.sessions.kinds import kind_of
from portal.sessions.recurrence import starts
from portal.sessions.services import hosts
from portal.sessions.services.registrants import RegistrantLookup, Registrants
from portal.sessions.services.session import Details, SessionRecord, reread_session
from portal.sessions.times import Start, local_time
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.concurrency import concurrently

BY_OCCURRENCE = (RegistrationType.FOR_EACH, RegistrationType.ONCE_FOR_CHOSEN)
# Denied people are registered for nothing.
STATUSES = (RegistrantStatus.APPROVED, RegistrantStatus.PENDING)
_CACHED_FOR = 30  # seconds
# Fields of a change that replaces the dates of a series.
TIMES = frozenset({"start_time", "timezone", "recurrence", "type"})
_WHY = gettext_lazy(
    "With the earlier times all dates are replaced, and their registrations deleted. Edit it "
    "instead, which names them and can register them again."
)


def delete_session(
    api: Api, connection: Connection, session: SessionRecord, one: OccurrenceQuery | None = None
) -> None:
    """Deletes the session, or the occurrence that `one` names. Raises `ApiError`."""
    ids = (session.id, one) if one else (session.id,)
    session.spec.calls(api).delete(*ids)
    hosts.clear(connection, session.host.id)
    if one:
        reread_session(api, connection, session.spec, session.id)
    else:
        mirror.drop(connection, session.spec.family, session.id)


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


def replaced_by(
    session: SessionRecord, kind: Any, start: Start | None, zone: str, rule: Recurrence | None
) -> Replacement:
    """Returns the replacement by a change of the session's type, start, zone or recurrence. What
    the change leaves out stays as it is; without a recurrence no date is known."""
    rule = rule or (session.pattern.recurrence if session.pattern else None)
    first = start.moment if start else session.details.start_time
    if kind != session.spec.series or rule is None or first is None:
        return replaced(session, (), zone)
    wall = start.typed if start else None
    return replaced(session, starts(first, zone, rule, wall=wall), zone)


def _follows(
    before: Sequence[datetime], after: Sequence[datetime], zones: tuple[str, str]
) -> dict[datetime, datetime]:
    """As many dates follow each other in their order; of others, those on the same day."""
    if len(before) == len(after):
        return dict(zip(before, after, strict=True))
    by_day = {local_time(each, zones[1]).date(): each for each in reversed(after)}
    days = {each: local_time(each, zones[0]).date() for each in before}
    return {each: by_day[day] for each, day in days.items() if day in by_day}


@dataclass(frozen=True)
class DatedRegistrant:
    """A registrant with their dates; without `starts`, registered for the whole session."""

    person: RegistrantDetails
    status: RegistrantStatus
    starts: tuple[datetime, ...]


@dataclass(frozen=True)
class LostSession:
    """The number of registrations that go, and of their people; not `is_counted` if the service did
    not report them."""

    registrations: int = 0
    people: int = 0
    is_counted: bool = True

    def __bool__(self) -> bool:
        return bool(self.registrations) or not self.is_counted

    @classmethod
    def of(cls, registrants: Sequence[DatedRegistrant]) -> "LostSession":
        return cls(
            sum(max(1, len(one.starts)) for one in registrants),
            len({one.person.email.casefold() for one in registrants}),
        )

    @property
    def in_words(self) -> str:
        """`4 registrations of 3 people`."""
        registrations = ngettext(
            "%(count)s registration", "%(count)s registrations", self.registrations
        )
        people = ngettext("%(count)s person", "%(count)s people", self.people)
        return _("%(registrations)s of %(people)s") % {
            "registrations": registrations % {"count": number(self.registrations)},
            "people": people % {"count": number(self.people)},
        }

    @property
    def signature(self) -> str:
        """Names the loss, for a form to say that it was agreed to."""
        text = f"{self.registrations} {self.people} {self.is_counted}"
        return sha256(text.encode()).hexdigest()[:24]


def lost_with(
    api: Api, connection: Connection, session: SessionRecord, replacement: Replacement | None
) -> LostSession:
    """Returns the registrations that go with the replaced dates; cached for some seconds, since it
    is asked for while a person types."""

    def count() -> list[int]:
        lost = LostSession.of(registered_for(api, session, replacement))
        return [lost.registrations, lost.people]

    if replacement is None or not replacement.gone:
        return LostSession()
    numbers = ",".join(str(one.occurrence_id) for one in replacement.gone)
    named = f"{connection.key} {session.spec.family} {session.id} {numbers}"
    try:
        key = f"lost:{sha256(named.encode()).hexdigest()}"
        registrations, people = cache.cached(key, _CACHED_FOR, count)
    except ApiError:
        return LostSession(is_counted=False)
    return LostSession(registrations, people)


def lost_with_session(api: Api, session: SessionRecord) -> LostSession:
    """Returns the registrations that go with a session as a whole."""
    try:
        return LostSession.of(enrolled(api, session))
    except ApiError:
        return LostSession(is_counted=False)


def enrolled(api: Api, session: SessionRecord) -> list[DatedRegistrant]:
    """Returns who is registered for a session or any of its occurrences. Raises `ApiError`."""
    if is_by_occurrence(session.details):
        return registered(api, session, session.occurrences)
    settings = session.details.settings
    if settings and settings.approval_type == ApprovalType.NONE:
        return []
    listed = Registrants(api, session.spec.registrants, session.id)
    return [
        DatedRegistrant(person, status, ())
        for status in STATUSES
        for person in listed.all(RegistrantLookup(status))
    ]


def is_by_occurrence(details: Details) -> bool:
    """Returns whether people register for single dates; true for a series if the service reports no
    settings."""
    settings = details.settings
    if settings is None:
        return bool(details.occurrences)
    takes_any = settings.approval_type != ApprovalType.NONE
    return takes_any and settings.registration_type in BY_OCCURRENCE


def registered_for(
    api: Api, session: SessionRecord, replacement: Replacement | None
) -> list[DatedRegistrant]:
    """Returns the registrants of the dates that are replaced. Raises `ApiError`."""
    if replacement is None or not replacement.gone or not is_by_occurrence(session.details):
        return []
    return registered(api, session, replacement.gone)


def registered(
    api: Api, session: SessionRecord, occurrences: Sequence[Occurrence]
) -> list[DatedRegistrant]:
    """Returns who is registered for some of the occurrences. Raises `ApiError`."""
    listed = Registrants(api, session.spec.registrants, session.id)
    statuses = [status for status in STATUSES if listed.count(RegistrantLookup(status)) != 0]

    def read(pair: tuple[RegistrantStatus, Occurrence]) -> list[RegistrantDetails]:
        status, one = pair
        return list(listed.all(RegistrantLookup(status, str(one.occurrence_id))))

    pairs = [(status, one) for status in statuses for one in occurrences if one.start_time]
    by_person: dict[tuple[str, RegistrantStatus], DatedRegistrant] = {}
    for (status, one), people in zip(pairs, concurrently(read, pairs), strict=True):
        for person in people:
            key = (person.id or person.email, status)
            earlier = by_person.get(key)
            starts = earlier.starts if earlier else ()
            begins = (one.start_time,) if one.start_time else ()
            by_person[key] = DatedRegistrant(person, status, (*starts, *begins))
    return list(by_person.values())


def leave_registrations(write: RecordedWrite, plan: UndoPlan, caller: Caller) -> UndoPlan:
    """The plan without what would replace dates that people are registered for."""
    if not any(TIMES & set(call.body.sent()) for call in plan.calls if call.body is not None):
        return plan
    reading = cast(AnyOperation, write.operation.before)
    details = caller(reading.call(*write.ids[:1]))
    if not is_by_occurrence(details) or not _registered(write, caller):
        return plan
    return UndoPlan(left=[*plan.left, *(UnrestoredValue(one.title, _WHY) for one in plan.back)])


def _registered(write: RecordedWrite, caller: Caller) -> bool:
    family = kind_of(write.operation.family).registrants
    pages = (
        caller(family.list.call(write.ids[0], RegistrantLookup(status).query(1)))
        for status in STATUSES
    )
    return any(page.registrants for page in pages)
