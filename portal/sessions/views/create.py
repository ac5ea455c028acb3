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
from portal.sessions.kinds import Kind
from portal.sessions.people import find_hosts, hosts_called
from portal.sessions.services import planning
from portal.sessions.services.preview import Preview
from portal.sessions.services.session import settle
from portal.sessions.views.asking import (
    asked,
    is_only_looked_at,
    is_warned,
    previewed,
    show,
)
from portal.sessions.views.beginning import KEEP, begun, keep_as_template
from portal.sessions.views.kinds import kind_url, of_kind
from portal.sessions.views.tabs import session_url
from portal.ui import once
from portal.ui.explain import cause_of
from portal.ui.faults import faults_on
from portal.ui.models import SentForm
from portal.ui.pages import go
from portal.ui.picking import FOUND
from portal.ui.toasts import toast

PREVIEW = "sessions/plan_preview.html"


@require_http_methods(["GET", "POST"])
@of_kind(needs="create")
def create(request: PortalRequest, kind: Kind) -> HttpResponse:
    """The form, and what becomes of it."""
    if request.method == "GET":
        form = begun(request, kind)
        return _ask(request, kind, form, Preview([], []), once.new_ticket())
    form = _typed(request, kind)
    looked = previewed(request, form)
    ticket = _ticket(request) or once.new_ticket()
    if KEEP in request.POST:
        keep_as_template(request, kind, form)
        return _ask(request, kind, form.unchecked(), looked, ticket)
    if is_only_looked_at(request):
        return _ask(request, kind, form.unchecked(), looked, ticket)
    if not form.is_valid():
        return _ask(request, kind, form, looked, ticket)
    return _send(request, kind, form, looked, ticket)


def _send(
    request: PortalRequest, kind: Kind, form: PlanForm, looked: Preview, ticket: str
) -> HttpResponse:
    failure: ApiError | None = None
    with faults_on(form), once.attempt(request.user, ticket) as attempt:
        if attempt.earlier:
            return _was_sent_before(request, kind, form, looked, attempt.earlier)
        if is_warned(request, looked):
            # Asked only now: what the first click has planned is no clash for the second.
            return _ask(request, kind, form, looked, ticket, warns=True)
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
        return _ask(request, kind, form, looked, ticket, perhaps="unanswered", cause=cause)
    return _ask(request, kind, form, looked, ticket)


@require_POST
@of_kind(needs="create")
def look(request: PortalRequest, kind: Kind) -> HttpResponse:
    """Asks whether a session of whose creation nothing was heard exists after all."""
    form = _typed(request, kind)
    looked = previewed(request, form)
    ticket = _ticket(request)
    sent = SentForm.objects.filter(user=request.user, ticket=ticket).first()
    if not form.is_valid() or sent is None:
        return _ask(request, kind, form, looked, ticket)
    found: str | None = None
    with faults_on(form):
        host_id = form.cleaned_data["host"]
        found = planning.look_for(request.api, kind, host_id, form.model(), sent.sent_at)
    if not form.is_valid():
        cause = " ".join(map(str, form.non_field_errors()))
        return _ask(request, kind, form, looked, ticket, perhaps="unanswered", cause=cause)
    if found:
        settle(request.api, request.connection, kind, found)
        toast(request, "good", f"{kind.noun.capitalize()} scheduled.")
        return go(request, session_url(request, kind, found))
    return _ask(request, kind, form, looked, once.new_ticket(), perhaps="absent")


@require_POST
@of_kind(needs="create")
def preview(request: PortalRequest, kind: Kind) -> HttpResponse:
    """What the form comes to, while it is being filled in."""
    form = _typed(request, kind)
    looked = previewed(request, form)
    return render(request, PREVIEW, {"preview": looked})


@require_GET
@of_kind(needs="create")
def people(request: PortalRequest, kind: Kind) -> HttpResponse:
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


def _ticket(request: PortalRequest) -> str:
    """PostgreSQL refuses NUL in text."""
    return request.POST.get("ticket", "").replace("\x00", "")


def _typed(request: PortalRequest, kind: Kind) -> PlanForm:
    return plan_form(kind)(
        request.POST, connection=request.connection, tracking=asked(request), suggest={}
    )


def _ask(
    request: PortalRequest,
    kind: Kind,
    form: PlanForm,
    looked: Preview,
    ticket: str,
    **more: Any,
) -> HttpResponse:
    """The form. `perhaps` is `unanswered` or `being_sent` while the session may exist, `absent`
    when it turned out that it does not; `cause` says why that is not known. `warns` says that
    something speaks against the plan."""
    context = {
        "ticket": ticket,
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
    request: PortalRequest, kind: Kind, form: PlanForm, looked: Preview, earlier: SentForm
) -> HttpResponse:
    if earlier.state == SentForm.State.DONE:
        toast(request, "neutral", f"This {kind.noun} was already scheduled by your first click.")
        return go(request, session_url(request, kind, earlier.result))
    is_sending = earlier.state == SentForm.State.SENDING
    perhaps = "being_sent" if is_sending else "unanswered"
    return _ask(request, kind, form, looked, earlier.ticket, perhaps=perhaps)
