"""Creating a person: four ways in, checked as it is typed, carried out once."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.client import ApiError, Conflict
from portal.contract.users import CreateAction, CreatedUser, LicenceType, Users
from portal.directory.groups import GROUPS
from portal.mirror.refresh import mark_viewed
from portal.people.forms.creation import EMAIL, FURTHER, GROUP_FIELDS, PROFILE, NewPersonForm
from portal.people.services import creation as service
from portal.people.services.creation import Holder
from portal.people.services.references import MemberReference
from portal.people.views.tabs import person_url
from portal.ui import idempotency
from portal.ui.explain import cause_of
from portal.ui.faults import errors_to_form
from portal.ui.models import SentForm
from portal.ui.pages import go, page
from portal.ui.toasts import toast

TEMPLATE = "people/create.html"


@require_http_methods(["GET", "POST"])
@connected(needs=Users.create)
def create(request: PortalRequest) -> HttpResponse:
    """The form, and what becomes of it."""
    if request.method == "GET":
        mark_viewed(request.connection, GROUPS)
        form = NewPersonForm(request.connection, suggest=_suggested(request))
        return _ask(request, form, idempotency.new_key())
    form = NewPersonForm(request.connection, request.POST)
    if not form.is_valid():
        return _ask(request, form, _idempotency_key(form))
    failure: ApiError | None = None
    with errors_to_form(form), idempotency.attempt(request.user, _idempotency_key(form)) as attempt:
        if attempt.earlier:
            return _was_sent_before(request, form, attempt.earlier)
        try:
            created = service.create(request.api, request.connection, form.model())
        except ApiError as error:
            failure = error
            raise
        attempt.done(created.id)
        return _created(request, form, created)
    if failure and failure.may_have_happened:
        return _ask(
            request, form, _idempotency_key(form), perhaps="unanswered", cause=cause_of(failure)
        )
    holder = _known_holder(request, form) if isinstance(failure, Conflict) else None
    return _ask(request, form, _idempotency_key(form), holder=holder)


@require_POST
@connected(needs=Users.create)
def look(request: PortalRequest) -> HttpResponse:
    """Asks whether somebody of whose creation nothing was heard exists after all."""
    form = NewPersonForm(request.connection, request.POST)
    if not form.is_valid():
        return _ask(request, form, _idempotency_key(form))
    wanted = form.model()
    holder, person = Holder(False), None
    with errors_to_form(form):
        holder, person = service.look_for(
            request.api, request.connection, wanted.user_info.email, wanted.action
        )
    if not form.is_valid():
        cause = " ".join(form.non_field_errors())
        return _ask(request, form, _idempotency_key(form), perhaps="unanswered", cause=cause)
    if person:
        toast(request, "good", f"{person.name} is on the account.")
        _complete(request, form, person.id, person.name)
        return go(request, person_url(request, person.id))
    if holder.is_taken:
        form.add_error(EMAIL, "Somebody outside this account has this address.")
        return _ask(request, form, idempotency.new_key())
    return _ask(request, form, idempotency.new_key(), perhaps="absent")


@require_GET
@connected(needs=Users.email_exists)
def email_availability(request: PortalRequest) -> HttpResponse:
    """Says beside the field whether an address is free; it is no obstacle to sending the form."""
    email = request.GET.get(EMAIL, "").strip()
    context: dict[str, Any] = {}
    if "@" in email:
        try:
            context["holder"] = service.holder_of(request.api, request.connection, email)
        except ApiError:
            context["is_unknown"] = True
    return render(request, "people/create_availability.html", context)


def _suggested(request: PortalRequest) -> dict[str, Any]:
    """What the address of the page fills in, so that several people like it can be created."""
    action, kind = request.GET.get("action", ""), request.GET.get("type", "")
    return {
        **{name: request.GET.get(name, "") for name in PROFILE},
        **{name: request.GET.getlist(name) for name in GROUP_FIELDS},
        "action": action if action in set(CreateAction) else CreateAction.CREATE.value,
        "user_info": {
            "type": int(kind) if kind in {str(each.value) for each in LicenceType} else 1,
        },
    }


def _idempotency_key(form: NewPersonForm) -> str:
    return (
        form.data.get("idempotency_key", "")
        if "idempotency_key" not in form.errors
        else idempotency.new_key()
    )


def _ask(
    request: PortalRequest,
    form: NewPersonForm,
    idempotency_key: str,
    *,
    perhaps: str = "",
    cause: str = "",
    holder: Holder | None = None,
) -> HttpResponse:
    """The form. `perhaps` is `unanswered` or `being_sent` while the person may exist, `absent` when
    it turned out that they do not; `cause` says why that is not known."""
    context = {
        "form": form,
        "idempotency_key": idempotency_key or idempotency.new_key(),
        "perhaps": perhaps,
        "cause": cause,
        "holder": holder,
        "has_lost_password": bool(form.data.get("user_info.password")) and not request.htmx,
    }
    return page(request, TEMPLATE, context, status=422 if form.errors or perhaps else 200)


def _was_sent_before(
    request: PortalRequest, form: NewPersonForm, earlier: SentForm
) -> HttpResponse:
    if earlier.state == SentForm.State.DONE:
        toast(request, "neutral", "This person was created by the first click.")
        return go(request, person_url(request, earlier.result))
    is_sending = earlier.state == SentForm.State.SENDING
    perhaps = "being_sent" if is_sending else "unanswered"
    return _ask(request, form, _idempotency_key(form), perhaps=perhaps)


def _created(request: PortalRequest, form: NewPersonForm, created: CreatedUser) -> HttpResponse:
    name = f"{created.first_name} {created.last_name}".strip() or created.email
    wanted = form.model()
    if wanted.action == CreateAction.CREATE:
        toast(request, "good", f"{name} was created, and is emailed an activation link.")
    else:
        toast(request, "good", f"{name} was created.")
    _complete(request, form, created.id, name)
    if "another" not in request.POST:
        return go(request, person_url(request, created.id))
    kept = {"action": wanted.action.value, "type": wanted.user_info.type.value}
    kept |= {name: value for name in FURTHER if (value := form.cleaned_data.get(name))}
    url = reverse("people:create", args=[request.connection.key])
    return go(request, f"{url}?{urlencode(kept, doseq=True)}")


def _complete(request: PortalRequest, form: NewPersonForm, user_id: str, name: str) -> None:
    """Sets what the creation does not take; what fails of it leaves the person as they are."""
    who = MemberReference(name, user_id, form.model().user_info.email)
    failed = service.complete(request.api, request.connection, who, form.further)
    if failed:
        toast(request, "warning", f"{name} is on the account without: {', '.join(failed)}.")


def _known_holder(request: PortalRequest, form: NewPersonForm) -> Holder:
    return service.known_holder(request.connection, form.model().user_info.email)
