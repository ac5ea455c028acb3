"""Letting a person in or keeping them out: activate, deactivate, revoke the SSO token."""

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.users import StatusAction, Users, UserStatus
from portal.people.services import status
from portal.people.services.person import Person
from portal.people.views.tabs import meet, person_url
from portal.ui.faults import faults_on
from portal.ui.pages import go, page
from portal.ui.toasts import toast


class StatusForm(forms.Form):
    action = forms.TypedChoiceField(
        coerce=StatusAction,
        choices=[(action.value, action.label) for action in StatusAction],
        widget=forms.HiddenInput,
    )


@require_http_methods(["GET", "POST"])
@connected(needs=Users.change_status)
def change_status(request: PortalRequest, user_id: str) -> HttpResponse:
    """Asks before a person is activated or deactivated, and says what that means."""
    person = meet(request, user_id)
    if request.method == "GET":
        action = _wanted(request.GET.get("action", ""), person)
        return _ask(request, person, StatusForm(initial={"action": action}), action)
    form = StatusForm(request.POST)
    if form.is_valid():
        action = form.cleaned_data["action"]
        with faults_on(form):
            status.change_status(request.api, request.connection, person.id, action)
        if form.is_valid():
            done = "active" if action == StatusAction.ACTIVATE else "deactivated"
            toast(request, "good", f"{person.name} is {done}.")
            return go(request, person_url(request, person.id))
    return _ask(request, person, form, _wanted(request.POST.get("action", ""), person))


def _wanted(text: str, person: Person) -> StatusAction:
    if text in set(StatusAction):
        return StatusAction(text)
    is_active = person.status == UserStatus.ACTIVE
    return StatusAction.DEACTIVATE if is_active else StatusAction.ACTIVATE


def _ask(
    request: PortalRequest, person: Person, form: forms.Form, action: StatusAction
) -> HttpResponse:
    is_off = action == StatusAction.DEACTIVATE
    context = {
        "person": person,
        "form": form,
        "change": action,
        "is_off": is_off,
        "verb": action.label,
        "danger": is_off,
        "cancel": person_url(request, person.id),
    }
    return page(request, "people/person_status.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
@connected(needs=Users.revoke_token)
def revoke_token(request: PortalRequest, user_id: str) -> HttpResponse:
    """Asks before the person's single sign-on token is revoked."""
    person = meet(request, user_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            status.revoke_token(request.api, person.id)
        if form.is_valid():
            toast(request, "good", f"The SSO token of {person.name} is revoked.")
            return go(request, person_url(request, person.id))
    context = {
        "person": person,
        "form": form,
        "verb": "Revoke token",
        "danger": True,
        "cancel": person_url(request, person.id),
    }
    return page(
        request, "people/person_revoke_token.html", context, status=422 if form.is_bound else 200
    )
