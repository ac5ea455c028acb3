"""How many licences an account has, how many are taken, and whether a plan fits.

The interface reports seats in the plans of sub accounts alone; for every other account, and where
the token may not read plans, an administrator states them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from django.db import models, transaction

from portal.access.audit import Act, record
from portal.access.models import Connection
from portal.access.origin import Origin
from portal.access.roles import Refused
from portal.client import Api, ApiError
from portal.contract.users import LicenceType
from portal.directory import users as mirror
from portal.directory.users import UserFilter
from portal.people.models import StatedSeats

SAME = -1  # a licence that a row leaves as it is
COUNTED = (LicenceType.PRO, LicenceType.CORP)
Source = Literal["", "plans", "stated"]


@dataclass(frozen=True)
class Seats:
    """The seats of one licence. `total` is None where nobody has reported it."""

    licence: LicenceType
    used: int
    total: int | None
    source: Source = ""

    @property
    def free(self) -> int | None:
        return None if self.total is None else self.total - self.used


def stated(connection: Connection) -> dict[int, int]:
    """What an administrator said, by licence."""
    return dict(StatedSeats.objects.filter(connection=connection).values_list("licence", "seats"))


@transaction.atomic
def state(origin: Origin, connection: Connection, data: dict[int, int | None]) -> None:
    """Keeps what an administrator says of each licence; None forgets it."""
    before = stated(connection)
    StatedSeats.objects.filter(connection=connection).delete()
    kept = {licence: seats for licence, seats in data.items() if seats is not None}
    StatedSeats.objects.bulk_create(
        StatedSeats(connection=connection, licence=licence, seats=seats)
        for licence, seats in kept.items()
    )
    record(
        origin,
        Act.SEATS_STATED,
        object_id=connection.key,
        label=connection.name,
        connection=connection,
        sent=_named(kept),
        before=_named(before),
    )


def _named(seats: dict[int, int]) -> dict[str, int]:
    return {LicenceType(licence).label: count for licence, count in seats.items()}


def seats_by_plans(api: Api, connection: Connection) -> dict[int, int]:
    """What the account's own plan says: its hosts are those with a Pro licence. Empty where the
    service, or the role, does not report it."""
    person = mirror.find(connection, UserFilter()).values_list("user_id", flat=True).first()
    if person is None:
        return {}
    try:
        account_id = api.users.get(person).account_id
        plan = api.billing.plans(account_id).plan_base if account_id else None
    except (ApiError, Refused):
        return {}
    return {LicenceType.PRO.value: plan.hosts} if plan and plan.hosts else {}


def known(connection: Connection, api: Api | None = None) -> list[Seats]:
    """The seats of each licence that is counted, used as far as the list of people shows.

    With `api` the service is asked for the account's plan, which goes before what was stated.
    """
    by_plans = seats_by_plans(api, connection) if api else {}
    by_hand = stated(connection)
    rows = mirror.find(connection, UserFilter()).order_by().values_list("type")
    used = Counter(dict(rows.annotate(count=models.Count("pk"))))
    found = []
    for licence in COUNTED:
        source: Source = "plans" if licence in by_plans else "stated" if licence in by_hand else ""
        total = by_plans.get(licence.value, by_hand.get(licence.value))
        found.append(Seats(licence, used[licence.value], total, source))
    return found


@dataclass
class Tally:
    """Licences before a plan, and what it takes and frees."""

    used: Counter[int] = field(default_factory=Counter)
    taken: Counter[int] = field(default_factory=Counter)
    freed: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, licences: Iterable[int | None]) -> "Tally":
        return cls(used=Counter(int(licence) for licence in licences if licence is not None))

    def count(self, before: int | None, after: int | None) -> None:
        """One row: the licence a person has now, and then; None for somebody who is not there."""
        if after in (SAME, before):
            return
        if before is not None:
            self.freed[int(before)] += 1
        if after is not None:
            self.taken[int(after)] += 1

    def notes(
        self, seats: dict[int, int]
    ) -> Iterator[tuple[Literal["neutral", "bad", "warning"], str]]:
        """What a plan says of each licence that it touches."""
        for licence in COUNTED:
            used, taken, freed = (
                counts[licence.value] for counts in (self.used, self.taken, self.freed)
            )
            if not taken and not freed:
                continue
            moves = f"these changes use {taken:,}"
            if freed:
                moves += f" and free {freed:,}"
            total = seats.get(licence.value)
            if total is None:
                words = "The total is unknown. Set the licence count on the import page."
                if taken:
                    yield "neutral", f"{licence.label} licences: {used:,} used, {moves}. {words}"
                continue
            free = total - used
            said = f"{licence.label} licences: {used:,} of {total:,} used, {free:,} free; {moves}."
            if taken - freed > free:
                yield "bad", f"{said} {taken - freed - free:,} more are needed."
            elif taken > free:
                yield "warning", f"{said} They suffice only after the freed ones become available."
            else:
                yield "neutral", said
