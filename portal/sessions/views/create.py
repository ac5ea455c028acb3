"""Planning a session: for anybody, checked as it is filled in, carried out once."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.sessions.forms.plan import PlanForm, plan_form
from portal.sessions.services import planning
from portal.sessions.services.preview import Preview
from portal.sessions.services.session import settle
from portal.sessions.specs import SessionSpec
from portal.sessions.views.initial_data import KEEP, initial_form, keep_as_template
from portal.sessions.views.plan_page import (
    asked,
    is_only_looked_at,
    is_warned,
    previewed,
    show,
)
from portal.sessions.views.specs import spec_url, spec_view
from portal.sessions.views.tabs import session_url
from portal.ui import idempotency
from portal.ui.explain import cause_of
from portal.ui.faults import errors_to_form
from portal.ui.models import SentForm
from portal.ui.pages import go
from portal.ui.picking import answer_search, unchecked
from portal.ui.toasts import toast

PREVIEW = "sessions/plan_preview.html"


@require_http_methods(["GET", "POST"])
@spec_view(needs="create")
def create(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    """The form, and what becomes of it."""
    if request.method == "GET":
        form = initial_form(request, spec)
        return _ask(request, spec, form, Preview([], []), idempotency.new_key())
    form = _typed(request, spec)
    looked = previewed(request, form)
    idempotency_key = _idempotency_key(request) or idempotency.new_key()
    if KEEP in request.POST:
        keep_as_template(request, spec, form)
        return _ask(request, spec, unchecked(form), looked, idempotency_key)
    if is_only_looked_at(request):
        return _ask(request, spec, unchecked(form), looked, idempotency_key)
    if not form.is_valid():
        return _ask(request, spec, form, looked, idempotency_key)
    return _send(request, spec, form, looked, idempotency_key)


def _send(
    request: PortalRequest, spec: SessionSpec, form: PlanForm, looked: Preview, idempotency_key: str
) -> HttpResponse:
    failure: ApiError | None = None
    with errors_to_form(form), idempotency.attempt(request.user, idempotency_key) as attempt:
        if attempt.earlier:
            return _was_sent_before(request, spec, form, looked, attempt.earlier)
        if is_warned(request, looked):
            # Asked only now: what the first click has planned is no clash for the second.
            return _ask(request, spec, form, looked, idempotency_key, warns=True)
        try:
            host_id = form.cleaned_data["host"]
            made = planning.create(request.api, request.connection, spec, host_id, form.model())
        except ApiError as error:
            failure = error
            raise
        attempt.done(made.id)
        toast(request, "good", f"{spec.noun.capitalize()} scheduled: “{made.topic}”.")
        return go(request, session_url(request, spec, made.id))
    if failure and failure.may_have_happened:
        cause = cause_of(failure)
        return _ask(request, spec, form, looked, idempotency_key, perhaps="unanswered", cause=cause)
    return _ask(request, spec, form, looked, idempotency_key)


@require_POST
@spec_view(needs="create")
def look(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    """Asks whether a session of whose creation nothing was heard exists after all."""
    form = _typed(request, spec)
    looked = previewed(request, form)
    idempotency_key = _idempotency_key(request)
    sent = SentForm.objects.filter(user=request.user, ticket=idempotency_key).first()
    if not form.is_valid() or sent is None:
        return _ask(request, spec, form, looked, idempotency_key)
    found: str | None = None
    with errors_to_form(form):
        host_id = form.cleaned_data["host"]
        found = planning.look_for(request.api, spec, host_id, form.model(), sent.sent_at)
    if not form.is_valid():
        cause = " ".join(map(str, form.non_field_errors()))
        return _ask(request, spec, form, looked, idempotency_key, perhaps="unanswered", cause=cause)
    if found:
        settle(request.api, request.connection, spec, found)
        toast(request, "good", f"{spec.noun.capitalize()} scheduled.")
        return go(request, session_url(request, spec, found))
    return _ask(request, spec, form, looked, idempotency.new_key(), perhaps="absent")


@require_POST
@spec_view(needs="create")
def preview(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    """The preview of the form, while it is being filled in."""
    form = _typed(request, spec)
    looked = previewed(request, form)
    return render(request, PREVIEW, {"preview": looked})


@require_GET
@spec_view(needs="create")
def people(request: PortalRequest, spec: SessionSpec) -> HttpResponse:
    """Whom the search of a form's picker finds."""
    return answer_search(request, plan_form(spec)(connection=request.connection))


def _idempotency_key(request: PortalRequest) -> str:
    """PostgreSQL refuses NUL in text."""
    return request.POST.get("idempotency_key", "").replace("\x00", "")


def _typed(request: PortalRequest, spec: SessionSpec) -> PlanForm:
    return plan_form(spec)(
        request.POST, connection=request.connection, tracking=asked(request), suggest={}
    )


def _ask(
    request: PortalRequest,
    spec: SessionSpec,
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
        "here": spec_url(request, spec, "create"),
        "look": spec_url(request, spec, "create-preview"),
        "search_again": spec_url(request, spec, "create-look"),
        "cancel": spec_url(request, spec, "list"),
        "template_name": request.POST.get("template_name", ""),
        "verb": "Schedule anyway" if more.get("warns") else f"Schedule {spec.noun}",
        "has_lost_password": bool(form.data.get("password")) and not request.htmx,
    }
    return show(request, spec, form, looked, context | more)


def _was_sent_before(
    request: PortalRequest, spec: SessionSpec, form: PlanForm, looked: Preview, earlier: SentForm
) -> HttpResponse:
    if earlier.state == SentForm.State.DONE:
        toast(request, "neutral", f"This {spec.noun} was already scheduled by your first click.")
        return go(request, session_url(request, spec, earlier.result))
    is_sending = earlier.state == SentForm.State.SENDING
    perhaps = "being_sent" if is_sending else "unanswered"
    return _ask(request, spec, form, looked, earlier.ticket, perhaps=perhaps)
