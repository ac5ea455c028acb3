"""Actions on the people selected in a list.

Each action has a page with its small form; what comes of it is a job, whose plan is approved on the
job's own page.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponseBase
from django.urls import reverse

from portal.contract.groups import Groups
from portal.contract.operation import AnyOperation
from portal.contract.users import Users
from portal.directory.users import state_of
from portal.jobs.views.drafting import ChosenJobView, Draft
from portal.people.forms.chosen import (
    ActivateForm,
    ChosenPeopleForm,
    ChosenSettingsForm,
    DeactivateForm,
    DepartmentForm,
    JoinForm,
    LeaveForm,
    LicenceForm,
    MoveGroupForm,
    TimeZoneForm,
)
from portal.people.forms.removal import RemoveForm
from portal.people.jobs.base import PeopleSelection
from portal.people.labels import people_in_words
from portal.people.tables import PeopleFilter
from portal.translation import gettext as _
from portal.ui.selection import SelectionRefused
from portal.ui.views import Labels


class ChosenPeopleView(ChosenJobView):
    """Asks what is to be done to those who were chosen, and has it planned as a job."""

    needs = None
    form_class: ClassVar[Any] = None
    template_name = "people/chosen.html"

    chosen: PeopleSelection
    count: int
    who: str  # how many people that are, in words

    def resolve(self) -> PeopleSelection:
        """Returns the selected people. Raises `SelectionRefused`."""
        filters_of = partial(PeopleFilter, scope=self.request.scope)
        return PeopleSelection.resolve(self.selection, filters_of)

    def choose(self) -> None:
        self.chosen = self.resolve()
        count = self.chosen.rows(self.request.scope).count()
        if not count:
            raise SelectionRefused(_("None of the selected people is on the account any more."))
        self.count, self.who = count, people_in_words(count)

    def listed_from(self) -> str:
        return state_of(self.request.connection).notes_in_words

    def labels(self) -> Labels:
        form, words = self.form_class, self.chosen.words
        return Labels(
            form.heading % {"who": self.who},
            submit=_("Preview changes"),
            lead=_("All %(who)s of the list: %(words)s.") % {"who": self.who, "words": words}
            if words
            else "",
            consequences=form.consequences,
            hint=_("Nothing changes yet: you preview the changes first."),
        )

    def get_form(self, data: Any = None) -> Any:
        return self.form_class(self.request, data)

    def draft(self, form: Any) -> Draft | None:
        plan: Draft | None = form.plan(self.request, lambda: people_in_words(self.count))
        if plan is None:
            return None
        parameters = {"chosen": self.chosen.as_parameters(), **plan.parameters}
        return Draft(plan.job_type, plan.title, parameters)

    def cancel_url(self) -> str:
        return reverse("people:list", args=[self.request.connection.key])

    def context(self) -> dict[str, Any]:
        return {"trail": [(_("People"), self.cancel_url())]}


class ChosenSettingsView(ChosenPeopleView):
    """Changes settings of those who were chosen, each of whom has their own."""

    needs = Users.update_settings
    form_class = ChosenSettingsForm
    template_name = "people/chosen_settings.html"


def _page(
    needs: AnyOperation, form_class: type[ChosenPeopleForm]
) -> Callable[..., HttpResponseBase]:
    return ChosenPeopleView.as_view(needs=needs, form_class=form_class)


licence = _page(Users.update, LicenceForm)
department = _page(Users.update, DepartmentForm)
time_zone = _page(Users.update, TimeZoneForm)
join_group = _page(Groups.add_members, JoinForm)
move_group = _page(Groups.remove_member, MoveGroupForm)
leave_group = _page(Groups.remove_member, LeaveForm)
settings = ChosenSettingsView.as_view()
activate = _page(Users.change_status, ActivateForm)
deactivate = _page(Users.change_status, DeactivateForm)
remove = _page(Users.delete, RemoveForm)
