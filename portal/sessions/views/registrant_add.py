"""Registering somebody, once, whether or not the service answers."""

from typing import Any, ClassVar

from portal.client import ApiError
from portal.contract.registrants import RegistrantStatus
from portal.contract.sessions import RegistrationType
from portal.sessions.forms.registrants import RegistrantForm
from portal.sessions.services import registrants, registration
from portal.sessions.services.session import SessionRecord, read
from portal.sessions.views.actions import PartActionView
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.times import exact
from portal.ui.views import CreateView, Labels

_BY_OCCURRENCE = (RegistrationType.FOR_EACH, RegistrationType.ONCE_FOR_CHOSEN)


class AddRegistrantView(PartActionView, CreateView):
    """Registers somebody; what tells them from others here is the status that they have then."""

    operation_name: ClassVar[str] = "registrants.add"
    template_name = "sessions/registrant_add.html"
    tab = "registrants"
    tab_label = gettext_lazy("Registrants")
    noun = gettext_lazy("registrant")
    looks_at_once = True

    status = ""

    def labels(self) -> Labels:
        lead = _(
            "Registers a person for “%(topic)s” as if they had completed the registration page."
        ) % {"topic": self.topic}
        return Labels(_("Add registrant"), submit=_("Add registrant"), lead=lead)

    def get_form(self, data: Any = None) -> RegistrantForm:
        request, family = self.request, self.session_spec.registrants
        if data is not None:
            return RegistrantForm(data, occurrences=self._occurrences())
        asked = registrants.questions(request.api, family, self.session_id)
        return RegistrantForm(questions=asked, occurrences=self._occurrences())

    def _occurrences(self) -> list[tuple[str, str]]:
        """Those to choose from, where people register for chosen ones; what was ticked where the
        session cannot be read now, so that it is the service that says what is wrong."""
        request = self.request
        try:
            session = read(request.api, request.scope, self.session_spec, self.session_id)
        except ApiError:
            if request.method == "GET":
                raise
            return [(number, number) for number in request.POST.getlist("occurrences")]
        return occurrences_to_choose(session)

    def perform(self, form: RegistrantForm) -> str:
        family, chosen = self.session_spec.registrants, form.chosen_occurrences()
        added = registration.register(
            self.request.api, family, self.session_id, form.registrant(), chosen
        )
        is_approved = bool(added.join_url)
        self.status = RegistrantStatus.APPROVED if is_approved else RegistrantStatus.PENDING
        return self.status

    def find(self, form: RegistrantForm) -> str | None:
        family, email = self.session_spec.registrants, form.cleaned_data["email"]
        found = registration.look_for(self.request.api, family, self.session_id, email)
        return found.status if found else None

    def created(self, form: RegistrantForm) -> str:
        who, waits = form.registrant(), self.status == RegistrantStatus.PENDING
        name = f"{who.first_name} {who.last_name}"
        if waits:
            return _("%(name)s is registered, pending approval.") % {"name": name}
        return _("%(name)s is registered.") % {"name": name}

    def url_of(self, result: str) -> str:
        """The form again for the next one, or the list they are in now."""
        if "another" in self.request.POST:
            return self.request.path
        return f"{self.cancel_url()}?status={result}"


def occurrences_to_choose(session: SessionRecord) -> list[tuple[str, str]]:
    """The occurrences to choose from, where people register for chosen ones."""
    settings = session.details.settings
    if settings is None or settings.registration_type not in _BY_OCCURRENCE:
        return []
    return [
        (str(one.occurrence_id), exact(one.start_time))
        for one in session.occurrences
        if one.start_time
    ]
