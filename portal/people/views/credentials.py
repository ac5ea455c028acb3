"""What a person signs in and claims meetings with: email, password and host key."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.roles import RoleRefused
from portal.client import ApiError
from portal.contract.users import EmailChange, EmailQuery, PasswordChange, Users, UserUpdate
from portal.people.services.person import read, refresh_person
from portal.people.views.person import PersonActionView
from portal.people.views.profile import profile_tab
from portal.translation import gettext as _
from portal.ui.forms import contract_form
from portal.ui.pages import page
from portal.ui.views import Labels

EmailForm = contract_form(EmailChange)
PasswordForm = contract_form(PasswordChange)
_HostKey = contract_form(UserUpdate, fields=("host_key",))


class HostKeyForm(_HostKey):  # type: ignore[misc, valid-type]
    """A new host key; an empty one would leave nothing to send."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["host_key"]
        field.required = field.widget.is_required = True


class ChangeEmailView(PersonActionView):
    """A new email address, which is what the person signs in with."""

    tab = "profile"
    needs = Users.change_email
    form_class = EmailForm
    template_name = "people/person_email.html"

    def labels(self) -> Labels:
        return Labels(
            _("Change the email of %(name)s") % {"name": self.person.name},
            submit=_("Change email"),
            consequences=[
                (
                    "mail",
                    _("The new address replaces %(email)s at once.")
                    % {"email": self.person.details.email},
                ),
                ("key-round", _("They sign in with the new address; the old one no longer works.")),
            ],
        )

    def perform(self, form: Any) -> str:
        change, present = form.model(), self.person.details.email
        if change.email == present:
            form.add_error("email", _("This is the address they have."))
        elif _is_taken(self.request, change.email, present):
            form.add_error("email", _("This email is already in use."))
        else:
            self.request.api.users.change_email(self.person.id, change)
            refresh_person(self.request.api, self.request.scope, self.person.id)
        return _("%(name)s now signs in as %(email)s.") % {
            "name": self.person.name,
            "email": change.email,
        }


def _is_taken(request: PortalRequest, email: str, own: str) -> bool:
    """Returns whether another person has the address; one's own in other letters is not taken."""
    if email.casefold() == own.casefold():
        return False
    return request.api.users.email_exists(EmailQuery(email=email)).existed_email


@require_GET
@connected(needs=Users.email_exists)
def email_availability(request: PortalRequest, user_id: str) -> HttpResponse:
    """Says beside the field whether an address is free, while it is being typed."""
    form = EmailForm(request.GET)
    answer = ""
    if form.is_valid():
        try:
            person = read(request.api, request.scope, user_id)
            taken = _is_taken(request, form.model().email, person.details.email)
        except ApiError:
            answer = "unknown"
        else:
            answer = "taken" if taken else "free"
    return page(request, "people/availability.html", {"answer": answer, "what": _("This address")})


class ChangePasswordView(PersonActionView):
    """A new password, which is sent and kept nowhere."""

    tab = "profile"
    needs = Users.change_password
    form_class = PasswordForm

    def labels(self) -> Labels:
        return Labels(
            _("Set a new password"),
            submit=_("Set password"),
            consequences=[
                (
                    "key-round",
                    _("The old password of %(name)s stops working at once.")
                    % {"name": self.person.name},
                ),
                (
                    "smartphone",
                    _("Apps that are signed in may stay so until they ask for the password again."),
                ),
                (
                    "eye-off",
                    _(
                        "Switchboard does not send it and cannot show it again: "
                        "pass it on yourself."
                    ),
                ),
            ],
        )

    def perform(self, form: Any) -> str:
        self.request.api.users.change_password(self.person.id, form.model())
        return _("%(name)s has a new password.") % {"name": self.person.name}


class ChangeHostKeyView(PersonActionView):
    """A new host key; the present one is not shown on the way."""

    tab = "profile"
    needs = Users.update
    form_class = HostKeyForm

    def labels(self) -> Labels:
        return Labels(
            _("Change the host key"),
            submit=_("Change host key"),
            consequences=[
                (
                    "key-square",
                    _("Anyone who knows it can take over as host of meetings of %(name)s.")
                    % {"name": self.person.name},
                ),
                ("clock", _("The old one stops working at once.")),
            ],
        )

    def perform(self, form: Any) -> str:
        self.request.api.users.update(self.person.id, form.model())
        refresh_person(self.request.api, self.request.scope, self.person.id)
        return _("%(name)s has a new host key.") % {"name": self.person.name}


@require_GET
@never_cache
@connected(needs=Users.get)
def show_host_key(request: PortalRequest, user_id: str) -> HttpResponse:
    """The host key, for those who may also set it: it opens the person's meetings."""
    if not request.scope.may(Users.update):
        raise RoleRefused(Users.update, "role")
    person = read(request.api, request.scope, user_id)
    return profile_tab(request, person, shows_host_key=True)
