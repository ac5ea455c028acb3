"""Telephone conferencing of a person: TSP accounts are edited here, PAC accounts are shown."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.roles import Refused, may
from portal.client import ApiError
from portal.contract.telephony import TspAccounts
from portal.people.forms.focus import focused
from portal.people.forms.telephony import TspForm, opened_with
from portal.people.services import telephony
from portal.people.services.person import Person
from portal.people.views.tabs import meet, person_url, tab
from portal.ui import once
from portal.ui.faults import faults_on
from portal.ui.forms import ContractForm
from portal.ui.pages import go, page
from portal.ui.toasts import toast

_FORM = "people/person_tsp.html"


@require_GET
@connected(needs=TspAccounts.list)
def accounts(request: PortalRequest, user_id: str) -> HttpResponse:
    """The person's TSP and PAC accounts, without PINs and passwords."""
    return _tab(request, user_id, shows_secrets=False)


@require_GET
@never_cache
@connected(needs=TspAccounts.list)
def show_secrets(request: PortalRequest, user_id: str) -> HttpResponse:
    """The same with leader PINs and passwords, for those who may also set them."""
    if not may(request.user.role, TspAccounts.update):
        raise Refused(TspAccounts.update, "role")
    return _tab(request, user_id, shows_secrets=True)


def _tab(request: PortalRequest, user_id: str, *, shows_secrets: bool) -> HttpResponse:
    tsp_accounts = telephony.tsp_accounts(request.api, user_id)
    pac_accounts = telephony.pac_accounts(request.api, user_id)
    has_any = bool(tsp_accounts or pac_accounts)
    context = {
        "tsp_accounts": tsp_accounts,
        "pac_accounts": pac_accounts,
        "shows_secrets": shows_secrets,
        "offers_secrets": has_any and may(request.user.role, TspAccounts.update),
    }
    return tab(request, user_id, "telephony", "people/person_telephony.html", context)


@require_http_methods(["GET", "POST"])
@connected(needs=TspAccounts.create)
def add(request: PortalRequest, user_id: str) -> HttpResponse:
    """Adds a TSP account; a second click does not add it twice."""
    person = meet(request, user_id)
    form = focused(TspForm(request.POST or None))
    ticket = request.POST.get("ticket") or once.new_ticket()
    if request.method == "POST" and form.is_valid():
        _add_once(request, person, form, ticket)
        if form.is_valid():
            toast(request, "good", f"{person.name} has a new TSP account.")
            return go(request, person_url(request, person.id, "telephony"))
    return _show(request, person, form, ticket=ticket)


def _add_once(request: PortalRequest, person: Person, form: ContractForm, ticket: str) -> None:
    sending = once.send(request.user, ticket)
    if sending.earlier:
        if sending.earlier.state != sending.earlier.State.DONE:
            form.add_error(None, "This was sent before: look whether the account is there.")
        return
    with faults_on(form):
        try:
            telephony.add_tsp_account(request.api, person.id, form.model())
        except ApiError as error:
            sending.unknown() if error.may_have_happened else sending.undone()
            raise
        sending.done(person.id)


@require_http_methods(["GET", "POST"])
@connected(needs=TspAccounts.update)
def change(request: PortalRequest, user_id: str, tsp_id: str) -> HttpResponse:
    """Changes a TSP account; a leader PIN that is left empty stays as it is."""
    person = meet(request, user_id)
    if request.method == "GET":
        tsp = telephony.tsp_account(request.api, person.id, tsp_id)
        return _show(request, person, focused(TspForm(initial=tsp.account)), tsp_id=tsp_id)
    form = TspForm(request.POST, initial=opened_with(request.POST))
    with faults_on(form):
        tsp = telephony.tsp_account(request.api, person.id, tsp_id)
        form = TspForm(request.POST, initial=tsp.account)
    if not form.is_valid():
        return _show(request, person, form, tsp_id=tsp_id)
    changes = form.changes()
    with faults_on(form):
        if changes:
            telephony.change_tsp_account(request.api, person.id, tsp_id, changes)
    if not form.is_valid():
        return _show(request, person, form, tsp_id=tsp_id)
    if changes:
        toast(request, "good", f"TSP account {tsp_id} is changed.")
    return go(request, person_url(request, person.id, "telephony"))


def _show(
    request: PortalRequest,
    person: Person,
    form: ContractForm,
    *,
    is_draft: bool = False,
    **more: Any,
) -> HttpResponse:
    context = {"person": person, "form": form, "is_draft": is_draft, **more}
    status = 422 if form.is_bound and not is_draft else 200
    return page(request, _FORM, context, status=status)


@require_http_methods(["GET", "POST"])
@connected(needs=TspAccounts.delete)
def delete(request: PortalRequest, user_id: str, tsp_id: str) -> HttpResponse:
    """Asks before a TSP account is deleted, which has no way back."""
    person = meet(request, user_id)
    tsp = telephony.tsp_account(request.api, person.id, tsp_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            telephony.delete_tsp_account(request.api, person.id, tsp_id)
        if form.is_valid():
            toast(request, "good", f"The TSP account {tsp.account.conference_code} is deleted.")
            return go(request, person_url(request, person.id, "telephony"))
    context = {
        "person": person,
        "form": form,
        "tsp": tsp,
        "verb": "Delete account",
        "danger": True,
        "cancel": person_url(request, person.id, "telephony"),
    }
    return page(
        request, "people/person_tsp_delete.html", context, status=422 if form.is_bound else 200
    )
