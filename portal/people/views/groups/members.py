"""Adding people to a group and removing them from it, any number at a time."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest
from portal.contract.groups import Group
from portal.people.forms.groups import MemberFilter, MembersForm
from portal.people.jobs import group_drafts
from portal.people.services import colleagues, group_changes, group_members
from portal.people.services import groups as service
from portal.people.services.colleagues import MemberReference
from portal.people.services.group_types import GroupType
from portal.people.views.groups.kinds import group_url, of_kind
from portal.people.views.groups.many import not_listed, to_plan
from portal.ui import idempotency
from portal.ui.forms.focus import focused
from portal.ui.many import Outcome, outcome_context
from portal.ui.pages import go, page
from portal.ui.picking import FOUND, picker_for
from portal.ui.selection import CHOSEN, SelectionRefused, chosen_in
from portal.ui.toasts import toast

ADDING = "people/group_members_add.html"
REMOVAL = "people/group_members_remove.html"


@require_http_methods(["GET", "POST"])
@of_kind("add_members")
def add(request: PortalRequest, kind: GroupType, group_id: str) -> HttpResponse:
    """Picks people by a search, or takes their email addresses; says what became of each."""
    picked = colleagues.chosen(request.connection, request.POST.getlist("picked"))
    if "find" in request.POST:
        # A search is no attempt to save: what is missing is not an error yet.
        typed = {name: request.POST.get(name, "") for name in ("search", "emails")}
        form = MembersForm(picked=picked, initial=typed)
        return _ask_to_add(request, kind, _named(group_id, request), form, is_search=True)
    if request.method == "GET":
        group = service.read(request.api, request.connection, kind, group_id)
        return _ask_to_add(request, kind, group, focused(MembersForm(picked=[])))
    form = MembersForm(request.POST, picked=picked)
    group = _named(group_id, request)
    if not form.is_valid():
        return _ask_to_add(request, kind, group, form)
    people = colleagues.references(picked, form.cleaned_data["emails"])
    if len(people) > group_drafts.MOST_ADDED:
        ids, strangers = group_drafts.known_ids(request.connection, people)
        if not strangers:
            return to_plan(request, kind, group, ids, group_drafts.draft_joining)
        form.add_error("emails", not_listed([one.name for one in strangers]))
        return _ask_to_add(request, kind, group, form)
    outcome = group_changes.add(request.api, request.connection, kind, group_id, people)
    if outcome.is_whole:
        toast(request, "good", f"{_people(outcome.done)} added to {group.name}.")
        return go(request, group_url(request, kind, "group", group_id))
    return _ask_to_add(request, kind, group, _rest(request, outcome), outcome=outcome)


def _rest(request: PortalRequest, outcome: Outcome[MemberReference]) -> MembersForm:
    """The form with those who are not in the group yet, as they were named before."""
    ids = [one.id for one in outcome.left if one.id]
    emails = "\n".join(one.email for one in outcome.left if not one.id)
    picked = colleagues.chosen(request.connection, ids)
    return MembersForm(picked=picked, initial={"emails": emails})


def _named(group_id: str, request: PortalRequest) -> Group:
    """The group as the form told it, so that it is not asked for again at every step."""
    return Group(id=group_id, name=request.POST.get("group") or group_id)


def _ask_to_add(
    request: PortalRequest,
    kind: GroupType,
    group: Group,
    form: MembersForm,
    *,
    outcome: Outcome[MemberReference] | None = None,
    is_search: bool = False,
) -> HttpResponse:
    search = request.POST.get("search", "") if outcome is None else ""
    found = group_members.suggestions(
        request.connection, kind, group.id, search, besides=[one.id for one in form.picked]
    )
    context: dict[str, Any] = {
        "kind": kind,
        "group": group,
        "form": form,
        "idempotency_key": request.POST.get("idempotency_key") or idempotency.new_key(),
        "picker": picker_for(
            form,
            picked=[one.pick for one in form.picked],
            found=[one.pick for one in found],
            search=search.strip(),
            nothing="Nobody else is called that.",
            post_to=group_url(request, kind, "members-add", group.id),
        ),
        **outcome_context(outcome, "added"),
    }
    status = 422 if form.is_bound or outcome else 200
    if is_search and request.htmx:
        return render(request, FOUND, context)
    return page(request, ADDING, context, status=status)


@require_http_methods(["GET", "POST"])
@of_kind("remove_member")
def remove(request: PortalRequest, kind: GroupType, group_id: str) -> HttpResponse:
    """Asks before members are removed: those chosen in the list, or all that it showed."""
    group = service.read(request.api, request.connection, kind, group_id)
    try:
        people = _chosen(request, kind, group)
    except SelectionRefused as refused:
        toast(request, "neutral", str(refused))
        return go(request, group_url(request, kind, "group", group.id))
    if "confirmed" not in request.POST:
        return _ask_to_remove(request, kind, group, people)
    if len(people) > group_drafts.MOST_REMOVED:
        ids, strangers = group_drafts.known_ids(request.connection, people)
        if not strangers:
            return to_plan(request, kind, group, ids, group_drafts.draft_leaving)
        toast(request, "warning", not_listed([one.name for one in strangers]))
        return go(request, group_url(request, kind, "group", group.id))
    outcome = group_changes.remove(request.api, request.connection, kind, group.id, people)
    if not outcome.is_whole:
        return _ask_to_remove(request, kind, group, outcome.left, outcome=outcome)
    toast(request, "good", f"{_people(outcome.done)} removed from {group.name}.")
    return go(request, group_url(request, kind, "group", group.id))


def _chosen(request: PortalRequest, kind: GroupType, group: Group) -> list[MemberReference]:
    """Who is meant. Raises `SelectionRefused`, and `ApiError` where all have to be read."""
    selection = chosen_in(request.POST if request.method == "POST" else request.GET)
    if selection.matching is None:
        named = group_members.named(request.api, request.connection, kind, group.id, selection.ids)
        return colleagues.references(named)
    filters = MemberFilter(selection.filters())
    if not filters.is_exact:
        raise SelectionRefused("This selection is not understood. Choose again.")
    search = filters.cleaned_data.get("q")
    if search:
        found = group_members.all_found(request.connection, kind, group.id, search)
    else:
        found = group_members.everybody(request.api, kind, group.id)
    if not found:
        raise SelectionRefused("Nobody is left to remove.")
    return colleagues.references(found)


def _ask_to_remove(
    request: PortalRequest,
    kind: GroupType,
    group: Group,
    people: list[MemberReference],
    *,
    outcome: Outcome[MemberReference] | None = None,
) -> HttpResponse:
    context = {
        "kind": kind,
        "group": group,
        "people": people,
        "chosen_field": CHOSEN,
        "kept": " ".join(one.id for one in people),
        "idempotency_key": request.POST.get("idempotency_key") or idempotency.new_key(),
        "is_job": len(people) > group_drafts.MOST_REMOVED,
        "verb": f"Remove {_people(people)}",
        "danger": True,
        "cancel": group_url(request, kind, "group", group.id),
        "post_to": group_url(request, kind, "members-remove", group.id),
        **outcome_context(outcome, "removed"),
    }
    return page(request, REMOVAL, context, status=422 if outcome else 200)


def _people(people: list[MemberReference]) -> str:
    return people[0].name if len(people) == 1 else f"{len(people):,} people"
