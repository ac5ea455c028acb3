"""Making a group, changing what it is called and who sees it, and deleting it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.groups import Group
from portal.people.forms.focus import focused
from portal.people.forms.groups import CREATION, UPDATE
from portal.people.services import groups as service
from portal.people.services.group_kinds import Kind
from portal.people.views.groups.kinds import group_url, of_kind
from portal.ui import once
from portal.ui.faults import faults_on
from portal.ui.forms import ContractForm
from portal.ui.forms.state import unsign
from portal.ui.models import SentForm
from portal.ui.pages import go, page
from portal.ui.toasts import toast


@require_http_methods(["GET", "POST"])
@of_kind("create")
def create(request: PortalRequest, kind: Kind) -> HttpResponse:
    """Makes a group; a second click does not make it twice."""
    form = focused(CREATION[kind.slug](request.POST or None))
    ticket = request.POST.get("ticket") or once.new_ticket()
    if request.method == "POST" and form.is_valid():
        made, ticket = _create_once(request, kind, form, ticket)
        if made:
            toast(request, "good", f"{made.name or made.id} was created. Add its members next.")
            return go(request, group_url(request, kind, "group", made.id))
    context = {"kind": kind, "form": form, "ticket": ticket}
    return page(request, "people/group_create.html", context, status=422 if form.is_bound else 200)


def _create_once(
    request: PortalRequest, kind: Kind, form: ContractForm, ticket: str
) -> tuple[Group | None, str]:
    """The group, or None with errors on the form, and the ticket of the next attempt."""
    sending = once.send(request.user, ticket)
    made = None
    with faults_on(form):
        if sending.earlier:
            made = _became(request, kind, form, sending.earlier)
            return made, once.new_ticket()
        try:
            made = service.create(request.api, request.connection, kind, form.model())
        except ApiError as error:
            sending.unknown() if error.may_have_happened else sending.undone()
            raise
        sending.done(made.id)
    return made, ticket


def _became(
    request: PortalRequest, kind: Kind, form: ContractForm, earlier: SentForm
) -> Group | None:
    """What came of an earlier attempt: its group by its id, or, of an unknown end, by its name."""
    if earlier.state == SentForm.State.DONE:
        return service.read(request.api, request.connection, kind, earlier.result)
    name = form.cleaned_data["name"]
    found = service.called(request.api, kind, name)
    if found is None:
        form.add_error(None, f"There is no {kind.noun} called {name} yet. It can be created now.")
    return found


@require_http_methods(["GET", "POST"])
@of_kind("update")
def change(request: PortalRequest, kind: Kind, group_id: str) -> HttpResponse:
    """Renames a group, and says who sees an IM group and what its members may search."""
    if request.method == "GET":
        group = service.read(request.api, request.connection, kind, group_id)
        return _ask_change(request, kind, group, focused(UPDATE[kind.slug](initial=group)))
    form = UPDATE[kind.slug](request.POST, initial=_opened_with(request.POST))
    group = _recalled(group_id, request.POST)
    with faults_on(form):
        group = service.read(request.api, request.connection, kind, group_id)
        form = UPDATE[kind.slug](request.POST, initial=group)
    changes = form.changes() if form.is_valid() else None
    with faults_on(form):
        if changes:
            service.change(request.api, request.connection, kind, group_id, changes)
    if not form.is_valid():
        return _ask_change(request, kind, group, form)
    if changes:
        toast(request, "good", f"{form.cleaned_data.get('name') or group.name} is changed.")
    return go(request, group_url(request, kind, "group", group_id))


def _opened_with(data: QueryDict) -> Mapping[str, Any]:
    """What the group was when the form was opened, for when the service does not tell now."""
    return unsign(data.get("was", "")) or {}


def _recalled(group_id: str, data: QueryDict) -> Group:
    return Group(id=group_id, name=str(_opened_with(data).get("name") or group_id))


def _ask_change(
    request: PortalRequest, kind: Kind, group: Group, form: ContractForm
) -> HttpResponse:
    context = {"kind": kind, "group": group, "form": form}
    return page(request, "people/group_change.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@of_kind("delete")
def delete(request: PortalRequest, kind: Kind, group_id: str) -> HttpResponse:
    """Asks before a group is deleted, and says what goes and what stays."""
    group = service.read(request.api, request.connection, kind, group_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            service.delete(request.api, request.connection, kind, group.id)
        if form.is_valid():
            toast(request, "good", f"{group.name} is deleted.")
            return go(request, group_url(request, kind, "list"))
    context = {
        "kind": kind,
        "group": group,
        "form": form,
        "verb": f"Delete {kind.noun}",
        "danger": True,
        "cancel": group_url(request, kind, "group", group.id),
    }
    return page(request, "people/group_delete.html", context, status=422 if form.is_bound else 200)
