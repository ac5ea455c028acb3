"""Putting one person into groups, and taking them out of one, from the person's own page."""

from functools import cached_property
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest
from portal.contract.operation import Operation
from portal.people.forms.groups import JoiningForm
from portal.people.services import group_changes
from portal.people.services import groups as service
from portal.people.services.colleagues import MemberReference
from portal.people.services.group_types import GroupType
from portal.people.services.groups import Membership
from portal.people.services.person import Person
from portal.people.views.actions import PersonAction
from portal.people.views.groups.kinds import of_kind
from portal.people.views.tabs import person_url, read_for_form
from portal.ui.explain import explain
from portal.ui.faults import errors_to_form
from portal.ui.forms.focus import focused
from portal.ui.pages import go, page
from portal.ui.picking import FOUND, picker_for
from portal.ui.toasts import toast
from portal.ui.views import Labels

JOINING = "people/person_group_join.html"


@require_http_methods(["GET", "POST"])
@of_kind("add_members")
def join(request: PortalRequest, kind: GroupType, user_id: str) -> HttpResponse:
    """Picks groups by a search, and puts the person into all that are ticked."""
    person = read_for_form(request, user_id)
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
    request: PortalRequest, kind: GroupType, person: Person, form: JoiningForm
) -> list[Membership]:
    """The groups that the person is in now; the form says of the others why they are not."""
    who = MemberReference(person.name, person.id, person.details.email or "")
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
    kind: GroupType,
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
        with errors_to_form(form):
            found = service.joinable(request.api, request.connection, kind, search, besides=besides)
    else:
        found = service.joinable(request.api, request.connection, kind, search, besides=besides)
    here = person_url(request, person.id, f"{kind.slug}-join")
    context: dict[str, Any] = {
        "kind": kind,
        "person": person,
        "form": form,
        "picker": picker_for(
            form,
            picked=[one.pick for one in form.picked],
            found=[one.pick for one in found],
            search=search.strip(),
            nothing=f"No other {kind.noun} is called that.",
            post_to=here,
        ),
        "here": here,
    }
    if is_search and request.htmx:
        return render(request, FOUND, context)
    return page(request, JOINING, context, status=422 if form.is_bound else 200)


class LeaveGroup(PersonAction):
    """Takes the person out of a group."""

    is_destructive = True
    tab = "groups"

    def operation(self) -> Operation[Any, Any]:
        return self.kind.family.remove_member

    @property
    def kind(self) -> GroupType:
        kind: GroupType = self.kwargs["kind"]
        return kind

    @cached_property
    def group(self) -> Membership:
        [group] = service.chosen(self.request.connection, self.kind, [self.kwargs["group_id"]])
        return group

    def labels(self) -> Labels:
        name = self.person.name
        what = (
            f"The settings that the group shares no longer apply to {name}."
            if self.kind.slug == "groups"
            else f"{name} is no longer found through this group in the messaging directory."
        )
        return Labels(
            f"Remove {name} from {self.group.name or self.group.id}?",
            submit="Remove",
            consequences=[
                ("user-minus", what),
                ("users", f"Nothing else about {name} changes."),
                ("undo-2", "This can be undone: add them to the group again."),
            ],
        )

    def perform(self, form: Any) -> str:
        request, group = self.request, self.group
        service.leave(request.api, request.connection, self.kind, group.id, self.person.id)
        return f"{self.person.name} is not in {group.name or group.id} any more."


def _names(groups: list[Membership]) -> str:
    return ", ".join(group.name or group.id for group in groups)
