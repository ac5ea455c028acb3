"""A person's licence, from the head of their page."""

from collections.abc import Mapping
from typing import Any

from portal.contract.users import Users
from portal.directory.labels import licence_label
from portal.people.forms.profile import opened_with, section_form
from portal.people.services import profile, seats
from portal.people.services.profile import SECTIONS
from portal.people.services.seats import Seats
from portal.people.views.actions import PersonActionView
from portal.translation import gettext as _
from portal.translation import number
from portal.ui.forms import ContractForm
from portal.ui.views import EditView, Labels

SECTION = SECTIONS["licence"]


class ChangeLicenceView(PersonActionView, EditView):
    """Changes what a person can host, with how many licences the account has left."""

    needs = Users.update

    def labels(self) -> Labels:
        known = seats.known(self.request.scope, self.request.api)
        used = " ".join(_in_words(each) for each in known)
        return Labels(
            _("Change the licence of %(name)s") % {"name": self.person.name},
            submit=_("Change licence"),
            consequences=[("badge-check", SECTION.note), ("users", used)],
        )

    def get_form(self, data: Any = None, **more: Any) -> ContractForm:
        return section_form(self.request.scope, SECTION, more["initial"], data)

    def current(self) -> dict[str, Any]:
        return profile.values(self.person, SECTION)

    def opened_with(self) -> Mapping[str, Any]:
        return opened_with(SECTION, self.request.POST)

    def save(self, changes: Any) -> str:
        request, name = self.request, self.person.name
        profile.save(request.api, request.scope, self.person.id, changes)
        licence = licence_label(changes.type)
        return _("%(name)s has the licence %(licence)s.") % {"name": name, "licence": licence}


def _in_words(data: Seats) -> str:
    """ "Pro: 34 of 50 licences used."; without the total where nobody has reported it."""
    known = {"licence": data.licence.label, "used": number(data.used)}
    if data.total is None:
        return _("%(licence)s: %(used)s used.") % known
    return _("%(licence)s: %(used)s of %(total)s used.") % {**known, "total": number(data.total)}
