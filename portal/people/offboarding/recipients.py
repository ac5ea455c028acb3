"""Recipients of what leaving people transfer, and whether they are able to host it."""

from collections.abc import Collection
from dataclasses import dataclass

from portal.access.scope import Scope
from portal.client import Api, NotFound
from portal.contract.users import LicenceType
from portal.directory import users as mirror
from portal.directory.models import licence_label
from portal.directory.users import UserFilter
from portal.jobs.offboarding import Leaver, Leaving, Recipient
from portal.people.services.person import PersonRecord
from portal.people.services.removal import RecipientRefused, require_active
from portal.translation import gettext as _


@dataclass(frozen=True)
class Candidate:
    """The recipient, with what decides about what they are able to host."""

    recipient: Recipient
    licence: int | None
    has_webinars: bool

    def problem(self, leaver: Leaver, leaving: Leaving, counts: dict[str, int | None]) -> str:
        """Why they cannot host what this leaver transfers to them; mostly empty.

        `counts` says how much of each kind the leaver holds, None where that is not known.
        """

        def gets(name: str) -> bool:
            return leaving.choice(name) == "transfer" and counts.get(name) != 0

        name = self.recipient.name
        if leaver.id == self.recipient.id:
            return _("%(name)s is leaving. Choose another person.") % {"name": name}
        is_basic = self.licence in (None, LicenceType.BASIC.value)
        needs_licence = leaver.licence not in (None, LicenceType.BASIC.value)
        if is_basic and needs_licence and (gets("meetings") or gets("webinars")):
            return _(
                "%(name)s has the licence %(licence)s, and %(leaver)s hosts with %(other)s. Change "
                "the licence of %(name)s first, or choose another person."
            ) % {
                "name": name,
                "licence": licence_label(self.licence) or _("unknown"),
                "leaver": leaver.name,
                "other": licence_label(leaver.licence),
            }
        if gets("webinars") and not self.has_webinars:
            return _(
                "%(name)s has no webinar plan. Turn webinars on for them, or choose another."
            ) % {"name": name}
        return ""


def listed_recipient(scope: Scope, user_id: str, leavers: Collection[str]) -> Recipient:
    """Returns the recipient as the list of people has them; the plan asks the service.

    Raises `RecipientRefused` unless they are active there and stay.
    """
    if user_id in leavers:
        raise RecipientRefused(_("This person is leaving. Choose another person."))
    row = mirror.find(scope, UserFilter(ids=[user_id])).first()
    if row is None:
        raise RecipientRefused(_("This person is not on the account any more."))
    require_active(row.status)
    return Recipient(row.user_id, row.email, row.label)


def candidate(api: Api, scope: Scope, user_id: str, leavers: Collection[str]) -> Candidate:
    """Returns the recipient as the service reports them now.

    Raises `RecipientRefused` unless they are active and stay, and `ApiError`.
    """
    if user_id in leavers:
        raise RecipientRefused(_("This person is leaving. Choose another person."))
    try:
        details = api.users.get(user_id)
    except NotFound:
        raise RecipientRefused(_("This person is not on the account any more.")) from None
    require_active(mirror.status_of(scope, details.id))
    feature = api.users.settings(details.id).feature
    return Candidate(
        Recipient(details.id, details.email or "", PersonRecord(details).name),
        None if details.type is None else int(details.type),
        bool(feature and feature.webinar),
    )
