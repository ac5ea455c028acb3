"""Events of one moment of the account's life."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from portal.contract.users import LicenceType, UserStatus
from portal.sandbox.families.planning import end_session, free_pmi, unused_number
from portal.sandbox.history import course, roster
from portal.sandbox.history.hosts import Attendee, attendee
from portal.sandbox.identifiers import as_id
from portal.sandbox.models import (
    Instance,
    RecordedMeeting,
    RecordingFile,
    Session,
    SessionKind,
    Trait,
    User,
)
from portal.sandbox.sample.names import guest
from portal.sandbox.sample.recordings import FILES
from portal.sandbox.sample.sessions import TOPICS
from portal.sandbox.simulation.arrivals import arrive

_MOST_TOUCHED = 12
_SHOWN = (Trait.DESKTOP, Trait.DESKTOP, Trait.APPLICATION, Trait.WHITEBOARD)
_INSTANT = 1


class Life:
    """One step of the account's life, which keeps about one active person in forty hosting."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def move(self, at: datetime) -> None:
        live = list(Instance.objects.filter(end_time=None).order_by("start_time", "uuid"))
        going_on = [each for each in live if not self._end_if_over(each, at)]
        touched = self._chance.sample(going_on, min(len(going_on), _MOST_TOUCHED))
        for instance in touched:
            if self._chance.random() < 0.4:
                self._stir(instance, at)
        arrive(at, _somebody)
        self._begin_something(len(going_on), at)

    def _end_if_over(self, instance: Instance, at: datetime) -> bool:
        """Ends a session at the time that was drawn, also if that has passed."""
        over = instance.start_time + _planned(instance)
        if over > at:
            return False
        session = Session.objects.filter(number=instance.number).first()
        if session is None:
            course.close(instance, over)
        else:
            ended = end_session(session, over)
            if session.type == _INSTANT:
                session.delete()
            instance = ended or instance
        if instance.traits & Trait.RECORDED:
            keep_recording(instance, self._chance)
        return True

    def _stir(self, instance: Instance, at: datetime) -> None:
        people = roster.read(instance)
        present = [one for one in people if one.left is None]
        drawn = self._chance.random()
        if not present or drawn < 0.4:
            self._somebody_joins(instance, at, {one.email for one in present})
            return
        one = self._chance.choice(present)
        is_host = one.account_id == instance.host_id
        if drawn < 0.6 and not is_host:
            course.leave(instance, at, one.place)
        elif drawn < 0.8:
            course.mark(instance, one.place, self._chance.choice(_SHOWN))
        elif drawn < 0.95:
            course.mark(instance, one.place, Trait.BAD_NETWORK)
        elif instance.licence != LicenceType.BASIC and is_host:
            course.mark(instance, one.place, Trait.RECORDED)

    def _somebody_joins(self, instance: Instance, at: datetime, present: set[str]) -> None:
        chance = self._chance
        webinar = instance.kind == SessionKind.WEBINAR
        if chance.random() < (0.7 if webinar else 0.3):
            who = Attendee(*guest(chance))
        else:
            user = _somebody(chance)
            if user is None:
                return
            who = attendee(user)
        if who.email not in present:
            traits = Trait.COMPUTER_AUDIO | (Trait.VIDEO if chance.random() < 0.6 else 0)
            drawn = chance.random()
            if drawn < 0.07:
                traits = Trait.PHONE
            elif drawn < 0.12:
                traits = Trait.DEVICE | Trait.VIDEO
            course.join(instance, at, who, traits=int(traits))

    def _begin_something(self, running: int, at: datetime) -> None:
        """Begins instant meetings if fewer sessions run than usual."""
        usual = 2 + User.objects.filter(status=UserStatus.ACTIVE).count() // 40
        missing = usual - running
        if missing > 0 and self._chance.random() < 0.5:
            for _ in range(1 + missing // 20):
                self._begin_a_meeting(at)

    def _begin_a_meeting(self, at: datetime) -> None:
        host = _somebody(self._chance)
        if host is None or host.sessions.filter(live_since__isnull=False).exists():
            return
        number = free_pmi(host) if host.use_pmi else None
        if number is None:
            number = unused_number()
        session = Session(
            number=number,
            kind=SessionKind.MEETING,
            host=host,
            type=_INSTANT,
            topic=self._chance.choice(TOPICS),
            timezone=host.timezone,
            start_time=at,
            duration=60,
        )
        session.save(force_insert=True)
        course.begin_instance(session, at)


def _somebody(chance: random.Random) -> User | None:
    """Returns an active person, searched from a random id on, since accounts are large."""
    active = User.objects.filter(status=UserStatus.ACTIVE).order_by("id")
    beyond = active.filter(id__gte=as_id(chance.randbytes(16))).first()
    return beyond or active.first()


def _planned(instance: Instance) -> timedelta:
    """Returns the duration of a session, which is drawn at its beginning."""
    chance = random.Random(f"{instance.uuid}:length")  # noqa: S311
    minutes = chance.randint(40, 80) if instance.kind == SessionKind.WEBINAR else 0
    return timedelta(seconds=chance.randint(120, 3600)) + timedelta(minutes=minutes)


def keep_recording(instance: Instance, chance: random.Random) -> None:
    """Stores the cloud recording of a session that has ended."""
    host = User.objects.filter(id=instance.host_id).first()
    if host is None or instance.end_time is None:
        return
    if RecordedMeeting.objects.filter(uuid=instance.uuid).exists():
        return
    minutes = instance.minutes or 1
    recorded = RecordedMeeting.objects.create(
        uuid=instance.uuid,
        number=instance.number,
        host=host,
        topic=instance.topic,
        start_time=instance.start_time,
        duration=minutes,
    )
    _keep_files(recorded, instance.end_time, FILES[: chance.randint(2, 4)])
    course.session_recorded.send(Instance, instance=instance)


def _keep_files(
    recorded: RecordedMeeting, end: datetime, kinds: Sequence[tuple[str, str, int]]
) -> None:
    for file_type, recording_type, size_per_minute in kinds:
        RecordingFile.objects.create(
            meeting=recorded,
            file_type=file_type,
            recording_type=recording_type,
            file_size=size_per_minute * recorded.duration,
            recording_start=recorded.start_time,
            recording_end=end,
        )
