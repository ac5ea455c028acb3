"""Arrival of people at planned sessions; some come before the host, who may never come."""

import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from portal.contract.users import UserStatus
from portal.sandbox.history import course, roster
from portal.sandbox.history.hosts import Attendee, alternative_hosts, attendee
from portal.sandbox.models import Instance, Session, SessionKind, Trait, User
from portal.sandbox.sample.names import guest

EARLY = timedelta(minutes=5)
LATE = timedelta(minutes=10)
_INSTANT = 1
_KEPT = 0.67

Draw = Callable[[random.Random], User | None]


def arrive(at: datetime, draw: Draw) -> None:
    """Lets all people in who are due; `draw` picks an active person of the account."""
    _give_up_waiting(at)
    due = Session.objects.filter(start_time__gt=at - LATE, start_time__lte=at + EARLY)
    for session in due.exclude(type=_INSTANT).select_related("host").order_by("number"):
        _Appointment(session, draw).move(at)


def _give_up_waiting(at: datetime) -> None:
    """Removes people who waited for a host who never came."""
    over = Session.objects.filter(start_time__gt=at - 2 * LATE, start_time__lte=at - LATE)
    over.exclude(waiting=[]).update(waiting=[])


class _Appointment:
    """A session at its time; arrivals are derived from both, so that every call gives the same
    ones."""

    def __init__(self, session: Session, draw: Draw) -> None:
        self._session, self._draw = session, draw
        self._start = session.start_time or session.created_at
        self._chance = random.Random(f"{session.number}:{self._start}")  # noqa: S311
        self._kept = self._chance.random() < _KEPT
        self._opened_at = self._start + timedelta(seconds=self._chance.randint(-60, 240))

    def move(self, at: datetime) -> None:
        session = self._session
        running = course.live_instance(session.number)
        if running and not running.traits & Trait.HOSTLESS:
            return
        if running is None and self._is_over():
            return
        opener = self._opener() if self._opened_at <= at else None
        if opener is None:
            self._let_guests_arrive(at, running)
        elif running is None:
            course.begin_instance(session, at, opener)
        else:
            course.join(running, at, opener)

    def _is_over(self) -> bool:
        held = Instance.objects.filter(number=self._session.number)
        return held.filter(start_time__gte=self._start - EARLY).exists()

    def _opener(self) -> Attendee | None:
        """Returns the host in two sessions of three, else an alternative host."""
        host = self._session.host
        if self._kept and host.status == UserStatus.ACTIVE:
            return attendee(host)
        return next(map(attendee, alternative_hosts(self._session)), None)

    def _let_guests_arrive(self, at: datetime, running: Instance | None) -> None:
        """Lets guests in before the host, which only meetings allow."""
        if self._session.kind != SessionKind.MEETING:
            return
        there = {email for _, email, _ in self._session.waiting}
        there |= {one.email for one in roster.read(running)} if running else set()
        for who, when in self._guests():
            if when <= at and who.email not in there:
                course.arrive(self._session, at, who)

    def _guests(self) -> Iterator[tuple[Attendee, datetime]]:
        chance = self._chance
        for _ in range(chance.randint(0, 3)):
            when = self._start + timedelta(seconds=chance.randint(-240, 240))
            person = self._draw(chance) if chance.random() < 0.7 else None
            who = attendee(person) if person else Attendee(*guest(chance))
            if who.user_id != self._session.host_id:
                yield who, when
