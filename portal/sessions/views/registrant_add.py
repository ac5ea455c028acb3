"""Registering somebody, once, whether or not the service answers."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from portal.access.http import PortalRequest
from portal.client import ApiError
from portal.contract.registrants import RegistrantStatus
from portal.contract.sessions import RegistrationType
from portal.sessions.forms.registrants import RegistrantForm
from portal.sessions.services import registrants, registration
from portal.sessions.services.session import Session, read
from portal.sessions.specs import SessionSpec
from portal.sessions.views.kinds import of_kind
from portal.sessions.views.parts import part_page
from portal.sessions.views.tabs import session_url
from portal.ui import idempotency
from portal.ui.faults import errors_to_form
from portal.ui.models import SentForm
from portal.ui.pages import go
from portal.ui.times import exact
from portal.ui.toasts import toast

_BY_OCCURRENCE = (RegistrationType.FOR_EACH, RegistrationType.ONCE_FOR_CHOSEN)


@require_http_methods(["GET", "POST"])
@of_kind(needs="registrants.add")
def add(request: PortalRequest, kind: SessionSpec, session_id: str) -> HttpResponse:
    """The form, and what becomes of it."""
    if request.method == "GET":
        session = read(request.api, request.connection, kind, session_id)
        asked = registrants.questions(request.api, kind.registrants, session_id)
        form = RegistrantForm(questions=asked, occurrences=occurrences_to_choose(session))
        form.fields["email"].widget.attrs["autofocus"] = True
        return _show(request, kind, session_id, form, idempotency_key=idempotency.new_key())
    form = RegistrantForm(request.POST, occurrences=_offered(request, kind, session_id))
    idempotency_key = request.POST.get("idempotency_key", "")
    if not form.is_valid():
        return _show(request, kind, session_id, form, idempotency_key=idempotency_key)
    failure: ApiError | None = None
    with errors_to_form(form), idempotency.attempt(request.user, idempotency_key) as attempt:
        if attempt.earlier:
            return _was_sent(request, kind, session_id, form, attempt.earlier)
        try:
            _register(request, kind, session_id, form)
        except ApiError as error:
            failure = error
            raise
        attempt.done(form.cleaned_data["email"])
        return go(request, _back(request, kind, session_id, form))
    if failure and failure.may_have_happened:
        return _look(request, kind, session_id, form, idempotency_key=idempotency_key)
    return _show(request, kind, session_id, form, idempotency_key=idempotency_key)


def _register(
    request: PortalRequest, kind: SessionSpec, session_id: str, form: RegistrantForm
) -> None:
    """Registers them, and says so on the next page. Raises `ApiError`."""
    wanted = form.registrant()
    added = registration.register(
        request.api, kind.registrants, session_id, wanted, form.chosen_occurrences()
    )
    waits = "" if added.join_url else ", pending approval"
    toast(request, "good", f"{wanted.first_name} {wanted.last_name} is registered{waits}.")
    form.is_approved = bool(added.join_url)


def _back(request: PortalRequest, kind: SessionSpec, session_id: str, form: RegistrantForm) -> str:
    """The form again for the next one, or the list they are in now."""
    if "another" in request.POST:
        return request.path
    status = RegistrantStatus.APPROVED if form.is_approved else RegistrantStatus.PENDING
    return f"{session_url(request, kind, session_id, 'registrants')}?status={status.value}"


def _was_sent(
    request: PortalRequest,
    kind: SessionSpec,
    session_id: str,
    form: RegistrantForm,
    earlier: SentForm,
) -> HttpResponse:
    if earlier.state == SentForm.State.DONE:
        toast(request, "neutral", "They were already registered by your first click.")
        return go(request, session_url(request, kind, session_id, "registrants"))
    return _look(request, kind, session_id, form, idempotency_key=earlier.ticket)


def _look(
    request: PortalRequest,
    kind: SessionSpec,
    session_id: str,
    form: RegistrantForm,
    *,
    idempotency_key: str,
) -> HttpResponse:
    """After a registration that was not answered: whether they are registered by now."""
    email = form.cleaned_data["email"]
    try:
        found = registration.look_for(request.api, kind.registrants, session_id, email)
    except ApiError:
        return _show(
            request, kind, session_id, form, idempotency_key=idempotency_key, perhaps="unknown"
        )
    if found is None:
        return _show(
            request, kind, session_id, form, idempotency_key=idempotency.new_key(), perhaps="absent"
        )
    toast(request, "good", f"{registrants.name_of(found)} is registered.")
    back = session_url(request, kind, session_id, "registrants")
    return go(request, f"{back}?status={found.status}")


def occurrences_to_choose(session: Session) -> list[tuple[str, str]]:
    """The occurrences to choose from, where people register for chosen ones."""
    settings = session.details.settings
    if settings is None or settings.registration_type not in _BY_OCCURRENCE:
        return []
    return [
        (str(one.occurrence_id), exact(one.start_time))
        for one in session.occurrences
        if one.start_time
    ]


def _offered(request: PortalRequest, kind: SessionSpec, session_id: str) -> list[tuple[str, str]]:
    """The same for a form that was sent; what was ticked where the session cannot be read just now,
    so that it is the service that says what is wrong."""
    try:
        return occurrences_to_choose(read(request.api, request.connection, kind, session_id))
    except ApiError:
        return [(number, number) for number in request.POST.getlist("occurrences")]


def _show(
    request: PortalRequest,
    kind: SessionSpec,
    session_id: str,
    form: RegistrantForm,
    *,
    idempotency_key: str,
    perhaps: str = "",
) -> HttpResponse:
    """The form. `perhaps` is `unknown` while they may be registered, `absent` when it turned out
    that they are not."""
    context: dict[str, Any] = {"form": form, "idempotency_key": idempotency_key, "perhaps": perhaps}
    return part_page(
        request,
        kind,
        session_id,
        "sessions/registrant_add.html",
        context,
        tab="registrants",
        status=422 if form.is_bound else 200,
    )
