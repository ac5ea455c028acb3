"""Offboarding: what somebody holds and what becomes of it, and the receipt of what was done."""

from functools import cached_property
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.users import Users
from portal.directory.users import UserFilter
from portal.jobs.leaving import HeldObjects, Leaver
from portal.jobs.views.drafting import Draft, JobFormView, jobs_of
from portal.people.forms.offboarding import OffboardForm
from portal.people.jobs.holdings import leaver_of
from portal.people.jobs.offboarding import OffboardPeopleJob
from portal.people.jobs.offboarding_plan import look_at
from portal.people.jobs.receipt import receipt_of
from portal.people.selection import PeopleSelection
from portal.people.views.actions import PersonActionView
from portal.people.views.chosen import ChosenPeopleView
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui import idempotency
from portal.ui.pages import page
from portal.ui.views import Labels

_HINT = gettext_lazy("Nothing changes yet: you preview all steps first.")


class OffboardPersonView(PersonActionView, JobFormView):
    """One person, with all that they hold."""

    needs = Users.delete
    template_name = "people/offboard.html"

    @cached_property
    def known(self) -> tuple[Leaver, dict[str, HeldObjects]]:
        leaver = leaver_of(self.person.details)
        return leaver, look_at(self.request.api, self.request.scope, leaver)

    def labels(self) -> Labels:
        return Labels(
            _("Offboard %(name)s") % {"name": self.person.name},
            submit=_("Preview steps"),
            hint=_HINT,
        )

    def get_form(self, data: Any = None) -> OffboardForm:
        return OffboardForm(self.request, data, leavers=[self.person.id], known=self.known)

    def way_back(self) -> str:
        return ""  # each choice of the form says its own

    def draft(self, form: OffboardForm) -> Draft | None:
        plan = form.plan(self.request, lambda: self.person.name)
        if plan is None:
            return None
        chosen = PeopleSelection(UserFilter(ids=[self.person.id]))
        parameters = {"chosen": chosen.as_parameters(), **plan.parameters}
        return Draft(plan.job_type, plan.title, parameters)

    def render(self, form: Any, **more: Any) -> HttpResponse:
        return super().render(form, **{"idempotency_key": idempotency.new_key(), **more})


class OffboardChosenView(ChosenPeopleView):
    """Several people at once, all in the same way."""

    needs = Users.delete
    form_class = OffboardForm
    template_name = "people/offboard.html"

    def get_form(self, data: Any = None) -> OffboardForm:
        rows = self.chosen.rows(self.request.scope)
        leavers = list(rows.values_list("user_id", flat=True))
        return OffboardForm(self.request, data, leavers=leavers)

    def search_form(self) -> OffboardForm:
        return OffboardForm(self.request)


@require_GET
@connected(needs=Users.get)
def receipt(request: PortalRequest, job_key: str, user_id: str = "") -> HttpResponse:
    """Shows the steps of an offboarding, for print; those of one person, or of all."""
    approved = jobs_of(request.scope).exclude(approved_at=None)
    job = get_object_or_404(approved, kind=OffboardPeopleJob.name, key=job_key)
    found = receipt_of(job, user_id)
    if not found.people:
        raise Http404
    whole = reverse("people:offboarding", args=[request.connection.key, job.key])
    return page(request, "people/receipt.html", {"receipt": found, "job": job, "whole": whole})
