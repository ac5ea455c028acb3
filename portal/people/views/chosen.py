"""What is done to the people whom somebody chose, in the list or elsewhere.

Each action has a page with its small form; what comes of it is a job, whose plan is approved on the
job's own page.
"""

from collections.abc import Callable
from dataclasses import dataclass
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
from portal.ui import idempotency
from portal.ui.faults import errors_to_form
from portal.ui.pages import go, page
from portal.ui.selection import Selection, SelectionRefused, chosen_in
from portal.ui.toasts import toast

Page = Callable[..., HttpResponseBase]
Resolve = Callable[[Selection], Chosen]  # raises `SelectionRefused`
SENT = "sent"  # the field that tells the page's own form from that of the list


@dataclass(frozen=True)
class Place:
    """Where somebody chose, and comes back to; `note` is what they have to know of those there."""

    name: str
    url: str
    note: str = ""


@dataclass(frozen=True)
class _Chosen:
    """A selection as the pages about it have it; `who` is how many people that are, in words."""

    selection: Selection
    chosen: Chosen
    who: str
    place: Place


def _page(needs: Operation[Any, Any], form_class: Callable[..., Any]) -> Page:
    @require_http_methods(["GET", "POST"])
    @connected(needs=needs)
    def view(request: PortalRequest) -> HttpResponse:
        connection = request.connection
        place = Place("People", reverse("people:list", args=[connection.key]))
        if request.method == "GET":
            return go(request, place.url)
        return of_chosen(request, form_class, lambda data: resolve(data, connection), place)

    return view


def of_chosen(
    request: PortalRequest, form_class: Callable[..., Any], resolve: Resolve, place: Place
) -> HttpResponse:
    """Asks what is to be done to those who were chosen, and has it planned as a job."""
    try:
        selection = chosen_in(request.POST if request.method == "POST" else request.GET)
        chosen = resolve(selection)
        count = chosen.rows(request.connection).count()
        if not count:
            raise SelectionRefused("Nobody who was chosen is on the account any more.")
    except SelectionRefused as refused:
        toast(request, "warning", str(refused))
        return go(request, place.url)
    who = "1 person" if count == 1 else f"{count:,} people"
    found = _Chosen(selection, chosen, who, place)
    if SENT not in request.POST:
        return _ask(request, form_class(request), found)
    return _draft(request, form_class(request, request.POST), found)


def _draft(request: PortalRequest, form: Any, found: _Chosen) -> HttpResponse:
    if form.is_valid():
        plan = None
        with errors_to_form(form):
            plan = form.plan(request, found.who)
        if form.is_valid() and plan:
            parameters = {"chosen": found.chosen.as_parameters(), **plan.parameters}
            kind, title = plan.kind, plan.title
            origin = origin_of(request)
            return draft_once(
                request,
                lambda: jobs.draft(origin, request.connection, kind, title, parameters=parameters),
            )
    return _ask(request, form, found)


def _ask(request: PortalRequest, form: Any, found: _Chosen) -> HttpResponse:
    context = {
        "form": form,
        "selection": found.selection,
        "chosen": found.chosen,
        "who": found.who,
        "place": found.place,
        "heading": " ".join(filter(None, (form.asks, found.who, form.after))),
        "idempotency_key": idempotency.new_key(),
        "cancel": found.place.url,
    }
    return page(request, form.template, context, status=422 if form.is_bound else 200)


licence = _page(Users.update, LicenceForm)
department = _page(Users.update, DepartmentForm)
time_zone = _page(Users.update, TimeZoneForm)
join_group = _page(Groups.add_members, JoinForm)
leave_group = _page(Groups.remove_member, LeaveForm)
settings = _page(Users.update_settings, ChosenSettingsForm)
activate = _page(Users.change_status, ActivateForm)
deactivate = _page(Users.change_status, DeactivateForm)
remove = _page(Users.delete, RemoveForm)
