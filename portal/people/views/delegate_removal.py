"""Taking one delegate away from a person, or all of them."""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.models import Connection
from portal.client import Api
from portal.contract.delegates import Assistants, Schedulers
from portal.people.services import delegates
from portal.people.services.colleagues import Colleague
from portal.people.services.person import Person
from portal.people.views.tabs import meet, person_url
from portal.ui.faults import faults_on
from portal.ui.pages import go, page
from portal.ui.toasts import toast


@dataclass(frozen=True)
class Kind:
    """What assistants and schedulers differ in."""

    noun: str
    are_listed: Callable[[Api, Connection, str], list[Colleague]]
    remove: Callable[[Api, str, str], None]
    remove_all: Callable[[Api, str], None]


_ASSISTANTS = Kind(
    "assistant",
    delegates.assistants,
    lambda api, user_id, key: api.assistants.remove(user_id, key),
    lambda api, user_id: api.assistants.remove_all(user_id),
)
_SCHEDULERS = Kind(
    "scheduler",
    delegates.schedulers,
    lambda api, user_id, key: api.schedulers.remove(user_id, key),
    lambda api, user_id: api.schedulers.remove_all(user_id),
)


@require_http_methods(["GET", "POST"])
@connected(needs=Assistants.remove)
def remove_assistant(request: PortalRequest, user_id: str, delegate_id: str) -> HttpResponse:
    """Asks before one person can no longer schedule for another."""
    return _remove(request, user_id, delegate_id, _ASSISTANTS)


@require_http_methods(["GET", "POST"])
@connected(needs=Schedulers.remove)
def remove_scheduler(request: PortalRequest, user_id: str, delegate_id: str) -> HttpResponse:
    """The same, seen from the person who schedules."""
    return _remove(request, user_id, delegate_id, _SCHEDULERS)


@require_http_methods(["GET", "POST"])
@connected(needs=Assistants.remove_all)
def remove_all_assistants(request: PortalRequest, user_id: str) -> HttpResponse:
    """Asks before nobody can schedule for a person any more."""
    return _remove_all(request, user_id, _ASSISTANTS)


@require_http_methods(["GET", "POST"])
@connected(needs=Schedulers.remove_all)
def remove_all_schedulers(request: PortalRequest, user_id: str) -> HttpResponse:
    """Asks before a person can schedule for nobody any more."""
    return _remove_all(request, user_id, _SCHEDULERS)


def _remove(request: PortalRequest, user_id: str, delegate_id: str, kind: Kind) -> HttpResponse:
    person = meet(request, user_id)
    listed = kind.are_listed(request.api, request.connection, person.id)
    delegate = next((one for one in listed if one.key == delegate_id), None)
    if delegate is None:
        raise Http404
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            kind.remove(request.api, person.id, delegate.key)
        if form.is_valid():
            toast(request, "good", f"{delegate.name} is removed as {kind.noun}.")
            return go(request, person_url(request, person.id, "delegates"))
    context = _context(request, person, form, kind) | {"delegate": delegate, "verb": "Remove"}
    return page(
        request,
        "people/person_delegate_remove.html",
        context,
        status=422 if form.is_bound else 200,
    )


def _context(
    request: PortalRequest, person: Person, form: forms.Form, kind: Kind
) -> dict[str, object]:
    return {
        "person": person,
        "form": form,
        "kind": kind,
        "danger": True,
        "cancel": person_url(request, person.id, "delegates"),
    }


def _remove_all(request: PortalRequest, user_id: str, kind: Kind) -> HttpResponse:
    person = meet(request, user_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            kind.remove_all(request.api, person.id)
        if form.is_valid():
            toast(request, "good", f"All {kind.noun}s of {person.name} are removed.")
            return go(request, person_url(request, person.id, "delegates"))
    listed = kind.are_listed(request.api, request.connection, person.id)
    verb = f"Remove {len(listed)} {kind.noun}{'s' if len(listed) > 1 else ''}"
    context = _context(request, person, form, kind) | {"listed": listed, "verb": verb}
    return page(
        request,
        "people/person_delegates_remove_all.html",
        context,
        status=422 if form.is_bound else 200,
    )
