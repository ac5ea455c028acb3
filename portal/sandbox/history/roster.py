"""The participants of an instance as one compact text.

An entry is `[user ID, name, email, joined, left, traits]`, with times as seconds from the start;
entries are never removed, so their place in the list identifies them. All other facts about a
participant are derived from their id, so that half a year of sessions takes little room.
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
    """One stay of one person; it has no end while they are present."""

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
        """Returns the identity that all stays of one person share."""
        return self.account_id or self.email or self.id

    def seconds(self, now: datetime) -> int:
        return max(0, int(((self.left or now) - self.joined).total_seconds()))


def read(instance: Instance) -> list[Participant]:
    """Returns all stays in their order."""
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
    """Returns each person's first stay."""
    return list({one.person: one for one in reversed(read(instance))}.values())[::-1]


def write(instance: Instance, participants: Iterable[Participant]) -> None:
    """Writes the stays into the instance, with the counts that are derived from them."""
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
