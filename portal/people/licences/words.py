"""Words on the use of licences: of one person, of missing data, and of what could be reclaimed."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from portal.contract.users import LicenceType, User
from portal.directory.models import MirroredUser
from portal.mirror.values import moment
from portal.people.licences.use import (
    Facts,
    Protections,
    UsageCutoffs,
    Use,
    UseFilter,
    UseReason,
    in_words,
)
from portal.people.services.seats import Seats
from portal.translation import dated, gettext as _, ngettext, number

Problem = tuple[str, str]  # of an item: a title and words


def use_in_words(facts: Facts, person: MirroredUser) -> str:
    """Returns the reason for the use of a row of `facts`, in a sentence or two."""
    match getattr(person, "use", ""):
        case Use.USED.value:
            return _used(facts, person)
        case Use.NEW.value:
            return _("Added on %(day)s.") % {"day": _day(facts, person.created_at)}
        case Use.DEACTIVATED.value:
            return _deactivated(person)
        case Use.PROTECTED.value:
            entry = facts.protections.of(person.user_id, person.dept, person.group_ids)
            return in_words(entry) if entry else _("Protected.")
        case Use.UNKNOWN.value:
            return _("Not everything about the use is known, so nothing is suggested.")
        case _:
            return _unused(facts, person)


def _used(facts: Facts, person: MirroredUser) -> str:
    seen = person.last_login_time
    if getattr(person, "hosted", False):
        return _("Hosted since %(day)s.") % {"day": _day(facts, facts.since.used)}
    if seen and seen >= facts.since.used:
        return _("Signed in on %(day)s.") % {"day": _day(facts, seen)}
    return _("Hosts a planned meeting or webinar.")


def _deactivated(person: MirroredUser) -> str:
    if getattr(person, "planned", False):
        return _("Deactivated. Hosts a planned meeting or webinar.")
    return _("Deactivated.")


def _unused(facts: Facts, person: MirroredUser) -> str:
    """Why a licence counts as not used."""
    first = _day(facts, facts.since.used)
    match getattr(person, "reason", ""):
        case UseReason.PENDING.value:
            return _(
                "Invitation not accepted. Nothing hosted since %(first)s, nothing scheduled."
            ) % {"first": first}
        case UseReason.NEVER.value:
            return _("Never signed in. Nothing hosted since %(first)s, nothing scheduled.") % {
                "first": first
            }
        case _:
            seen = _day(facts, person.last_login_time)
            return _(
                "Last signed in on %(seen)s. Nothing hosted since %(first)s, nothing scheduled."
            ) % {"seen": seen, "first": first}


def unknown_in_words(facts: Facts) -> Iterator[str]:
    """Yields words on missing data, a sentence or two each."""
    for each in facts.hosted.unknown:
        if each.first == each.last:
            yield _("Who hosted on %(day)s is not known. %(reason)s") % {
                "day": day_in_words(each.first),
                "reason": _(each.reason),
            }
        else:
            yield _("Who hosted from %(first)s to %(last)s is not known. %(reason)s") % {
                "first": day_in_words(each.first),
                "last": day_in_words(each.last),
                "reason": _(each.reason),
            }
    if facts.coming is None:
        yield _("Your role does not allow the list of meetings and webinars.")
    elif not facts.coming.is_complete:
        yield _("Which meetings and webinars are planned is not known. Not loaded.")


def day_in_words(day: date) -> str:
    return dated(day, _("j M Y"))


def day_of(moment: datetime, zone: str) -> str:
    return day_in_words(moment.astimezone(ZoneInfo(zone)).date())


def _day(facts: Facts, moment: datetime | None) -> str:
    return day_of(moment, facts.wanted.zone) if moment else _("an unknown day")


@dataclass(frozen=True)
class Suggestion:
    """People of one licence who do not use it, for one reason; `query` lists them."""

    licence: LicenceType
    reason: Use | UseReason
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
        values = {"count": number(self.count), "licence": self.licence.label}
        if self.seats and self.seats.total is not None:
            frees = ngettext(
                "Frees %(count)s %(licence)s licence of %(used)s used; the plan has %(total)s.",
                "Frees %(count)s %(licence)s licences of %(used)s used; the plan has %(total)s.",
                self.count,
            )
            values |= {"used": number(self.seats.used), "total": number(self.seats.total)}
        else:
            frees = ngettext(
                "Frees %(count)s %(licence)s licence.",
                "Frees %(count)s %(licence)s licences.",
                self.count,
            )
        return frees % values


def suggestions(facts: Facts, seats: list[Seats]) -> Iterator[Suggestion]:
    """Yields the suggestions for the whole account, the most first."""
    by_licence = {one.licence.value: one for one in seats}
    counts: Counter[tuple[int, Use | UseReason]] = Counter()
    for licence, use, reason, count in facts.use_counts:
        if use == Use.DEACTIVATED.value:
            counts[licence, Use.DEACTIVATED] += count
        elif use == Use.UNUSED.value:
            counts[licence, UseReason(reason)] += count
    for (licence, why), count in counts.most_common():
        query = _query(facts.wanted, licence, why)
        yield Suggestion(LicenceType(licence), why, count, query, by_licence.get(licence))


def _query(wanted: UseFilter, licence: int, why: Use | UseReason) -> str:
    given: dict[str, object] = {"use" if isinstance(why, Use) else "reason": why.value}
    given["type"] = licence
    if wanted.days != UseFilter.days:
        given["days"] = wanted.days
    if wanted.newer != UseFilter.newer:
        given["newer"] = wanted.newer
    return urlencode(sorted(given.items()))


def obstacle(
    user: User, since: UsageCutoffs, zone: str, protections: Protections
) -> Problem | None:
    """Returns why a person keeps the licence, with days in their zone; None if nothing speaks for
    it."""
    entry = protections.of(user.id, user.dept, user.group_ids or ())
    if entry:
        return (_("Protection"), in_words(entry))
    seen, created = moment(user.last_login_time), moment(user.created_at)
    if seen and seen >= since.used:
        return (_("Last sign-in"), _("Signed in on %(day_of)s.") % {"day_of": day_of(seen, zone)})
    if since.added is None:
        return None
    if created and created >= since.added:
        return (_("Added"), _("Added on %(day_of)s.") % {"day_of": day_of(created, zone)})
    if created is None and not (seen and seen < since.added):
        return (_("Added"), _("When they were added is not known."))
    return None
