"""Conference rooms of the sample account."""

import random

from portal.sandbox.identifiers import as_id
from portal.sandbox.models import ConferenceRoom
from portal.sandbox.sample.names import DOMAIN

_CITIES = ("Berlin", "Boston", "Lisbon", "London", "Mumbai", "Osaka", "São Paulo", "Sydney")
_RIVERS = ("Spree", "Charles", "Tejo", "Thames", "Mithi", "Yodo", "Tietê", "Parramatta", "Elbe")
_CAMERAS = ("Wide-angle camera", "Pan-tilt-zoom camera", "Room bar camera")
_MICROPHONES = ("Table microphone", "Ceiling array", "Room bar microphones")
_SPEAKERS = ("Room bar", "Ceiling loudspeakers", "Table loudspeaker")


def furnish(people: int, chance: random.Random) -> list[ConferenceRoom]:
    """Returns one room for every thirty people, not stored yet."""
    return [_room(at, chance) for at in range(-(-people // 30) if people else 0)]


def _room(at: int, chance: random.Random) -> ConferenceRoom:
    """Returns a room named by city, floor and river; the number keeps names unique in a large
    account."""
    city = _CITIES[at % len(_CITIES)]
    name = f"{city} {chance.randint(0, 9)}.{at // len(_CITIES):02} {chance.choice(_RIVERS)}"
    address = f"room-{at + 1}@{DOMAIN}"
    return ConferenceRoom(
        id=as_id(chance.randbytes(16)),
        name=name,
        is_online=chance.random() < 0.9,
        document={
            "account_type": "Work",
            "calender_name": address,
            "email": address,
            "device_ip": f"198.51.100.{chance.randint(1, 254)}",
            "camera": chance.choice(_CAMERAS),
            "microphone": chance.choice(_MICROPHONES),
            "speaker": chance.choice(_SPEAKERS),
        },
    )
