"""Licences that could be reclaimed, by licence and reason, and the savings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode

from django.db import transaction

from portal.access.audit import Act, record
from portal.access.models import Connection
from portal.access.origin import Origin
from portal.contract.users import LicenceType
from portal.people.models import SeatPrice
from portal.people.services.licence_use import Facts, Use, UseFilter, UseReason
from portal.people.services.seats import Seats
from portal.translation import gettext as _
from portal.translation import ngettext, number


@dataclass(frozen=True)
class Price:
    """The price of a seat."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        return self.times(1)

    def times(self, count: int) -> str:
        return f"{number(float(self.amount * count), 2)} {self.currency}"


@dataclass(frozen=True)
class Suggestion:
    """People of one licence who do not use it, for one reason; `query` lists them."""

    licence: LicenceType
    reason: UseReason
    count: int
    query: str
    seats: Seats | None = None
    price: Price | None = None

    @property
    def words(self) -> str:
        return ngettext(
            "Move %(count)s person from %(licence)s to Basic",
            "Move %(count)s people from %(licence)s to Basic",
            self.count,
        ) % {"count": number(self.count), "licence": self.licence.label}

    @property
    def saves(self) -> str:
        """Returns the licences and the money that it frees, in sentences."""
        known = {"count": number(self.count), "licence": self.licence.label}
        if self.seats and self.seats.total is not None:
            frees = ngettext(
                "Frees %(count)s %(licence)s licence of %(used)s used; the plan has %(total)s.",
                "Frees %(count)s %(licence)s licences of %(used)s used; the plan has %(total)s.",
                self.count,
            )
            known |= {"used": number(self.seats.used), "total": number(self.seats.total)}
        else:
            frees = ngettext(
                "Frees %(count)s %(licence)s licence.",
                "Frees %(count)s %(licence)s licences.",
                self.count,
            )
        if self.price is None:
            return frees % known
        costs = _("Their price is %(price)s.") % {"price": self.price.times(self.count)}
        return f"{frees % known} {costs}"


def suggestions(facts: Facts, seats: list[Seats]) -> Iterator[Suggestion]:
    """Yields the suggestions for the whole account, the most first."""
    by_licence = {one.licence.value: one for one in seats}
    known = prices(facts.scope.connection)
    unused = [one for one in facts.tally if one[1] == Use.UNUSED.value]
    for licence, _use, reason, count in sorted(unused, key=lambda each: -each[3]):
        yield Suggestion(
            LicenceType(licence),
            UseReason(reason),
            count,
            _query(facts.wanted, licence, reason),
            by_licence.get(licence),
            known.get(licence),
        )


def _query(wanted: UseFilter, licence: int, reason: str) -> str:
    given = {"reason": reason, "type": licence}
    if wanted.days != UseFilter.days:
        given["days"] = wanted.days
    if wanted.newer != UseFilter.newer:
        given["newer"] = wanted.newer
    return urlencode(sorted(given.items()))


def prices(connection: Connection) -> dict[int, Price]:
    """Returns the stated prices, by licence."""
    found = SeatPrice.objects.filter(connection=connection)
    return {one.licence: Price(one.amount, one.currency) for one in found}


@transaction.atomic
def state_prices(
    origin: Origin, connection: Connection, amounts: Mapping[int, Decimal | None], currency: str
) -> None:
    """Keeps what an administrator says that a seat costs; None forgets it."""
    before = prices(connection)
    SeatPrice.objects.filter(connection=connection).delete()
    now = {key: Price(amount, currency) for key, amount in amounts.items() if amount is not None}
    SeatPrice.objects.bulk_create(
        SeatPrice(connection=connection, licence=key, amount=price.amount, currency=price.currency)
        for key, price in now.items()
    )
    record(
        origin,
        Act.SEAT_PRICES_STATED,
        object_id=connection.key,
        label=connection.name,
        connection=connection,
        sent=_named(now),
        before=_named(before),
    )


def _named(found: Mapping[int, Price]) -> dict[str, str]:
    return {
        LicenceType(key).label: f"{price.amount:,.2f} {price.currency}"
        for key, price in found.items()
    }
