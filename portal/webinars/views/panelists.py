"""Panelists of a webinar: listed with their join links, added, removed."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.contract.webinars import Panelist, Panelists
from portal.sessions.kinds import Kind
from portal.sessions.views.parts import may_call, part_page
from portal.sessions.views.tabs import session_url, tab
from portal.ui import once
from portal.ui.explain import explain
from portal.ui.faults import faults_on
from portal.ui.pages import go
from portal.ui.toasts import toast
from portal.webinars.forms.panelists import PanelistsForm, as_line
from portal.webinars.services import panelists as service
from portal.webinars.services.panelists import Report

_ADD = "webinars/panelists_add.html"


@require_GET
@connected(needs=Panelists.list)
def panelist_list(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Who speaks, each with a join link of their own."""
    found = service.panelists(request.api, session_id)
    links = [f"{one.name or one.email}\t{one.email}\t{one.join_url}" for one in found]
    context = {
        "panelists": found,
        "all_links": "\n".join(links),
        "may_panel": may_call(request, Panelists),
    }
    return tab(request, kind, session_id, "webinars/panelists.html", context, current="panelists")


@require_http_methods(["GET", "POST"])
@connected(needs=Panelists.add)
def add(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Adds those who are named; who could not be added stays in the form, with the reason."""
    if request.method == "GET":
        form = PanelistsForm(initial={"ticket": once.new_ticket()})
        form.fields["people"].widget.attrs["autofocus"] = True
        return _show(request, kind, session_id, form)
    form = PanelistsForm(request.POST)
    if not form.is_valid():
        return _show(request, kind, session_id, form)
    back = session_url(request, kind, session_id, "panelists")
    sending = once.send(request.user, form.cleaned_data["ticket"])
    if sending.earlier:
        toast(request, "neutral", "These panelists were sent before: the list tells who is there.")
        return go(request, back)
    people: list[Panelist] = form.cleaned_data["people"]
    report = service.add(request.api, session_id, people)
    if report.is_complete:
        sending.done(session_id)
        toast(request, "good", _added(len(report.added)))
        return go(request, back)
    sending.undone()
    return _show(request, kind, session_id, _what_is_left(people, report), report)


def _what_is_left(people: list[Panelist], report: Report) -> PanelistsForm:
    """The form with those who are not there yet, and why."""
    added = set(report.added)
    left = [as_line(one) for one in people if one.email not in added]
    form = PanelistsForm({"people": "\n".join(left), "ticket": once.new_ticket()})
    form.is_valid()
    for email, words in report.refused:
        form.add_error("people", f"{email}: {words}")
    if report.stopped:
        fault = explain(report.stopped)
        form.fault = fault  # type: ignore[attr-defined]
        form.add_error(None, fault.text if fault else report.stopped.message)
    return form


def _added(count: int) -> str:
    return "1 panelist added." if count == 1 else f"{count} panelists added."


def _show(
    request: PortalRequest,
    kind: Kind,
    session_id: str,
    form: PanelistsForm,
    report: Report | None = None,
) -> HttpResponse:
    context = {"form": form, "report": report, "verb": "Add panelists"}
    status = 422 if form.is_bound else 200
    return part_page(request, kind, session_id, _ADD, context, tab="panelists", status=status)


@require_http_methods(["GET", "POST"])
@connected(needs=Panelists.remove)
def remove(request: PortalRequest, kind: Kind, session_id: str, panelist_id: str) -> HttpResponse:
    """Asks before somebody no longer speaks."""
    listed = service.panelists(request.api, session_id)
    found = next((one for one in listed if one.id == panelist_id), None)
    if found is None:
        raise Http404
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            service.remove(request.api, session_id, panelist_id)
        if form.is_valid():
            toast(request, "good", f"{found.name or found.email} is removed as panelist.")
            return go(request, session_url(request, kind, session_id, "panelists"))
    context = {"one": found, "verb": "Remove"}
    return _confirm(request, kind, session_id, form, context)


@require_http_methods(["GET", "POST"])
@connected(needs=Panelists.remove_all)
def remove_all(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Asks before nobody but the host speaks."""
    listed = service.panelists(request.api, session_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            service.remove_all(request.api, session_id)
        if form.is_valid():
            toast(request, "good", "All panelists are removed.")
            return go(request, session_url(request, kind, session_id, "panelists"))
    verb = f"Remove {len(listed)} panelist{'' if len(listed) == 1 else 's'}"
    return _confirm(request, kind, session_id, form, {"listed": listed, "verb": verb})


def _confirm(
    request: PortalRequest, kind: Kind, session_id: str, form: forms.Form, more: dict[str, Any]
) -> HttpResponse:
    context = {"form": form, "danger": True, **more}
    return part_page(
        request,
        kind,
        session_id,
        "webinars/panelists_remove.html",
        context,
        tab="panelists",
        status=422 if form.is_bound else 200,
    )
