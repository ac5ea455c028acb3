"""Assistants, who schedule for a person, and schedulers, for whom the person schedules."""

from functools import cached_property
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.client import ApiError, NotAvailable
from portal.contract.delegates import Assistants
from portal.directory.colleagues import Colleague, find
from portal.people.forms.naming import AssistantsForm, left_in
from portal.people.services import delegates
from portal.people.services.references import MemberReference
from portal.people.views.actions import PersonActionView
from portal.people.views.tabs import tab
from portal.translation import gettext as _
from portal.translation import ngettext, number
from portal.ui.explain import cause_of
from portal.ui.many import ManyOutcome
from portal.ui.views import Labels, ManyView


@require_GET
@connected(needs=Assistants.list)
def delegate_lists(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the person's assistants, and the colleagues that the person schedules for."""
    context: dict[str, Any] = {"most": delegates.MOST}
    lists = {"assistants": delegates.assistants, "schedulers": delegates.schedulers}
    errors: list[ApiError] = []
    for name, read in lists.items():
        try:
            context[name] = read(request.api, request.scope, user_id)
        except ApiError as error:
            errors.append(error)
            context[f"{name}_unread"] = cause_of(error)
    if len(errors) == len(lists) and not isinstance(errors[0], NotAvailable):
        raise errors[0]
    return tab(request, user_id, "delegates", "people/person_delegates.html", context)


class AddAssistantsView(PersonActionView, ManyView):
    """Picks colleagues by a search, or takes their email addresses."""

    needs = Assistants.add
    tab = "delegates"

    @cached_property
    def present(self) -> list[Colleague]:
        """The assistants there are; a form that is sent is not lost because they cannot be read."""
        try:
            return delegates.assistants(self.request.api, self.request.scope, self.person.id)
        except ApiError:
            if self.request.method == "GET":
                raise
            return []

    def labels(self) -> Labels:
        lead = _("They may schedule meetings in the name of %(name)s.") % {"name": self.person.name}
        return Labels(_("Add assistants"), submit=_("Add assistants"), lead=lead)

    def get_form(self, data: Any = None, **initial: str) -> AssistantsForm:
        scope, present = self.request.scope, self.present
        there = [self.person.id, *(one.id for one in present)]
        form = AssistantsForm(data, scope=scope, present=len(present), initial=initial)
        field: Any = form.fields["picked"]
        field.offer_people(
            scope,
            self.request.path,
            lambda search, besides: find(scope, search, besides=[*there, *besides]),
        )
        return form

    def carry_out(self, form: AssistantsForm) -> ManyOutcome[MemberReference]:
        return delegates.add_assistants(self.request.api, self.person.id, form.people)

    def rest(self, outcome: ManyOutcome[MemberReference]) -> AssistantsForm:
        return self.get_form(**left_in(outcome))

    def done(self, outcome: ManyOutcome[MemberReference]) -> str:
        count = len(outcome.done)
        words = ngettext("%(count)s assistant added.", "%(count)s assistants added.", count)
        return words % {"count": number(count)}
