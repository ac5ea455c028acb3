"""Licences that could be reclaimed, by licence and reason."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from portal.contract.users import LicenceType
from portal.people.services.licence_use import Facts, Use, UseFilter, UseReason
from portal.people.services.seats import Seats
from portal.translation import ngettext, number


@dataclass(frozen=True)
class Suggestion:
    """People of one licence who do not use it, for one reason; `query` lists them."""

    licence: LicenceType
    reason: UseReason
    count: int
    query: str
    seats: Seats | None = None

    @property
    def words(self) -> str:
        return ngettext(
            "Move %(count)s person from %(licence)s to Basic",
            "Move %(count)s people from %(licence)s to Basic",
            self.count,
        ) % {"count": number(self.count), "licence": self.licence.label}

    @property
    def frees(self) -> str:
        """Returns the licences that it frees, in a sentence."""
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
        return frees % known


def suggestions(facts: Facts, seats: list[Seats]) -> Iterator[Suggestion]:
    """Yields the suggestions for the whole account, the most first."""
    by_licence = {one.licence.value: one for one in seats}
    unused = [one for one in facts.tally if one[1] == Use.UNUSED.value]
    for licence, _use, reason, count in sorted(unused, key=lambda each: -each[3]):
        yield Suggestion(
            LicenceType(licence),
            UseReason(reason),
            count,
            _query(facts.wanted, licence, reason),
            by_licence.get(licence),
        )


def _query(wanted: UseFilter, licence: int, reason: str) -> str:
    given = {"reason": reason, "type": licence}
    if wanted.days != UseFilter.days:
        given["days"] = wanted.days
    if wanted.newer != UseFilter.newer:
        given["newer"] = wanted.newer
    return urlencode(sorted(given.items()))
