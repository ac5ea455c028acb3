"""What is done to the people whom somebody chose in the list.

Each action has a page with its small form; what comes of it is a job, whose plan is approved on the
job's own page.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.origin import origin_of
from portal.contract.groups import Groups
from portal.contract.operation import Operation
from portal.contract.users import Users
from portal.jobs import services as jobs
from portal.jobs.views.drafting import draft_once
from portal.people.forms.chosen import (
    ActivateForm,
    DeactivateForm,
    DepartmentForm,
    JoinForm,
    LeaveForm,
    LicenceForm,
    TimeZoneForm,
)
from portal.people.forms.chosen_removal import RemoveForm
from portal.people.forms.chosen_settings import ChosenSettingsForm
from portal.people.services.choosing import Chosen, resolve
from portal.ui import once
from portal.ui.faults import faults_on
from portal.ui.pages import go, page
from portal.ui.selection import Selection, SelectionRefused, chosen_in
from portal.ui.toasts import toast

Page = Callable[..., HttpResponseBase]
SENT = "sent"  # the field that tells the page's own form from that of the list


def _page(needs: Operation[Any, Any], form_class: Callable[..., Any]) -> Page:
    @require_http_methods(["GET", "POST"])
    @connected(needs=needs)
    def view(request: PortalRequest) -> HttpResponse:
        if request.method == "GET":
            return go(request, _list(request))
        try:
            selection = chosen_in(request.POST)
            chosen = resolve(selection, request.connection)
            count = chosen.rows(request.connection).count()
            if not count:
                raise SelectionRefused("Nobody who was chosen is on the account any more.")
        except SelectionRefused as refused:
            toast(request, "warning", str(refused))
            return go(request, _list(request))
        who = "1 person" if count == 1 else f"{count:,} people"
        if SENT not in request.POST:
            return _ask(request, form_class(request), selection, chosen, who)
        return _draft(request, form_class(request, request.POST), selection, chosen, who)

    return view


def _draft(
    request: PortalRequest, form: Any, selection: Selection, chosen: Chosen, who: str
) -> HttpResponse:
    if form.is_valid():
        plan = None
        with faults_on(form):
            plan = form.plan(request, who)
        if form.is_valid() and plan:
            parameters = {"chosen": chosen.as_parameters(), **plan.parameters}
            kind, title = plan.kind, plan.title
            origin = origin_of(request)
            return draft_once(
                request,
                lambda: jobs.draft(origin, request.connection, kind, title, parameters=parameters),
            )
    return _ask(request, form, selection, chosen, who)


def _ask(
    request: PortalRequest, form: Any, selection: Selection, chosen: Chosen, who: str
) -> HttpResponse:
    context = {
        "form": form,
        "selection": selection,
        "chosen": chosen,
        "who": who,
        "heading": " ".join(filter(None, (form.asks, who, form.after))),
        "ticket": once.new_ticket(),
        "cancel": _list(request),
    }
    return page(request, form.template, context, status=422 if form.is_bound else 200)


def _list(request: PortalRequest) -> str:
    return reverse("people:list", args=[request.connection.key])


licence = _page(Users.update, LicenceForm)
department = _page(Users.update, DepartmentForm)
time_zone = _page(Users.update, TimeZoneForm)
join_group = _page(Groups.add_members, JoinForm)
leave_group = _page(Groups.remove_member, LeaveForm)
settings = _page(Users.update_settings, ChosenSettingsForm)
activate = _page(Users.change_status, ActivateForm)
deactivate = _page(Users.change_status, DeactivateForm)
remove = _page(Users.delete, RemoveForm)
