"""What a person signs in with: email, password, and the host key that claims their meetings."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.roles import Refused, may
from portal.client import ApiError
from portal.contract.users import Users
from portal.people.forms.credentials import EmailForm, HostKeyForm, PasswordForm
from portal.people.forms.focus import focused
from portal.people.services import credentials
from portal.people.services.person import read
from portal.people.views.profile import profile_tab
from portal.people.views.tabs import meet, person_url
from portal.ui.faults import faults_on
from portal.ui.pages import go, page
from portal.ui.toasts import toast


@require_http_methods(["GET", "POST"])
@connected(needs=Users.change_email)
def change_email(request: PortalRequest, user_id: str) -> HttpResponse:
    """A new email address, which is what the person signs in with."""
    person = meet(request, user_id)
    form = focused(EmailForm(request.POST or None))
    if request.method == "POST" and form.is_valid():
        change = form.model()
        with faults_on(form):
            if change.email == person.details.email:
                form.add_error("email", "This is the address they have.")
            elif _is_taken(request, change.email, person.details.email):
                form.add_error("email", "Somebody has this address already.")
            else:
                credentials.change_email(request.api, request.connection, person.id, change)
        if form.is_valid():
            toast(request, "good", f"{person.name} now signs in as {change.email}.")
            return go(request, person_url(request, person.id))
    context = {"person": person, "form": form}
    return page(request, "people/person_email.html", context, status=422 if form.errors else 200)


def _is_taken(request: PortalRequest, email: str, own: str) -> bool:
    """Whether somebody else has the address; one's own in other letters is not taken."""
    if email.casefold() == own.casefold():
        return False
    return credentials.email_is_taken(request.api, email)


@require_GET
@connected(needs=Users.email_exists)
def email_availability(request: PortalRequest, user_id: str) -> HttpResponse:
    """Says beside the field whether an address is free, while it is being typed."""
    form = EmailForm(request.GET)
    answer = ""
    if form.is_valid():
        try:
            person = read(request.api, request.connection, user_id)
            taken = _is_taken(request, form.model().email, person.details.email)
        except ApiError:
            answer = "unknown"
        else:
            answer = "taken" if taken else "free"
    return page(request, "people/availability.html", {"answer": answer, "what": "This address"})


@require_http_methods(["GET", "POST"])
@connected(needs=Users.change_password)
def change_password(request: PortalRequest, user_id: str) -> HttpResponse:
    """A new password, which is sent and kept nowhere."""
    person = meet(request, user_id)
    form = focused(PasswordForm(request.POST or None))
    if request.method == "POST" and form.is_valid():
        with faults_on(form):
            credentials.change_password(request.api, person.id, form.model())
        if form.is_valid():
            toast(request, "good", f"{person.name} has a new password.")
            return go(request, person_url(request, person.id))
    context = {"person": person, "form": form}
    return page(request, "people/person_password.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@connected(needs=Users.update)
def change_host_key(request: PortalRequest, user_id: str) -> HttpResponse:
    """A new host key; the present one is not shown on the way."""
    person = meet(request, user_id)
    form = focused(HostKeyForm(request.POST or None))
    if request.method == "POST" and form.is_valid():
        with faults_on(form):
            change = form.model()
            credentials.change_host_key(request.api, request.connection, person.id, change)
        if form.is_valid():
            toast(request, "good", f"{person.name} has a new host key.")
            return go(request, person_url(request, person.id))
    context = {"person": person, "form": form}
    return page(request, "people/person_host_key.html", context, status=422 if form.errors else 200)


@require_GET
@never_cache
@connected(needs=Users.get)
def show_host_key(request: PortalRequest, user_id: str) -> HttpResponse:
    """The host key, for those who may also set it: it opens the person's meetings."""
    if not may(request.user.role, Users.update):
        raise Refused(Users.update, "role")
    person = read(request.api, request.connection, user_id)
    return profile_tab(request, person, shows_host_key=True)
