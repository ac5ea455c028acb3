"""Half a year of past sessions of the sample account, and its running ones."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

import orjson

from portal.contract.polls import PollStatus
from portal.contract.users import LicenceType, UserStatus
from portal.sandbox.history.course import calls_of, opened
from portal.sandbox.history.hosts import name_of
from portal.sandbox.history.polling import questions_of
from portal.sandbox.history.roster import read
from portal.sandbox.identifiers import as_uuid
from portal.sandbox.models import (
    ConferenceRoom,
    Instance,
    Poll,
    RecordedMeeting,
    Session,
    SessionKind,
    TelephoneCall,
    Trait,
    User,
)
from portal.sandbox.sample.names import guest
from portal.sandbox.sample.plans import keep_sessions
from portal.sandbox.sample.sessions import TOPICS, WEBINAR_TOPICS, weekly_webinar

DAYS = 182
_CHUNK = 2000
_ONCE = (2, 5)
_FIELDS = ("Cost centre", "Project code")


@dataclass(frozen=True)
class _Person:
    """A participant as JSON, since many take part in many sessions."""

    id: str
    entry: str


def hold(
    users: list[User], rooms: list[ConferenceRoom], chance: random.Random, today: datetime
) -> None:
    """Creates instances of the planned sessions of the past and of many instant ones, some
    recorded."""
    active = [user for user in users if user.status == UserStatus.ACTIVE]
    if not active:
        return
    history = _History(active, rooms, chance, today)
    held = iter(history.all())
    while chunk := list(islice(held, _CHUNK)):
        Instance.objects.bulk_create(chunk)
        TelephoneCall.objects.bulk_create(_calls(chunk))
    _end_polls()


def hold_weekly(
    users: list[User], rooms: list[ConferenceRoom], chance: random.Random, today: datetime
) -> None:
    """Creates past instances of one host's weekly webinar, so that small accounts have some too."""
    active = [user for user in users if user.status == UserStatus.ACTIVE]
    host = next((user for user in active if user.type != LicenceType.BASIC), None)
    if host is None:
        return
    session = weekly_webinar(host, chance, today)
    keep_sessions([session], chance, today)
    history, upcoming = _History(active, rooms, chance, today), session.start_time
    assert upcoming  # noqa: S101 - it has a fixed time
    held = [history.held(session, upcoming - timedelta(weeks=week)) for week in range(1, 5)]
    Instance.objects.bulk_create(held)
    TelephoneCall.objects.bulk_create(_calls(held))


def _polls_by_session() -> dict[int, list[Poll]]:
    found: dict[int, list[Poll]] = defaultdict(list)
    for poll in Poll.objects.order_by("created_at", "id"):
        found[poll.session_id].append(poll)
    return found


def _end_polls() -> None:
    """Ends the polls of past single sessions; those of series are put again."""
    over = Instance.objects.filter(end_time__isnull=False, type__in=_ONCE).exclude(polls=[])
    Poll.objects.filter(session_id__in=over.values("number")).update(status=PollStatus.ENDED.value)


def _calls(held: Iterable[Instance]) -> list[TelephoneCall]:
    return [
        call
        for each in held
        if each.traits & Trait.PHONE and each.end_time
        for call in calls_of(each, read(each))
    ]


