"""Actions on one person: their credentials, status and token, and showing or changing a picture."""

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from portal.access.http import PortalRequest
from portal.access.models.connection import address_policy
from portal.access.roles import RoleRefused
from portal.client import ApiError
from portal.connections.connected import connected
from portal.contract.users import (
    EmailChange,
    EmailQuery,
    PasswordChange,
    StatusAction,
    StatusChange,
    Users,
    UserStatus,
    UserUpdate,
)
from portal.people.labels import RESULT
from portal.people.services import picture
from portal.people.services.person import read, refresh_person
from portal.people.services.picture import LARGEST_FILE, PictureRefused, reencode
from portal.people.views.person import PersonActionView
from portal.people.views.profile import profile_tab
from portal.translation import gettext as _, gettext_lazy, options
from portal.ui.forms import ContractForm, contract_fields, contract_form
from portal.ui.pages import page
from portal.ui.views import Labels

EmailForm = contract_form(EmailChange)
PasswordForm = contract_form(PasswordChange)


@contract_fields(UserUpdate, fields=("host_key",))
class HostKeyForm(ContractForm[UserUpdate]):
    """A new host key; an empty one would leave nothing to send."""

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        field = self.fields["host_key"]
        field.required = field.widget.is_required = True


class ChangeEmailView(PersonActionView[ContractForm[EmailChange]]):
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

    def perform(self, form: ContractForm[EmailChange]) -> str:
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
    """Shows beside the field whether an address is free, while it is being typed."""
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


class ChangePasswordView(PersonActionView[ContractForm[PasswordChange]]):
    """Sends a new password, which the portal does not store."""

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

    def perform(self, form: ContractForm[PasswordChange]) -> str:
        self.request.api.users.change_password(self.person.id, form.model())
        return _("%(name)s has a new password.") % {"name": self.person.name}


class ChangeHostKeyView(PersonActionView[HostKeyForm]):
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

    def perform(self, form: HostKeyForm) -> str:
        self.request.api.users.update(self.person.id, form.model())
        refresh_person(self.request.api, self.request.scope, self.person.id)
        return _("%(name)s has a new host key.") % {"name": self.person.name}


