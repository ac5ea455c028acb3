"""TSP and PAC accounts of the sample account; all numbers are from ranges for fiction."""

import random

from portal.sandbox.models import PacAccount, TspAccount, User

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