class _History:
    def __init__(
        self,
        hosts: list[User],
        rooms: list[ConferenceRoom],
        chance: random.Random,
        today: datetime,
    ) -> None:
        self._hosts = hosts
        self._rooms = rooms
        self._chance = chance
        self._today = today
        # In a large account each host has less of a history, for all of them have much.
        self._share = min(1.0, 2000 / len(hosts))
        self._people = [_Person(user.id, _person(user)) for user in hosts]
        self._by_id = {user.id: user for user in hosts}
        self._polls = _polls_by_session()

    def all(self) -> Iterator[Instance]:
        sessions = list(Session.objects.order_by("number"))
        self._open_webinars(sessions)
        for session in sessions:
            if session.live_since:
                yield self._live(session)
            else:
                yield from self._as_scheduled(session)
        numbers = {session.number for session in sessions}
        for recorded in RecordedMeeting.objects.order_by("start_time", "uuid"):
            if recorded.host_id in self._by_id:
                yield self._as_recorded(recorded)
        for host in self._hosts:
            often = self._chance.choice((0, 2, 5, 9, 9, 14, 22)) * self._share
            for _ in range(int(often + self._chance.random())):
                yield self._instant(host, numbers)
            if host.type != LicenceType.BASIC and self._chance.random() < 0.15:
                for _ in range(self._chance.randint(1, 5)):
                    yield self._instant(host, numbers, SessionKind.WEBINAR)

    def _open_webinars(self, sessions: list[Session]) -> None:
        """Begins a webinar, in large accounts several."""
        webinars = [each for each in sessions if each.kind == SessionKind.WEBINAR]
        for session in webinars[: 1 + len(self._hosts) // 800]:
            minutes = self._chance.randint(5, 40)
            session.start_time = session.live_since = self._today - timedelta(minutes=minutes)
            Session.objects.bulk_update(
                [_prepared(session)], ["start_time", "live_since", "fragment"]
            )

    def _as_scheduled(self, session: Session) -> Iterator[Instance]:
        """Returns the past starts of a session: one, or each week of a series without two in
        ten."""
        first = session.start_time
        if session.type in _ONCE and first and first + timedelta(hours=3) < self._today:
            yield self.held(session, first)
        elif session.type in (3, 6, 8, 9):
            first = first or self._today.replace(minute=0) - timedelta(days=2, hours=3)
            while first > self._today - timedelta(hours=3):
                first -= timedelta(weeks=1)
            weeks = (
                self._chance.randint(2, 3 + int(9 * self._share)) if session.type in (3, 8) else 2
            )
            for week in range(weeks):
                if self._chance.random() < 0.8:
                    yield self.held(session, first - timedelta(weeks=week))

    def held(self, session: Session, planned: datetime) -> Instance:
        """Returns an instance of a session at about its planned time."""
        start = planned + timedelta(seconds=self._chance.randint(-120, 240))
        minutes = max(4, int((session.duration or 45) * self._chance.uniform(0.6, 1.2)))
        held = self._opened(session, start)
        held.uuid = as_uuid(self._chance.randbytes(16))
        held.polls = questions_of(self._polls[session.number])
        return self._filled(held, minutes)

    def _as_recorded(self, recorded: RecordedMeeting) -> Instance:
        """Returns the instance of a recording, which has its UUID."""
        session = Session(
            uuid=recorded.uuid,
            number=recorded.number,
            kind=SessionKind.MEETING,
            type=2,
            topic=recorded.topic,
            host_id=recorded.host_id,
        )
        held = self._opened(session, recorded.start_time)
        held.traits = int(Trait.RECORDED)
        return self._filled(held, recorded.duration)

    def _instant(
        self, host: User, numbers: set[int], kind: SessionKind = SessionKind.MEETING
    ) -> Instance:
        chance = self._chance
        webinar = kind == SessionKind.WEBINAR
        number = chance.randrange(10**8, 10**9)
        while number in numbers:
            number = chance.randrange(10**8, 10**9)
        session = Session(
            uuid=as_uuid(chance.randbytes(16)),
            number=number,
            kind=kind,
            type=5 if webinar else 1,
            topic=chance.choice(WEBINAR_TOPICS if webinar else TOPICS),
            host_id=host.id,
        )
        day = self._today - timedelta(days=chance.randint(1, DAYS))
        if day.weekday() > 4 and chance.random() < 0.9:
            day -= timedelta(days=2)
        morning = day.replace(hour=6, minute=0, second=0)
        start = morning + timedelta(seconds=chance.randrange(12 * 3600))
        held = self._opened(session, min(start, self._today - timedelta(hours=2)))
        minutes = int(chance.lognormvariate(3.8 if webinar else 3.2, 0.5 if webinar else 0.7)) + 1
        return self._filled(held, min(115, minutes))

    def _live(self, session: Session) -> Instance:
        """Returns a running instance. Its room, if there is one, is in use since its start."""
        held = self._opened(session, session.live_since or self._today)
        so_far = int((self._today - held.start_time).total_seconds())
        return self._filled(held, max(1, so_far // 60), live=True)

    def _opened(self, session: Session, start: datetime) -> Instance:
        return opened(session, self._by_id[session.host_id], start)

    def _filled(self, held: Instance, minutes: int, *, live: bool = False) -> Instance:
        """Returns the instance with participants in the format of the roster, since there are very
        many."""
        chance, seconds = self._chance, minutes * 60
        webinar = held.kind == SessionKind.WEBINAR
        people = self._invited(held.host_id, webinar)
        traits, stays, entries, ports = held.traits, 0, [], 0
        for place, entry in enumerate(people):
            joined = int(chance.random() * seconds * 0.12) if place else 0
            left = seconds - int(chance.random() ** 4 * (seconds - joined)) if place else seconds
            own = _traits(chance, place, webinar)
            if not place:
                own |= held.traits & Trait.RECORDED
            traits |= own
            ports += bool(own & Trait.DEVICE)
            stays += left - joined
            entries.append(f"[{entry},{joined},{'null' if live else left},{own}]")
        held.roster = f"[{','.join(entries)}]"
        held.traits, held.ports = int(traits) | self._happened(webinar), ports
        held.participants = len(people)
        if not live:
            held.end_time = held.start_time + timedelta(seconds=seconds)
            held.total_minutes = -(-stays // 60)
        if not webinar and self._rooms and chance.random() < 0.06:
            self._place(held, live)
        if chance.random() < 0.1:
            field = chance.choice(_FIELDS)
            held.tracking_fields = [{"field": field, "value": str(chance.randint(1000, 9999))}]
        held.prepare()
        return held

    def _invited(self, host_id: str, webinar: bool) -> list[str]:
        """Returns the host and the other participants, each once, as beginnings of their
        entries."""
        chance = self._chance
        number = chance.randint(12, 60) if webinar else chance.choice((1, 2, 2, 2, 3, 3, 4, 6, 9))
        people = {host_id: _person(self._by_id[host_id])}
        for _ in range(number - 1):
            if chance.random() < (0.7 if webinar else 0.2):
                name, email = guest(chance)
                people[email] = orjson.dumps(["", name, email]).decode()[1:-1]
            else:
                one = self._people[int(chance.random() * len(self._people))]
                people[one.id] = one.entry
        return list(people.values())

    def _happened(self, webinar: bool) -> int:
        chance, traits = self._chance, 0
        if webinar:
            traits |= Trait.ASKED
        if chance.random() < 0.03:
            traits |= Trait.THIRD_PARTY_AUDIO
        return int(traits)

    def _place(self, held: Instance, live: bool) -> None:
        held.room = room = self._chance.choice(self._rooms)
        if live or room.last_start_time is None or room.last_start_time < held.start_time:
            room.last_start_time = held.start_time


def _prepared(session: Session) -> Session:
    session.prepare()
    return session


def _traits(chance: random.Random, place: int, webinar: bool) -> int:
    """Returns traits: most use the computer's audio; the host and few others share."""
    drawn = chance.random()
    if drawn < 0.04:
        return int(Trait.PHONE)
    traits = int(Trait.COMPUTER_AUDIO)
    if drawn < 0.065:
        traits = int(Trait.DEVICE)
    if chance.random() < (0.15 if webinar and place else 0.7):
        traits |= Trait.VIDEO
    if chance.random() < (0.4 if not place else 0.08 if not webinar else 0):
        traits |= chance.choice((Trait.DESKTOP, Trait.DESKTOP, Trait.APPLICATION, Trait.WHITEBOARD))
    if chance.random() < 0.07:
        traits |= Trait.BAD_NETWORK
    return traits


def _person(user: User) -> str:
    return orjson.dumps([user.id, name_of(user), user.email]).decode()[1:-1]