@require_GET
@never_cache
@connected(needs=Users.get)
def show_host_key(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the host key, for those who may also set it: it opens the person's meetings."""
    if not request.scope.may(Users.update):
        raise RoleRefused(Users.update, "role")
    person = read(request.api, request.scope, user_id)
    return profile_tab(request, person, shows_host_key=True)


class StatusForm(forms.Form):
    action = forms.TypedChoiceField(
        coerce=StatusAction, choices=options(StatusAction), widget=forms.HiddenInput
    )


class ChangeStatusView(PersonActionView[StatusForm]):
    """Activates or deactivates a person, after its consequences were shown."""

    needs = Users.change_status

    @property
    def action(self) -> StatusAction:
        """Returns the requested action, or else the one that reverses the present status."""
        request = self.request
        named = (request.GET if request.method == "GET" else request.POST).get("action", "")
        if named in set(StatusAction):
            return StatusAction(named)
        is_active = self.person.status == UserStatus.ACTIVE
        return StatusAction.DEACTIVATE if is_active else StatusAction.ACTIVATE

    def labels(self) -> Labels:
        deactivates = self.action == StatusAction.DEACTIVATE
        heading = _("Deactivate %(name)s?") if deactivates else _("Activate %(name)s?")
        return Labels(
            heading % {"name": self.person.name},
            submit=self.action.label,
            consequences=[
                ("log-in", _("They can no longer sign in or start meetings.")),
                ("archive", _("Their meetings, recordings and settings stay as they are.")),
                ("undo-2", _("This can be undone: activate them again.")),
            ]
            if deactivates
            else [
                ("log-in", _("They can sign in and start meetings again.")),
                ("badge-check", _("A Pro or Corp licence takes one of the account's licences.")),
            ],
        )

    def get_form(self, data: QueryDict | None = None) -> StatusForm:
        return StatusForm(data, initial={"action": self.action})

    def perform(self, form: StatusForm) -> str:
        action = form.cleaned_data["action"]
        is_active, values = action == StatusAction.ACTIVATE, {"name": self.person.name}
        if self.person.status == RESULT[action]:  # a page that is not stale asks for another one
            already = (
                _("%(name)s was active already, as the list of people was last updated.")
                if is_active
                else _("%(name)s was deactivated already, as the list of people was last updated.")
            )
            return already % values
        self.request.api.users.change_status(self.person.id, StatusChange(action=action))
        refresh_person(self.request.api, self.request.scope, self.person.id, RESULT[action])
        return (_("%(name)s is active.") if is_active else _("%(name)s is deactivated.")) % values


class RevokeTokenView(PersonActionView):
    """Ends the single sign-on token of the person."""

    needs = Users.revoke_token
    is_destructive = True

    def labels(self) -> Labels:
        return Labels(
            _("Revoke the SSO token of %(name)s?") % {"name": self.person.name},
            submit=_("Revoke token"),
            consequences=[
                (
                    "unplug",
                    _(
                        "The token they hold from single sign-on stops working, and their apps ask "
                        "them"
                        " to sign in again."
                    ),
                ),
                ("archive", _("Their account, password and data stay as they are.")),
            ],
        )

    def perform(self, form: object) -> str:
        self.request.api.users.revoke_token(self.person.id)
        return _("The SSO token of %(name)s is revoked.") % {"name": self.person.name}


class PictureForm(forms.Form):
    """Takes a picture and makes the JPEG that is sent of it."""

    picture = forms.FileField(
        label=gettext_lazy("Picture"),
        help_text=gettext_lazy(
            "JPEG, PNG, WebP or GIF, at most 5 MB. It is sent as a JPEG without any details "
            "of where and when it was taken."
        ),
        widget=forms.FileInput(
            {
                "accept": "image/jpeg,image/png,image/webp,image/gif",
                "data-preview": "#picture-preview",
            }
        ),
        error_messages={
            "required": gettext_lazy("Choose a picture."),
            "empty": gettext_lazy("This file is empty."),
            "invalid": gettext_lazy("Choose a picture."),
        },
    )

    def clean_picture(self) -> bytes:
        """Returns the JPEG, re-encoded from the picture's pixels."""
        file: UploadedFile[bytes] = self.cleaned_data["picture"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("The file is larger than 5 MB."))
        try:
            return reencode(file.read())
        except PictureRefused as refused:
            raise forms.ValidationError(str(refused)) from None


class ChangePictureView(PersonActionView[PictureForm]):
    """Takes a picture file and sends the JPEG that was made of it."""

    needs = Users.upload_picture
    template_name = "people/person_picture.html"

    def labels(self) -> Labels:
        return Labels(_("Change the picture"), submit=_("Save picture"))

    def get_form(self, data: QueryDict | None = None) -> PictureForm:
        return PictureForm(data, self.request.FILES if data is not None else None)

    def perform(self, form: PictureForm) -> str:
        jpeg = form.cleaned_data["picture"]
        picture.upload(self.request.api, self.request.scope, self.person.id, jpeg)
        return _("%(name)s has a new picture.") % {"name": self.person.name}


@require_GET
@connected(needs=Users.get)
def show(request: PortalRequest, user_id: str) -> HttpResponse:
    """Shows the person's picture, or their initials; the browser only loads pictures from here."""
    person = read(request.api, request.scope, user_id)
    jpeg = picture.shown(request.connection, person, address_policy())
    if jpeg is None:
        response = render(
            request, "people/initials.svg", {"person": person}, content_type="image/svg+xml"
        )
        response["Cache-Control"] = "private, max-age=60"  # untranslated: a header
    else:
        response = HttpResponse(jpeg, content_type="image/jpeg")
        response["Cache-Control"] = "private, max-age=86400"  # untranslated: a header
    return response
