"""The participants of a session, kept as one compact text beside it.

An entry is `[user ID, name, email, joined, left, traits]`, with times as seconds from the start; an
entry is never removed, so its place in the list names it for good. Everything else that is reported
about a participant follows from their id, so that half a year of sessions takes little room.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from hashlib import blake2b
from operator import or_

import orjson

from portal.sandbox.identifiers import as_id
from portal.sandbox.models import Instance, Trait

_OF_THE_SESSION = Trait.THIRD_PARTY_AUDIO | Trait.ASKED | Trait.RECORDED | Trait.HOSTLESS

Entry = list[str | int | None]


@dataclass
class Participant:
    """One stay of one person; they are in it while they have not left."""

    instance: Instance
    place: int
    account_id: str
    name: str
    email: str
    joined: datetime
    left: datetime | None
    traits: int

    @property
    def id(self) -> str:
        named = f"{self.instance.uuid}:{self.place}".encode()
        return as_id(blake2b(named, digest_size=16).digest())

    @property
    def user_id(self) -> str:
        """Returns the id on the account; for a guest, that of the participant."""
        return self.account_id or self.id

    @property
    def person(self) -> str:
        """Returns what is equal for all stays of one person."""
        return self.account_id or self.email or self.id

    def seconds(self, now: datetime) -> int:
        return max(0, int(((self.left or now) - self.joined).total_seconds()))


def read(instance: Instance) -> list[Participant]:
    """All who ever joined, in their order."""
    start = instance.start_time
    return [
        Participant(
            instance,
            place,
            account_id,
            name,
            email,
            start + timedelta(seconds=joined),
            None if left is None else start + timedelta(seconds=left),
            traits,
        )
        for place, (account_id, name, email, joined, left, traits) in enumerate(
            orjson.loads(instance.roster)
        )
    ]


def everybody_once(instance: Instance) -> list[Participant]:
    """Each person's first stay, though they may have joined again."""
    return list({one.person: one for one in reversed(read(instance))}.values())[::-1]


def write(instance: Instance, participants: Iterable[Participant]) -> None:
    """Puts them into the instance, with the numbers that follow from them."""
    everybody = list(participants)
    instance.roster = orjson.dumps([_entry(each) for each in everybody]).decode()
    counted = [each for each in everybody if instance.end_time or each.left is None]
    instance.participants = len({each.person for each in counted})
    own = instance.traits & _OF_THE_SESSION
    instance.traits = int(reduce(or_, (each.traits for each in everybody), own))
    instance.ports = sum(bool(each.traits & Trait.DEVICE) for each in everybody)
    if instance.end_time:
        stays = sum(each.seconds(instance.end_time) for each in everybody)
        instance.total_minutes = -(-stays // 60)
    instance.prepare()


def _entry(one: Participant) -> Entry:
    start = one.instance.start_time
    joined = int((one.joined - start).total_seconds())
    left = None if one.left is None else int((one.left - start).total_seconds())
    return [one.account_id, one.name, one.email, joined, left, one.traits]
