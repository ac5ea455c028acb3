"""Putting one person into groups, and taking them out of one, from the person's own page."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest
from portal.people.forms.focus import focused
from portal.people.forms.groups import JoiningForm
from portal.people.services import group_changes
from portal.people.services import groups as service
from portal.people.services.group_changes import Wanted
from portal.people.services.group_kinds import Kind
from portal.people.services.groups import Membership
from portal.people.services.person import Person
from portal.people.views.groups.kinds import of_kind
from portal.people.views.tabs import meet, person_url
from portal.ui.explain import explain
from portal.ui.faults import faults_on
from portal.ui.pages import go, page
from portal.ui.toasts import toast

JOINING = "people/person_group_join.html"


@require_http_methods(["GET", "POST"])
@of_kind("add_members")
def join(request: PortalRequest, kind: Kind, user_id: str) -> HttpResponse:
    """Picks groups by a search, and puts the person into all that are ticked."""
    person = meet(request, user_id)
    picked = service.chosen(request.connection, kind, request.POST.getlist("picked"))
    if request.method == "GET" or "find" in request.POST:
        form = JoiningForm(picked=picked, initial={"search": request.POST.get("search", "")})
        is_search = "find" in request.POST
        return _ask(
            request, kind, person, form if is_search else focused(form), is_search=is_search
        )
    form = JoiningForm(request.POST, picked=picked)
    joined = _put_into(request, kind, person, form) if form.is_valid() else []
    if not form.is_valid():
        if joined:
            toast(request, "good", f"{person.name} is in {_names(joined)} now.")
        done = {one.id for one in joined}
        form.picked = [one for one in picked if one.id not in done]
        return _ask(request, kind, person, form)
    toast(request, "good", f"{person.name} is in {_names(joined)} now.")
    return go(request, person_url(request, person.id, "groups"))


def _put_into(
    request: PortalRequest, kind: Kind, person: Person, form: JoiningForm
) -> list[Membership]:
    """The groups that the person is in now; the form says of the others why they are not."""
    who = Wanted(person.name, person.id, person.details.email or "")
    joined = []
    for group in form.picked:
        outcome = group_changes.add(request.api, request.connection, kind, group.id, [who])
        if outcome.is_whole:
            joined.append(group)
            continue
        for _, words in outcome.refused:
            form.add_error(None, f"{group.name or group.id}: {words}")
        fault = explain(outcome.error) if outcome.error else None
        if fault:
            form.add_error(None, f"{group.name or group.id}: {fault.text}")
            form.fault = fault
            break
    return joined


def _ask(
    request: PortalRequest,
    kind: Kind,
    person: Person,
    form: JoiningForm,
    *,
    is_search: bool = False,
) -> HttpResponse:
    search = request.POST.get("search", "")
    present = getattr(person.details, kind.ids) or []
    besides = [*present, *(one.id for one in form.picked)]
    found: list[Membership] = []
    if form.is_bound:
        with faults_on(form):
            found = service.joinable(request.api, request.connection, kind, search, besides=besides)
    else:
        found = service.joinable(request.api, request.connection, kind, search, besides=besides)
    context: dict[str, Any] = {
        "kind": kind,
        "person": person,
        "form": form,
        "search": search.strip(),
        "picked": form.picked,
        "found": found,
        "here": person_url(request, person.id, f"{kind.slug}-join"),
    }
    fragment, status = ("found" if is_search else "content"), (422 if form.is_bound else 200)
    return page(request, JOINING, context, fragment=fragment, status=status)


@require_http_methods(["GET", "POST"])
@of_kind("remove_member")
def leave(request: PortalRequest, kind: Kind, user_id: str, group_id: str) -> HttpResponse:
    """Asks before the person leaves a group."""
    person = meet(request, user_id)
    [group] = service.chosen(request.connection, kind, [group_id])
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            service.leave(request.api, request.connection, kind, group_id, person.id)
        if form.is_valid():
            toast(request, "good", f"{person.name} is not in {group.name or group.id} any more.")
            return go(request, person_url(request, person.id, "groups"))
    context = {
        "kind": kind,
        "person": person,
        "group": group,
        "form": form,
        "verb": "Remove",
        "danger": True,
        "cancel": person_url(request, person.id, "groups"),
    }
    status = 422 if form.is_bound else 200
    return page(request, "people/person_group_leave.html", context, status=status)


def _names(groups: list[Membership]) -> str:
    return ", ".join(group.name or group.id for group in groups)
