"""The form for a profile picture."""

from django import forms
from django.core.files.uploadedfile import UploadedFile

from portal.people.services.picture import LARGEST_FILE, PictureRefused, reencode
from portal.translation import gettext as _
from portal.translation import gettext_lazy


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
