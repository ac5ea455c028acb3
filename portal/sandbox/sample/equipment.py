"""Devices, rooms, telephony and tracking fields of the sample account; all numbers are from ranges
for fiction."""

import random

from portal.sandbox.identifiers import as_id
from portal.sandbox.models import (
    ConferenceRoom,
    Device,
    PacAccount,
    Provider,
    TrackingField,
    TspAccount,
    User,
)
from portal.sandbox.sample.names import DOMAIN

_PLACES = ("Boardroom", "Auditorium", "Lakeside", "Orchard", "Studio", "Training room", "Lobby")
_COST_CENTRE = "Cost centre"
_FIELDS: tuple[tuple[str, list[str]], ...] = (
    (_COST_CENTRE, ["CC-100 Sales", "CC-210 Engineering", "CC-340 People", "CC-900 Board"]),
    ("Customer", []),
    ("Project", ["Atlas", "Beacon", "Compass", "Delta"]),
    ("Region", ["Americas", "Asia Pacific", "Europe"]),
)


def install(chance: random.Random, *, asks_for_cost_centre: bool) -> None:
    """Creates devices, provider and tracking fields. All addresses are from networks for
    documentation."""
    Device.objects.bulk_create(
        Device(
            id=as_id(chance.randbytes(16)),
            name=place,
            ip=f"192.0.2.{host}",
            protocol=chance.choice(("H.323", "SIP")),
            encryption=chance.choice(("auto", "auto", "yes", "no")),
        )
        for place, host in zip(_PLACES, chance.sample(range(10, 250), len(_PLACES)), strict=True)
    )
    Provider.objects.create(
        enable=True,
        tsp_provider="Meridian Voice",
        dial_in_numbers=[
            {"code": "1", "number": "2125550110", "type": "toll"},
            {"code": "1", "number": "8005550110", "type": "tollfree"},
            {"code": "44", "number": "2079460110", "type": "toll"},
        ],
    )
    TrackingField.objects.bulk_create(
        TrackingField(
            id=as_id(chance.randbytes(16)),
            field=name,
            name_key=name.lower(),
            required=asks_for_cost_centre and name == _COST_CENTRE,
            recommended_values=values,
        )
        for name, values in _FIELDS
    )


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


_DIAL_IN = (
    {"code": "+1", "country_label": "US", "number": "2125550142", "type": "toll"},
    {"code": "+1", "country_label": "US Free", "number": "8005550199", "type": "tollfree"},
    {"code": "+44", "country_label": "UK", "number": "2079460958", "type": "toll"},
    {"code": "+49", "country_label": "DE", "number": "3023125014", "type": "toll"},
    {"code": "+33", "country_label": "FR", "number": "199004242", "type": "toll"},
)
_PAC_NUMBERS = (
    {"country": "US", "number": "12125550173"},
    {"country": "GB", "number": "442079460321"},
    {"country": "DE", "number": "493023125781"},
)


def equip(users: list[User], chance: random.Random) -> None:
    TspAccount.objects.bulk_create(
        account for user in users if chance.random() < 0.06 for account in _tsp(user, chance)
    )
    PacAccount.objects.bulk_create(
        PacAccount(user=user, document=_pac(chance)) for user in users if chance.random() < 0.05
    )


def _tsp(user: User, chance: random.Random) -> list[TspAccount]:
    return [
        TspAccount(
            user=user,
            index=index,
            conference_code=str(chance.randrange(10**5, 10**8)),
            leader_pin=str(chance.randrange(10**3, 10**6)),
            dial_in_numbers=chance.sample(_DIAL_IN, chance.randint(1, 3)),
        )
        for index in range(1, chance.choice((1, 1, 1, 2)) + 1)
    ]


def _pac(chance: random.Random) -> dict[str, object]:
    return {
        "conference_id": chance.randrange(10**8, 10**9),
        "dedicated_dial_in_number": [dict(chance.choice(_PAC_NUMBERS))],
        "global_dial_in_numbers": [dict(number) for number in _PAC_NUMBERS],
        "listen_only_password": f"{chance.randrange(10**5):05}",
        "participant_password": f"{chance.randrange(10**5):05}",
    }
