"""Why a licence is not reclaimed, by what the service just said of a person."""

from dataclasses import dataclass
from typing import Protocol

from portal.contract.users import User
from portal.mirror.values import moment
from portal.people.services.licence_use import Since
from portal.people.services.licence_words import day_of
from portal.people.services.protection import Protections, in_words
from portal.translation import gettext as _


@dataclass(frozen=True)
class UnusedRest:
    """Why somebody keeps their licence: `title` names the fact."""

    title: str
    words: str


class HeldLicence(Protocol):
    """The dates and protections by which people are checked."""

    @property
    def since(self) -> Since: ...
    @property
    def zone(self) -> str: ...
    @property
    def protections(self) -> Protections: ...


def obstacle(user: User, held: HeldLicence) -> UnusedRest | None:
    """None where nothing about the person speaks for the licence."""
    entry = held.protections.of(user.id, user.dept, user.group_ids or ())
    if entry:
        return UnusedRest(_("Protection"), in_words(entry))
    seen, created = moment(user.last_login_time), moment(user.created_at)
    since = held.since
    if seen and seen >= since.used:
        return UnusedRest(
            _("Last sign-in"), _("Signed in on %(day_of)s.") % {"day_of": day_of(seen, held.zone)}
        )
    if created and created >= since.added:
        return UnusedRest(
            _("Added"), _("Added on %(day_of)s.") % {"day_of": day_of(created, held.zone)}
        )
    if created is None and not (seen and seen < since.added):
        return UnusedRest(_("Added"), _("When they were added is not known."))
    return None
