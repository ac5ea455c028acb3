"""Assistants, who schedule for a person, and schedulers, for whom the person schedules."""

from functools import cached_property
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.delegates import Assistants
from portal.directory.colleagues import Colleague, find
from portal.people.forms.naming import AssistantsForm, left_in
from portal.people.services import delegates
from portal.people.services.references import MemberReference
from portal.people.views.actions import PersonAction
from portal.people.views.tabs import tab
from portal.translation import gettext as _
from portal.translation import ngettext, number
from portal.ui.many import Outcome
from portal.ui.views import Labels, ManyView


@require_GET
@connected(needs=Assistants.list)
def delegate_lists(request: PortalRequest, user_id: str) -> HttpResponse:
    """Who schedules for the person, and for whom the person schedules."""
    context = {
        "assistants": delegates.assistants(request.api, request.connection, user_id),
        "schedulers": delegates.schedulers(request.api, request.connection, user_id),
        "most": delegates.MOST,
    }
    return tab(request, user_id, "delegates", "people/person_delegates.html", context)


class AddAssistants(PersonAction, ManyView):
    """Picks colleagues by a search, or takes their email addresses."""

    needs = Assistants.add
    tab = "delegates"

    @cached_property
    def present(self) -> list[Colleague]:
        """The assistants there are; a form that is sent is not lost because they cannot be read."""
        try:
            return delegates.assistants(self.request.api, self.request.connection, self.person.id)
        except ApiError:
            if self.request.method == "GET":
                raise
            return []

    def labels(self) -> Labels:
        lead = _("They may schedule meetings in the name of %(name)s.") % {"name": self.person.name}
        return Labels(_("Add assistants"), submit=_("Add assistants"), lead=lead)

    def get_form(self, data: Any = None, **initial: str) -> AssistantsForm:
        connection, present = self.request.connection, self.present
        there = [self.person.id, *(one.id for one in present)]
        form = AssistantsForm(data, connection=connection, present=len(present), initial=initial)
        field: Any = form.fields["picked"]
        field.offer_people(
            connection,
            self.request.path,
            lambda search, besides: find(connection, search, besides=[*there, *besides]),
        )
        return form

    def carry_out(self, form: AssistantsForm) -> Outcome[MemberReference]:
        return delegates.add_assistants(self.request.api, self.person.id, form.people)

    def rest(self, outcome: Outcome[MemberReference]) -> AssistantsForm:
        return self.get_form(**left_in(outcome))

    def done(self, outcome: Outcome[MemberReference]) -> str:
        count = len(outcome.done)
        words = ngettext("%(count)s assistant added.", "%(count)s assistants added.", count)
        return words % {"count": number(count)}
