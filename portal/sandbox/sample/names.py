"""Names of people from many countries, the addresses made from them, and guests from outside."""

import json
import random
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

DOMAIN = "brightwater.example"


@dataclass(frozen=True)
class Identity:
    """A made-up person; `local_part` is unique."""

    first_name: str
    last_name: str
    local_part: str
    timezone: str
    language: str

    @property
    def email(self) -> str:
        return f"{self.local_part}@{DOMAIN}"


class Identities:
    """A source of made-up people, the same for the same random numbers."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._taken: set[str] = set()

    def next(self) -> Identity:
        places = _places()
        place = self._chance.choices(places, [each["weight"] for each in places])[0]
        first, first_latin = _spelt(self._chance.choice(place["given"]))
        last, last_latin = _spelt(self._chance.choice(place["family"]))
        local_part = self._free(f"{first_latin}.{last_latin}")
        zone = self._chance.choice(place["zones"])
        return Identity(first, last, local_part, zone, place["language"])

    def _free(self, name: str) -> str:
        tries = (name if number == 1 else f"{name}{number}" for number in count(1))
        found = next(each for each in tries if each not in self._taken)
        self._taken.add(found)
        return found


@cache
def _places() -> list[dict[str, Any]]:
    places: list[dict[str, Any]] = json.loads(Path(__file__).with_name("names.json").read_text())
    return places


def _spelt(entry: str | list[str]) -> tuple[str, str]:
    """Returns a name, and its spelling in an address."""
    if isinstance(entry, list):
        return entry[0], entry[1]
    plain = unicodedata.normalize("NFKD", entry).encode("ascii", "ignore").decode().lower()
    return entry, plain.replace("'", "").replace(" ", "")


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
