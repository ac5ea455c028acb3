"""Profile pictures: choosing a new one, and showing the one that the service has."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.access.connected import connected
from portal.access.http import PortalRequest
from portal.access.models.connection import address_policy
from portal.contract.users import Users
from portal.people.services import picture
from portal.people.services.person import read
from portal.people.services.picture import LARGEST_FILE, PictureRefused, reencode
from portal.people.views.person import PersonActionView
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.views import Labels


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
        """The JPEG, re-encoded from the picture's pixels."""
        file: UploadedFile[bytes] = self.cleaned_data["picture"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("The file is larger than 5 MB."))
        try:
            return reencode(file.read())
        except PictureRefused as refused:
            raise forms.ValidationError(str(refused)) from None


class ChangePictureView(PersonActionView):
    """Takes a picture file and sends the JPEG that was made of it."""

    needs = Users.upload_picture
    template_name = "people/person_picture.html"

    def labels(self) -> Labels:
        return Labels(_("Change the picture"), submit=_("Save picture"))

    def get_form(self, data: Any = None) -> PictureForm:
        return PictureForm(data, self.request.FILES if data is not None else None)

    def perform(self, form: Any) -> str:
        jpeg = form.cleaned_data["picture"]
        picture.upload(self.request.api, self.request.scope, self.person.id, jpeg)
        return _("%(name)s has a new picture.") % {"name": self.person.name}


@require_GET
@connected(needs=Users.get)
def show(request: PortalRequest, user_id: str) -> HttpResponse:
    """The person's picture, or their initials; the browser only loads pictures from here."""
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
