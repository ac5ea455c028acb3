"""Words on the use of licences: of one person, and on missing data."""

from collections.abc import Iterator
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import dateformat

from portal.directory.models import MirroredUser
from portal.people.services.licence_use import Facts, Use, UseReason
from portal.people.services.protection import in_words
from portal.translation import gettext as _


def why(facts: Facts, person: MirroredUser) -> str:
    """Why somebody is listed as they are, as a sentence or two; the person is a row of `facts`."""
    match getattr(person, "use", ""):
        case Use.USED.value:
            return _used(facts, person)
        case Use.NEW.value:
            return _("Added on %(day)s.") % {"day": _day(facts, person.created_at)}
        case Use.PROTECTED.value:
            entry = facts.protections.of(person.user_id, person.dept, person.group_ids)
            return in_words(entry) if entry else _("Protected.")
        case Use.UNKNOWN.value:
            return _("Not everything about the use is known, so nothing is suggested.")
        case _:
            return unused(facts, person)


def _used(facts: Facts, person: MirroredUser) -> str:
    seen = person.last_login_time
    if getattr(person, "hosted", False):
        return _("Hosted since %(day)s.") % {"day": _day(facts, facts.since.used)}
    if seen and seen >= facts.since.used:
        return _("Signed in on %(day)s.") % {"day": _day(facts, seen)}
    return _("Hosts a planned meeting or webinar.")


def unused(facts: Facts, person: MirroredUser) -> str:
    """Why a licence counts as not used."""
    first = _day(facts, facts.since.used)
    match getattr(person, "reason", ""):
        case UseReason.DEACTIVATED.value:
            return _("Deactivated. Nothing hosted since %(first)s, nothing scheduled.") % {
                "first": first
            }
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


def unknown(facts: Facts) -> Iterator[str]:
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
    elif not facts.coming.is_known:
        yield _("Which meetings and webinars are planned is not known. Not loaded.")


def day_in_words(day: date) -> str:
    return dateformat.format(day, _("j M Y"))


def day_of(moment: datetime, zone: str) -> str:
    """The day on which a moment is in a zone."""
    return day_in_words(moment.astimezone(ZoneInfo(zone)).date())


def _day(facts: Facts, moment: datetime | None) -> str:
    return day_of(moment, facts.zone) if moment else _("an unknown day")
