"""Planning a session: for anybody, checked as it is filled in, carried out once."""

from copy import copy
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.sessions.forms.people import SEARCH, PeoplePicker, split
from portal.sessions.forms.plan import PlanForm, plan_form
from portal.sessions.people import find_hosts, hosts_called
from portal.sessions.services import planning
from portal.sessions.services.preview import Preview
from portal.sessions.services.session import settle
from portal.sessions.specs import SessionSpec
from portal.sessions.views.initial_data import KEEP, initial_form, keep_as_template
from portal.sessions.views.kinds import kind_url, of_kind
from portal.sessions.views.plan_page import (
    asked,
    is_only_looked_at,
    is_warned,
    previewed,
    show,
)
from portal.sessions.views.tabs import session_url
from portal.ui import idempotency
from portal.ui.explain import cause_of
from portal.ui.faults import errors_to_form
from portal.ui.models import SentForm
from portal.ui.pages import go
from portal.ui.picking import FOUND
from portal.ui.toasts import toast

PREVIEW = "sessions/plan_preview.html"


@require_http_methods(["GET", "POST"])
@of_kind(needs="create")
def create(request: PortalRequest, kind: SessionSpec) -> HttpResponse:
    """The form, and what becomes of it."""
    if request.method == "GET":
        form = initial_form(request, kind)
        return _ask(request, kind, form, Preview([], []), idempotency.new_key())
    form = _typed(request, kind)
    looked = previewed(request, form)
    idempotency_key = _idempotency_key(request) or idempotency.new_key()
    if KEEP in request.POST:
        keep_as_template(request, kind, form)
        return _ask(request, kind, form.unchecked(), looked, idempotency_key)
    if is_only_looked_at(request):
        return _ask(request, kind, form.unchecked(), looked, idempotency_key)
    if not form.is_valid():
        return _ask(request, kind, form, looked, idempotency_key)
    return _send(request, kind, form, looked, idempotency_key)


def _send(
    request: PortalRequest, kind: SessionSpec, form: PlanForm, looked: Preview, idempotency_key: str
) -> HttpResponse:
    failure: ApiError | None = None
    with errors_to_form(form), idempotency.attempt(request.user, idempotency_key) as attempt:
        if attempt.earlier:
            return _was_sent_before(request, kind, form, looked, attempt.earlier)
        if is_warned(request, looked):
            # Asked only now: what the first click has planned is no clash for the second.
            return _ask(request, kind, form, looked, idempotency_key, warns=True)
        try:
            host_id = form.cleaned_data["host"]
            made = planning.create(request.api, request.connection, kind, host_id, form.model())
        except ApiError as error:
            failure = error
            raise
        attempt.done(made.id)
        toast(request, "good", f"{kind.noun.capitalize()} scheduled: “{made.topic}”.")
        return go(request, session_url(request, kind, made.id))
    if failure and failure.may_have_happened:
        cause = cause_of(failure)
        return _ask(request, kind, form, looked, idempotency_key, perhaps="unanswered", cause=cause)
    return _ask(request, kind, form, looked, idempotency_key)


@require_POST
@of_kind(needs="create")
def look(request: PortalRequest, kind: SessionSpec) -> HttpResponse:
    """Asks whether a session of whose creation nothing was heard exists after all."""
    form = _typed(request, kind)
    looked = previewed(request, form)
    idempotency_key = _idempotency_key(request)
    sent = SentForm.objects.filter(user=request.user, ticket=idempotency_key).first()
    if not form.is_valid() or sent is None:
        return _ask(request, kind, form, looked, idempotency_key)
    found: str | None = None
    with errors_to_form(form):
        host_id = form.cleaned_data["host"]
        found = planning.look_for(request.api, kind, host_id, form.model(), sent.sent_at)
    if not form.is_valid():
        cause = " ".join(map(str, form.non_field_errors()))
        return _ask(request, kind, form, looked, idempotency_key, perhaps="unanswered", cause=cause)
    if found:
        settle(request.api, request.connection, kind, found)
        toast(request, "good", f"{kind.noun.capitalize()} scheduled.")
        return go(request, session_url(request, kind, found))
    return _ask(request, kind, form, looked, idempotency.new_key(), perhaps="absent")


@require_POST
@of_kind(needs="create")
def preview(request: PortalRequest, kind: SessionSpec) -> HttpResponse:
    """What the form comes to, while it is being filled in."""
    form = _typed(request, kind)
    looked = previewed(request, form)
    return render(request, PREVIEW, {"preview": looked})


@require_GET
@of_kind(needs="create")
def people(request: PortalRequest, kind: SessionSpec) -> HttpResponse:
    """Whom the search of a form's picker finds."""
    name = request.GET.get("field", "")
    known = plan_form(kind).base_fields.get(name)
    if known is None or not isinstance(known.widget, PeoplePicker):
        return HttpResponse(status=404)
    widget = copy(known.widget)
    widget.search = request.GET.get(f"{SEARCH}{name}", "").strip()
    widget.found = find_hosts(request.connection, widget.search)
    picked = split(widget.value_from_datadict(request.GET, {}, name))
    picker = widget.picker(name, hosts_called(request.connection, picked))
    return render(request, FOUND, {"picker": picker})


def _idempotency_key(request: PortalRequest) -> str:
    """PostgreSQL refuses NUL in text."""
    return request.POST.get("idempotency_key", "").replace("\x00", "")


def _typed(request: PortalRequest, kind: SessionSpec) -> PlanForm:
    return plan_form(kind)(
        request.POST, connection=request.connection, tracking=asked(request), suggest={}
    )


def _ask(
    request: PortalRequest,
    kind: SessionSpec,
    form: PlanForm,
    looked: Preview,
    idempotency_key: str,
    **more: Any,
) -> HttpResponse:
    """The form. `perhaps` is `unanswered` or `being_sent` while the session may exist, `absent`
    when it turned out that it does not; `cause` says why that is not known. `warns` says that
    something speaks against the plan."""
    context = {
        "idempotency_key": idempotency_key,
        "here": kind_url(request, kind, "create"),
        "look": kind_url(request, kind, "create-preview"),
        "search_again": kind_url(request, kind, "create-look"),
        "cancel": kind_url(request, kind, "list"),
        "template_name": request.POST.get("template_name", ""),
        "verb": "Schedule anyway" if more.get("warns") else f"Schedule {kind.noun}",
        "has_lost_password": bool(form.data.get("password")) and not request.htmx,
    }
    return show(request, kind, form, looked, context | more)


def _was_sent_before(
    request: PortalRequest, kind: SessionSpec, form: PlanForm, looked: Preview, earlier: SentForm
) -> HttpResponse:
    if earlier.state == SentForm.State.DONE:
        toast(request, "neutral", f"This {kind.noun} was already scheduled by your first click.")
        return go(request, session_url(request, kind, earlier.result))
    is_sending = earlier.state == SentForm.State.SENDING
    perhaps = "being_sent" if is_sending else "unanswered"
    return _ask(request, kind, form, looked, earlier.ticket, perhaps=perhaps)
