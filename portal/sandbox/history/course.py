"""Beginning and end of sessions, and arrival and departure of people.

`Session` is the plan, `Instance` one time that it is held. Signals report each change; they are
sent within the transaction.
"""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db.models.signals import post_save, pre_delete
from django.dispatch import Signal, receiver

from portal.sandbox.clock import now
from portal.sandbox.history import roster
from portal.sandbox.history.hosts import Attendee, alternative_hosts, attendee, name_of
from portal.sandbox.history.polling import put_polls
from portal.sandbox.history.roster import Participant
from portal.sandbox.identifiers import new_uuid, timestamp
from portal.sandbox.models import Instance, Session, TelephoneCall, Trait, User

session_began = Signal()
session_ended = Signal()
session_recorded = Signal()
participant_joined = Signal()
joined_before_host = Signal()
participant_left = Signal()
somebody_waits = Signal()

_CALL_IN = (
    ("Germany", "+49 800 5550142"),
    ("United Kingdom", "+44 808 1570142"),
    ("United States", "+1 800 5550142"),
    ("France", "+33 800 905142"),
)


def live_instance(number: int) -> Instance | None:
    """Returns the running instance of the session with this number, if there is one."""
    return Instance.objects.filter(number=number, end_time=None).first()


def begin_instance(session: Session, at: datetime, first: Attendee | None = None) -> Instance:
    """Begins an instance with the host, or with `first`; a running one goes on.

    `session.uuid` names this instance. People in the waiting room come in with the host.
    """
    running = live_instance(session.number)
    if running:
        return running
    if Instance.objects.filter(uuid=session.uuid).exists():
        session.uuid = new_uuid()
    session.live_since = at = at.replace(microsecond=0)
    first = first or attendee(session.host)
    waiting, session.waiting = session.waiting, []
    instance = opened(session, session.host, at)
    if not _may_host(instance, first):
        instance.traits = int(Trait.HOSTLESS)
    instance.save(force_insert=True)
    session.save()
    session_began.send(Instance, instance=instance)
    join(instance, at, first)
    for each in waiting:
        join(instance, at, Attendee(*each))
    return instance


def end_instance(session: Session, at: datetime) -> Instance | None:
    """Ends the running instance, if there is one, and the stays of its participants.

    The session gets a new UUID, for its next instance.
    """
    running = live_instance(session.number)
    ended = close(running, at) if running else None
    if session.live_since is not None:
        session.live_since = None
        session.uuid = new_uuid()
        session.save()
    return ended


def opened(session: Session, host: User, at: datetime) -> Instance:
    """Returns an instance of the session without participants, not stored."""
    return Instance(
        uuid=session.uuid,
        number=session.number,
        kind=session.kind,
        type=session.type,
        topic=session.topic,
        host_id=host.id,
        host_name=name_of(host),
        host_email=host.email,
        host_dept=host.dept,
        licence=host.type,
        start_time=at,
        tracking_fields=getattr(session, "tracking_fields", []),
    )


def join(instance: Instance, at: datetime, who: Attendee, *, traits: int = 0) -> Participant:
    """Adds a stay of a participant; the host, or an alternative one, ends the time without a
    host."""
    people = roster.read(instance)
    if instance.traits & Trait.HOSTLESS and _may_host(instance, who):
        instance.traits &= ~Trait.HOSTLESS
    came = Participant(
        instance,
        len(people),
        who.user_id,
        who.name,
        who.email,
        at.replace(microsecond=0),
        None,
        traits or Trait.COMPUTER_AUDIO | Trait.VIDEO,
    )
    roster.write(instance, [*people, came])
    instance.save()
    participant_joined.send(Instance, instance=instance, participant=came)
    if instance.traits & Trait.HOSTLESS:
        joined_before_host.send(Instance, instance=instance, participant=came)
    return came


def leave(instance: Instance, at: datetime, place: int) -> None:
    people = roster.read(instance)
    people[place].left = max(at.replace(microsecond=0), people[place].joined)
    roster.write(instance, people)
    instance.save()
    participant_left.send(Instance, instance=instance, participant=people[place])


def arrive(session: Session, at: datetime, who: Attendee) -> None:
    """Lets a person in, if the host is present or people may join before; they wait otherwise."""
    if session.settings.get("join_before_host"):
        running = live_instance(session.number)
        if running is None:
            begin_instance(session, at, who)
        else:
            join(running, at, who)
        return
    session.waiting = [*session.waiting, [who.name, who.email, who.user_id]]
    session.save(update_fields=["waiting"])
    somebody_waits.send(Session, session=session, who=who)


def mark(instance: Instance, place: int, traits: int) -> None:
    """Adds traits to a participant."""
    people = roster.read(instance)
    people[place].traits |= traits
    roster.write(instance, people)
    instance.save()


def close(instance: Instance, at: datetime) -> Instance:
    """Ends one instance, in any state of its session."""
    at = max(at.replace(microsecond=0), instance.start_time)
    people = roster.read(instance)
    stayed = [one for one in people if one.left is None]
    for one in stayed:
        one.left = max(at, one.joined)
    instance.end_time = at
    roster.write(instance, people)
    put_polls(instance)
    instance.save()
    TelephoneCall.objects.bulk_create(calls_of(instance, people))
    for one in stayed:
        participant_left.send(Instance, instance=instance, participant=one)
    session_ended.send(Instance, instance=instance)
    return instance


def calls_of(instance: Instance, people: Sequence[Participant]) -> list[TelephoneCall]:
    """Returns the toll-free calls of participants by telephone."""
    return [
        TelephoneCall(
            instance=instance, start_time=one.joined, fragment=orjson.dumps(_call(one)).decode()
        )
        for one in people
        if one.traits & Trait.PHONE and one.left
    ]


def _call(one: Participant) -> dict[str, Any]:
    chance = random.Random(f"{one.id}:call")  # noqa: S311
    instance = one.instance
    country, called = chance.choice(_CALL_IN)
    minutes = max(1, -(-one.seconds(instance.end_time or one.joined) // 60))
    return {
        "meeting_id": instance.number,
        "meeting_type": instance.kind.capitalize(),
        "host_name": instance.host_name,
        "host_email": instance.host_email,
        "dept": instance.host_dept,
        "phone_number": f"+1 202 5550{chance.randint(100, 199)}",
        "call_in_number": called,
        "country_name": country,
        "start_time": timestamp(one.joined),
        "end_time": timestamp(one.joined + timedelta(minutes=minutes)),
        "duration": minutes,
        "total": round(minutes * 0.045, 2),
    }


def _may_host(instance: Instance, who: Attendee) -> bool:
    if who.user_id == instance.host_id:
        return True
    session = Session.objects.filter(number=instance.number).first() if who.user_id else None
    return session is not None and who.user_id in {each.id for each in alternative_hosts(session)}


@receiver(post_save, sender=Session)
def _follow_the_session(instance: Session, **_: Any) -> None:
    """Begins or ends an instance when the saved session says that it runs, or that it does not."""
    running = live_instance(instance.number)
    if instance.live_since and running is None:
        begin_instance(instance, instance.live_since)
    elif running and instance.live_since is None:
        close(running, now())


@receiver(pre_delete, sender=Session)
def _end_with_its_session(instance: Session, **_: Any) -> None:
    running = live_instance(instance.number) if instance.live_since else None
    if running:
        close(running, now())
