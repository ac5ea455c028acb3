"""Assistants, who schedule for a person, and schedulers, for whom the person schedules."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.delegates import Assistants
from portal.people.forms.delegates import AssistantsForm
from portal.people.forms.focus import focused
from portal.people.services import colleagues, delegates
from portal.people.services.colleagues import Colleague
from portal.people.views.tabs import meet, person_url, tab
from portal.ui.faults import faults_on
from portal.ui.pages import go, page
from portal.ui.toasts import toast


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


@require_http_methods(["GET", "POST"])
@connected(needs=Assistants.add)
def add_assistants(request: PortalRequest, user_id: str) -> HttpResponse:
    """Picks colleagues by a search, or takes their email addresses."""
    person = meet(request, user_id)
    present = _present(request, person.id)
    picked = colleagues.chosen(request.connection, request.POST.getlist("picked"))
    data = request.POST if request.method == "POST" else None
    is_search = "find" in request.POST
    form = AssistantsForm(data, picked=picked, present=len(present))
    context: dict[str, Any] = {"person": person, "form": focused(form), "picked": picked}
    if request.method == "POST" and not is_search and form.is_valid():
        with faults_on(form):
            delegates.add_assistants(
                request.api,
                request.connection,
                person.id,
                picked,
                form.cleaned_data["emails"],
            )
        if form.is_valid():
            toast(request, "good", _added(len(picked) + len(form.cleaned_data["emails"])))
            return go(request, person_url(request, person.id, "delegates"))
    besides = [person.id, *(one.id for one in (*present, *picked))]
    search = request.POST.get("search", "")
    context["search"] = search.strip()
    context["found"] = colleagues.suggestions(request.connection, search, besides=besides)
    if is_search:
        # A search is no attempt to save: what is missing is not an error yet.
        context["form"] = AssistantsForm(None, picked=picked, present=len(present))
        context["form"].initial = {name: request.POST.get(name, "") for name in form.fields}
        return page(request, "people/person_assistants_add.html", context, fragment="colleagues")
    status = 422 if form.is_bound else 200
    return page(request, "people/person_assistants_add.html", context, status=status)


def _present(request: PortalRequest, user_id: str) -> list[Colleague]:
    """The assistants there are; a form that is sent is not lost because they cannot be read."""
    try:
        return delegates.assistants(request.api, request.connection, user_id)
    except ApiError:
        if request.method == "GET":
            raise
        return []


def _added(count: int) -> str:
    return "1 assistant added." if count == 1 else f"{count} assistants added."
