"""Polls: listed with their questions, built, changed and deleted."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.sessions.forms.polls import ACT, PollForm
from portal.sessions.kinds import Kind
from portal.sessions.services import polls as service
from portal.sessions.views.kinds import of_kind
from portal.sessions.views.parts import may_call, part_page
from portal.sessions.views.tabs import session_url, tab
from portal.ui import once
from portal.ui.faults import faults_on
from portal.ui.pages import go
from portal.ui.toasts import toast


@require_GET
@of_kind(needs="polls.list")
def poll_list(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """The session's polls with their questions, in the order the service tells."""
    context = {
        "polls": service.polls(request.api, kind, session_id),
        "may_poll": may_call(request, kind.polls),
    }
    return tab(request, kind, session_id, "sessions/polls.html", context, current="polls")


@require_http_methods(["GET", "POST"])
@of_kind(needs="polls.create")
def add(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Builds a poll; a second click does not add it twice."""
    ticket = request.POST.get("ticket") or once.new_ticket()
    act = request.POST.get(ACT, "")
    form = PollForm(request.POST if request.method == "POST" else None, act=act)
    if request.method == "POST" and not act and form.is_valid():
        _add_once(request, kind, session_id, form, ticket)
        if form.is_valid():
            toast(request, "good", f"“{form.cleaned_data['title']}” is added.")
            return go(request, session_url(request, kind, session_id, "polls"))
    return _show(request, kind, session_id, form, {"ticket": ticket})


def _add_once(
    request: PortalRequest, kind: Kind, session_id: str, form: PollForm, ticket: str
) -> None:
    sending = once.send(request.user, ticket)
    if sending.earlier:
        if sending.earlier.state != sending.earlier.State.DONE:
            form.add_error(None, "This was sent before: look whether the poll is there.")
        return
    with faults_on(form):
        try:
            made = service.add(request.api, kind, session_id, form.poll())
        except ApiError as error:
            sending.unknown() if error.may_have_happened else sending.undone()
            raise
        sending.done(made.id)


@require_http_methods(["GET", "POST"])
@of_kind(needs="polls.update")
def change(request: PortalRequest, kind: Kind, session_id: str, poll_id: str) -> HttpResponse:
    """Changes a poll, which is then put anew as a whole."""
    told = service.poll(request.api, kind, session_id, poll_id)
    now = service.content(told)
    context: dict[str, Any] = {"poll": told}
    if request.method == "GET":
        return _show(request, kind, session_id, PollForm(initial=now), context)
    act = request.POST.get(ACT, "")
    form = PollForm(request.POST, initial=now, act=act)
    if act or not form.is_valid():
        return _show(request, kind, session_id, form, context)
    wanted = form.poll()
    is_changed = form.changes() is not None
    with faults_on(form):
        if is_changed:
            service.replace(request.api, kind, session_id, poll_id, wanted)
    if not form.is_valid():
        return _show(request, kind, session_id, form, context)
    if is_changed:
        toast(request, "good", f"“{wanted.title}” is changed.")
    return go(request, session_url(request, kind, session_id, "polls"))


def _show(
    request: PortalRequest,
    kind: Kind,
    session_id: str,
    form: PollForm,
    more: dict[str, Any],
) -> HttpResponse:
    status = 422 if form.is_bound and form.errors else 200
    context = {"form": form, "act": ACT, **more}
    return part_page(
        request, kind, session_id, "sessions/poll.html", context, tab="polls", status=status
    )


@require_http_methods(["GET", "POST"])
@of_kind(needs="polls.delete")
def delete(request: PortalRequest, kind: Kind, session_id: str, poll_id: str) -> HttpResponse:
    """Asks before a poll is deleted, which has no way back."""
    told = service.poll(request.api, kind, session_id, poll_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            service.delete(request.api, kind, session_id, poll_id)
        if form.is_valid():
            toast(request, "good", f"“{told.title or 'The poll'}” is deleted.")
            return go(request, session_url(request, kind, session_id, "polls"))
    context = {"form": form, "poll": told, "verb": "Delete poll", "danger": True}
    status = 422 if form.is_bound else 200
    return part_page(
        request, kind, session_id, "sessions/poll_delete.html", context, tab="polls", status=status
    )
