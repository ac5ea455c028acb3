"""Guests from outside of the account: customers, candidates, partners."""

import random

from portal.sandbox.sample.names import Identities

_FIRMS = (
    "lumen-sons.example",
    "northgate.example",
    "polaris-labs.example",
    "ferro-metall.example",
    "kawa-trading.example",
)
_known: list[tuple[str, str]] = []


def guest(chance: random.Random) -> tuple[str, str]:
    """Returns name and email of one of four hundred guests, who are the same in every account."""
    if not _known:
        made = random.Random("guests")  # noqa: S311
        identities = Identities(made)
        for _ in range(400):
            one = identities.next()
            email = f"{one.local_part}@{made.choice(_FIRMS)}"
            _known.append((f"{one.first_name} {one.last_name}", email))
    return _known[int(chance.random() * len(_known))]
