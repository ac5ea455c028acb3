"""The registrations that go with occurrences which are replaced or deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from portal.access.models import Connection
from portal.client import Api, ApiError
from portal.config import cache
from portal.contract.registrants import RegistrantDetails, RegistrantStatus
from portal.contract.sessions import ApprovalType, Occurrence, RegistrationType
from portal.sessions.services.registrants import RegistrantLookup, count, everyone
from portal.sessions.services.replacing import Replacement
from portal.sessions.services.session import Details, SessionRecord
from portal.translation import gettext as _
from portal.translation import ngettext, number
from portal.ui.concurrency import concurrently

BY_OCCURRENCE = (RegistrationType.FOR_EACH, RegistrationType.ONCE_FOR_CHOSEN)
# Whoever was denied is registered for nothing.
STATUSES = (RegistrantStatus.APPROVED, RegistrantStatus.PENDING)
_KEPT_FOR = 30  # seconds


@dataclass(frozen=True)
class DatedRegistrant:
    """Somebody who is registered for some dates; without `starts`, for the session as a whole."""

    person: RegistrantDetails
    status: RegistrantStatus
    starts: tuple[datetime, ...]


@dataclass(frozen=True)
class LostSession:
    """The number of registrations that go, and of their people; `is_known` is false if the service
    did not report them."""

    registrations: int = 0
    people: int = 0
    is_known: bool = True

    def __bool__(self) -> bool:
        return bool(self.registrations) or not self.is_known

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
        text = f"{self.registrations} {self.people} {self.is_known}"
        return sha256(text.encode()).hexdigest()[:24]


def lost_with(
    api: Api, connection: Connection, session: SessionRecord, replacement: Replacement | None
) -> LostSession:
    """Returns the registrations that go with the replaced dates; cached for some seconds, since it
    is asked for while a person types."""
    gone = replacement.gone if replacement else ()
    if not gone or not is_by_occurrence(session.details):
        return LostSession()
    numbers = ",".join(str(one.occurrence_id) for one in gone)
    named = f"{connection.key} {session.spec.family} {session.id} {numbers}"
    key = f"lost:{sha256(named.encode()).hexdigest()}"
    known = cache.get(key)
    if known is None:
        try:
            lost = LostSession.of(registered(api, session, gone))
        except ApiError:
            return LostSession(is_known=False)
        known = [lost.registrations, lost.people]
        cache.set(key, known, _KEPT_FOR)
    return LostSession(*known)


def lost_with_session(api: Api, session: SessionRecord) -> LostSession:
    """Returns the registrations that go with a session as a whole."""
    try:
        return LostSession.of(enrolled(api, session))
    except ApiError:
        return LostSession(is_known=False)


def enrolled(api: Api, session: SessionRecord) -> list[DatedRegistrant]:
    """Returns who is registered for a session or any of its occurrences. Raises `ApiError`."""
    if is_by_occurrence(session.details):
        return registered(api, session, session.occurrences)
    settings, family = session.details.settings, session.spec.registrants
    if settings and settings.approval_type == ApprovalType.NONE:
        return []
    return [
        DatedRegistrant(person, status, ())
        for status in STATUSES
        for person in everyone(api, family, session.id, RegistrantLookup(status))
    ]


def is_by_occurrence(details: Details) -> bool:
    """Returns whether people register for single dates; true for a series if the service reports no
    settings."""
    settings = details.settings
    if settings is None:
        return bool(details.occurrences)
    takes_any = settings.approval_type != ApprovalType.NONE
    return takes_any and settings.registration_type in BY_OCCURRENCE


def registered(
    api: Api, session: SessionRecord, occurrences: Sequence[Occurrence]
) -> list[DatedRegistrant]:
    """Returns who is registered for some of the occurrences. Raises `ApiError`."""
    family = session.spec.registrants
    statuses = [
        status
        for status in STATUSES
        if count(api, family, session.id, RegistrantLookup(status)) != 0
    ]

    def ask(asked: tuple[RegistrantStatus, Occurrence]) -> list[RegistrantDetails]:
        status, one = asked
        lookup = RegistrantLookup(status, str(one.occurrence_id))
        return list(everyone(api, family, session.id, lookup))

    pairs = [(status, one) for status in statuses for one in occurrences if one.start_time]
    found: dict[tuple[str, RegistrantStatus], DatedRegistrant] = {}
    for (status, one), people in zip(pairs, concurrently(ask, pairs), strict=True):
        for person in people:
            key = (person.id or person.email, status)
            known = found.get(key)
            starts = known.starts if known else ()
            begins = (one.start_time,) if one.start_time else ()
            found[key] = DatedRegistrant(person, status, (*starts, *begins))
    return list(found.values())
