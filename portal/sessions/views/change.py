"""Changing a session: all of it in one form, with its preview beside it."""

from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.sessions.forms.plan import PlanForm, plan_form
from portal.sessions.forms.state import held_by
from portal.sessions.services.preview import Preview
from portal.sessions.services.session import SessionRecord, placeholder, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views import replacing
from portal.sessions.views.create import PREVIEW
from portal.sessions.views.plan_page import (
    asked,
    is_only_looked_at,
    is_warned,
    previewed,
    show,
    typed,
)
from portal.sessions.views.specs import spec_url, spec_view
from portal.sessions.views.tabs import session_url
from portal.translation import gettext as _
from portal.ui.errors import errors_to_form
from portal.ui.forms.layout import unsign
from portal.ui.pages import go, toast
from portal.ui.picking import unchecked
from portal.ui.views.action import say_removed

# Changes that can bring the host into two places at once, or into too small a room.
_MATTER = ("start_time", "timezone", "duration", "recurrence", "schedule_for", "type")


@require_http_methods(["GET", "POST"])
@spec_view(needs="update")
def edit(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """The form with what the session holds; only what differs from that is sent."""
    if request.method == "GET":
        session = read(request.api, request.scope, spec, session_id)
        return _ask(request, session, _form(request, session), Preview([], []))
    session, form, failure = _typed(request, spec, session_id)
    looked = previewed(request, form, session)
    if is_only_looked_at(request):
        return _ask(request, session, unchecked(form), looked)
    with errors_to_form(form):
        if failure:
            raise failure
    if not form.is_valid():
        return _ask(request, session, form, looked)
    changes = form.changes()
    if changes and form.replaces_times and _times_changed_elsewhere(request, session):
        words = _("Someone else changed the occurrences. Save again to overwrite them.")
        form.add_error("recurrence.type", words)
        return _ask(request, session, form, looked)
    if changes is None:
        toast(request, "neutral", _("Nothing was changed."))
        return go(request, session_url(request, spec, session.id))
    if changes.model_fields_set & set(_MATTER) and is_warned(request, looked):
        return _ask(request, session, form, looked, warns=True)
    return _save(request, replacing.ReplacedField(request, session, form, looked), changes)


def _save(request: PortalRequest, change: replacing.ReplacedField, changes: Any) -> HttpResponse:
    session, form, following = change.session, change.form, ""
    if change.is_agreed_to():
        with errors_to_form(form):
            following = change.save(changes)
    if not form.is_valid():
        return _ask(request, session, form, change.looked)
    say_removed(request, form)
    toast(request, "good", _("“%(topic)s” saved.") % {"topic": changes.topic or session.topic})
    return go(request, following)


@require_POST
@spec_view(needs="update")
def preview(request: PortalRequest, spec: SessionSpec, session_id: str) -> HttpResponse:
    """Shows the effect of the changes, while they are being made."""
    session, form, _failure = _typed(request, spec, session_id)
    looked = previewed(request, form, session)
    context = {"preview": looked, "session": session, "spec": spec}
    return render(request, PREVIEW, context | replacing.boxes(request, looked))


def _form(request: PortalRequest, session: SessionRecord, data: Any = None) -> PlanForm:
    tracking = asked(request)
    is_series = session.details.type == session.spec.series
    return plan_form(session.spec, change=True)(
        data,
        scope=request.scope,
        tracking=tracking,
        recurrence=session.pattern.recurrence if session.pattern else None,
        recurrence_is_known=session.pattern is not None or not is_series,
        initial=held_by(session, tracking),
    )


def _typed(
    request: PortalRequest, spec: SessionSpec, session_id: str
) -> tuple[SessionRecord, PlanForm, ApiError | None]:
    """Returns the session as it is now, or was if the service fails, with the form typed over
    it."""
    try:
        session = read(request.api, request.scope, spec, session_id)
    except ApiError as error:
        was = unsign(request.POST.get("was", "")) or {}
        form = plan_form(spec, change=True)(
            request.POST, scope=request.scope, recurrence_is_known=False, initial=was
        )
        return placeholder(spec, session_id, str(was.get("topic", ""))), form, error
    return session, _form(request, session, typed(request)), None


def _digest(session: SessionRecord) -> str:
    """Names the times that the session has, to see whether they are others later."""
    times = ",".join(moment.isoformat() for moment in session.dates)
    return sha256(times.encode()).hexdigest()[:24]


def _times_changed_elsewhere(request: PortalRequest, session: SessionRecord) -> bool:
    return request.POST.get("times_were", "") != _digest(session)


def _ask(
    request: PortalRequest, session: SessionRecord, form: PlanForm, looked: Preview, **more: Any
) -> HttpResponse:
    here = spec_url(request, session.spec, "edit", session.id)
    context = {
        "session": session,
        "times_were": _digest(session),
        "here": here,
        "look": spec_url(request, session.spec, "edit-preview", session.id),
        "cancel": session_url(request, session.spec, session.id),
        "verb": _("Save anyway") if more.get("warns") else _("Save changes"),
        "has_lost_password": bool(form.data.get("password")) and not request.htmx,
    }
    return show(
        request, session.spec, form, looked, context | replacing.boxes(request, looked) | more
    )
