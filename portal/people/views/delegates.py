"""Assistants, who schedule for a person, and schedulers, for whom the person schedules."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.delegates import Assistants
from portal.people.forms.delegates import AssistantsForm
from portal.people.services import colleagues, delegates
from portal.people.services.colleagues import Colleague, MemberReference
from portal.people.views.tabs import person_url, read_for_form, tab
from portal.ui.forms.focus import focused
from portal.ui.many import Outcome, outcome_context
from portal.ui.pages import go, page
from portal.ui.picking import FOUND, picker_for
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
    person = read_for_form(request, user_id)
    present = _present(request, person.id)
    picked = colleagues.chosen(request.connection, request.POST.getlist("picked"))
    data = request.POST if request.method == "POST" else None
    is_search = "find" in request.POST
    form = AssistantsForm(data, picked=picked, present=len(present))
    context: dict[str, Any] = {"person": person, "form": focused(form)}
    if request.method == "POST" and not is_search and form.is_valid():
        people = colleagues.references(picked, form.cleaned_data["emails"])
        outcome = delegates.add_assistants(request.api, person.id, people)
        if outcome.is_whole:
            toast(request, "good", _added(len(outcome.done)))
            return go(request, person_url(request, person.id, "delegates"))
        picked = colleagues.chosen(request.connection, [one.id for one in outcome.left if one.id])
        context |= outcome_context(outcome, "added") | {
            "form": _rest(outcome, picked, len(present))
        }
    besides = [person.id, *(one.id for one in (*present, *picked))]
    search = "" if "outcome" in context else request.POST.get("search", "")
    if is_search:
        # A search is no attempt to save: what is missing is not an error yet.
        context["form"] = AssistantsForm(None, picked=picked, present=len(present))
        context["form"].initial = {name: request.POST.get(name, "") for name in form.fields}
    context["picker"] = picker_for(
        context["form"],
        picked=[one.pick for one in picked],
        found=[
            one.pick for one in colleagues.suggestions(request.connection, search, besides=besides)
        ],
        search=search.strip(),
        nothing="Nobody else is called that.",
        post_to=person_url(request, person.id, "assistants-add"),
    )
    if is_search and request.htmx:
        return render(request, FOUND, context)
    status = 422 if context["form"].is_bound or "outcome" in context else 200
    return page(request, "people/person_assistants_add.html", context, status=status)


def _rest(
    outcome: Outcome[MemberReference], picked: list[Colleague], present: int
) -> AssistantsForm:
    """The form with those who are no assistants yet, as they were named before."""
    emails = "\n".join(one.email for one in outcome.left if not one.id)
    initial = {"emails": emails}
    return AssistantsForm(None, picked=picked, present=present, initial=initial)


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
