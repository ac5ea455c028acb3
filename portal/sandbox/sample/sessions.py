"""Meetings and webinars of the sample account, around today."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from portal.contract.users import LicenceType, UserStatus
from portal.sandbox.identifiers import as_uuid
from portal.sandbox.models import Session, SessionKind, User

TOPICS = (
    "Weekly stand-up",
    "Budget review",
    "1:1",
    "Candidate interview",
    "Customer onboarding: Lumen & Sons",
    "Design critique",
    "Incident review",
    "Kick-off «Polaris»",
    "Quarterly planning",
    "Retrospective",
    "Sales pipeline",
    "Release go/no-go",
    "設計レビュー",
    "Vertragsprüfung",
    "Reunión de equipo",
)
WEBINAR_TOPICS = (
    "Product tour for new customers",
    "What is new this quarter?",
    "Security basics for everyone",
    "Partner briefing: Asia & Pacific",
    "Accessibility by design",
)
_INSTANT, _SCHEDULED, _NO_FIXED_TIME, _RECURRING = 1, 2, 3, 8
_WEBINAR, _WEBINAR_NO_FIXED_TIME, _WEBINAR_RECURRING = 5, 6, 9


def schedule(users: list[User], chance: random.Random, today: datetime) -> list[Session]:
    """Returns sessions that are not stored yet: most hosts have a few meetings, some have webinars,
    and one in forty is in a meeting now."""
    sessions = [
        session
        for host in users
        if host.status == UserStatus.ACTIVE
        for session in _hosted_by(host, chance, today)
    ]
    numbers = chance.sample(range(10**8, 10**9), len(sessions))
    for session, number in zip(sessions, numbers, strict=True):
        session.number = number
    return sessions


def _hosted_by(host: User, chance: random.Random, today: datetime) -> Iterator[Session]:
    for _ in range(chance.choice((0, 1, 2, 2, 3, 4, 6))):
        yield _meeting(host, chance, today)
    if chance.random() < 0.025:
        yield _live_meeting(host, chance, today)
    if host.type != LicenceType.BASIC and chance.random() < 0.12:
        for _ in range(chance.randint(1, 3)):
            yield _webinar(host, chance, today)


def _meeting(host: User, chance: random.Random, today: datetime) -> Session:
    session = _session(host, SessionKind.MEETING, chance, today)
    session.topic = chance.choice(TOPICS)
    session.type = chance.choices((_SCHEDULED, _NO_FIXED_TIME, _RECURRING), (70, 10, 20))[0]
    if session.type != _NO_FIXED_TIME:
        session.start_time = _slot(chance, today, -20, 60)
        session.duration = chance.choice((15, 30, 30, 45, 60, 60, 90))
    return session


def _live_meeting(host: User, chance: random.Random, today: datetime) -> Session:
    session = _session(host, SessionKind.MEETING, chance, today)
    session.topic = chance.choice(TOPICS)
    session.type = chance.choice((_INSTANT, _SCHEDULED))
    session.start_time = today - timedelta(minutes=chance.randint(2, 50))
    session.live_since = session.start_time
    session.duration = 60
    return session


def _webinar(host: User, chance: random.Random, today: datetime) -> Session:
    session = _session(host, SessionKind.WEBINAR, chance, today)
    session.topic = chance.choice(WEBINAR_TOPICS)
    session.type = chance.choices(
        (_WEBINAR, _WEBINAR_NO_FIXED_TIME, _WEBINAR_RECURRING), (80, 5, 15)
    )[0]
    if session.type != _WEBINAR_NO_FIXED_TIME:
        session.start_time = _slot(chance, today, -45, 75)
        session.duration = chance.choice((45, 60, 90))
    return session


def weekly_webinar(host: User, chance: random.Random, today: datetime) -> Session:
    session = _webinar(host, chance, today)
    session.type, session.topic = _WEBINAR_RECURRING, "Product update of the week"
    tuesday = today + timedelta(days=(1 - today.weekday()) % 7 or 7)
    session.start_time, session.duration = tuesday.replace(hour=15, minute=0, second=0), 60
    session.number = next(
        number
        for number in iter(lambda: chance.randrange(10**8, 10**9), None)
        if not Session.objects.filter(number=number).exists()
    )
    return session


def _session(host: User, kind: SessionKind, chance: random.Random, today: datetime) -> Session:
    return Session(
        uuid=as_uuid(chance.randbytes(16)),
        kind=kind,
        host=host,
        timezone=host.timezone,
        created_at=today - timedelta(minutes=chance.randint(30, 60 * 24 * 60)),
    )


def _slot(chance: random.Random, today: datetime, first_day: int, last_day: int) -> datetime:
    """Returns a quarter of an hour in working time, a number of days from today."""
    day = today.replace(hour=7, minute=0, second=0) + timedelta(
        days=chance.randint(first_day, last_day)
    )
    return day + timedelta(minutes=15 * chance.randrange(40))
