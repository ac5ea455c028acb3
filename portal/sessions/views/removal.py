"""Ending a session that runs, and deleting one or one of its times."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.sessions import Occurrence, OccurrenceQuery
from portal.sessions.kinds import Kind
from portal.sessions.services import removal
from portal.sessions.services.session import Session, read, recall
from portal.sessions.times import in_words
from portal.sessions.views.kinds import kind_page, kind_url, of_kind
from portal.sessions.views.tabs import session_url
from portal.ui.faults import faults_on
from portal.ui.pages import go
from portal.ui.toasts import toast


@require_http_methods(["GET", "POST"])
@of_kind(needs="delete")
def delete(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Asks before a session is deleted with all that belongs to it."""
    session = _meet(request, kind, session_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            removal.delete(request.api, request.connection, session)
        if form.is_valid():
            toast(request, "good", f"“{session.topic}” is deleted.")
            back = f"?host={session.host.id}" if session.host.id else ""
            return go(request, f"{kind_url(request, kind, 'list')}{back}")
    return _ask(request, session, form, "sessions/delete.html", verb=f"Delete {kind.noun}")


@require_http_methods(["GET", "POST"])
@of_kind(needs="delete")
def delete_occurrence(
    request: PortalRequest, kind: Kind, session_id: str, occurrence_id: str
) -> HttpResponse:
    """Asks before one time of a series is deleted."""
    session = _meet(request, kind, session_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    when = _when(session, occurrence_id)
    if request.method == "GET" and not when:
        raise Http404
    if form.is_valid():
        with faults_on(form):
            query = OccurrenceQuery(occurrence_id=occurrence_id)
            removal.delete(request.api, request.connection, session, query)
        if form.is_valid():
            toast(request, "good", f"{when or 'That time'} is deleted.")
            if len(session.occurrences) == 1:
                return go(request, kind_url(request, kind, "list"))
            return go(request, session_url(request, kind, session.id))
    return _ask(
        request,
        session,
        form,
        "sessions/delete_occurrence.html",
        verb="Delete this time",
        when=when,
        is_last=len(session.occurrences) == 1,
    )


@require_http_methods(["GET", "POST"])
@of_kind(needs="end")
def end(request: PortalRequest, kind: Kind, session_id: str) -> HttpResponse:
    """Asks before everybody is sent out of a session that runs."""
    session = _meet(request, kind, session_id)
    form = forms.Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with faults_on(form):
            removal.end(request.api, session)
        if form.is_valid():
            toast(request, "good", f"“{session.topic}” is ended.")
            return go(request, session_url(request, kind, session.id))
    return _ask(request, session, form, "sessions/end.html", verb=f"End {kind.noun}")


def _meet(request: PortalRequest, kind: Kind, session_id: str) -> Session:
    """What a question is about; one that is answered is not lost because it cannot be read."""
    try:
        return read(request.api, request.connection, kind, session_id)
    except ApiError:
        if request.method == "GET":
            raise
        return recall(kind, session_id)


def _when(session: Session, occurrence_id: str) -> str:
    found: Occurrence | None = next(
        (one for one in session.occurrences if str(one.occurrence_id) == occurrence_id), None
    )
    if found is None or found.start_time is None:
        return ""
    return in_words(found.start_time, session.timezone, found.duration)


def _ask(
    request: PortalRequest,
    session: Session,
    form: forms.Form,
    template: str,
    **context: Any,
) -> HttpResponse:
    shared = {
        "session": session,
        "form": form,
        "danger": True,
        "cancel": session_url(request, session.kind, session.id),
    }
    status = 422 if form.is_bound else 200
    return kind_page(request, session.kind, template, shared | context, status=status)
