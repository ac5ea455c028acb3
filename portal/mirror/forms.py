"""Forms for a webhook that was made at the service itself."""

import re
from typing import ClassVar

from django import forms

from portal.mirror.models import Subscription
from portal.mirror.signatures import SigningScheme
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.forms.widgets import SecretInput

_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")  # RFC 9110, 5.6.2


class SigningForm(forms.Form):
    """The secret that notifications are signed with, and where the service puts the signature."""

    secret = forms.CharField(
        label=gettext_lazy("Secret token"),
        min_length=8,
        max_length=200,
        widget=SecretInput,
        help_text=gettext_lazy(
            "At the service: your app, then its event subscriptions. The secret is stored "
            "encrypted and never shown again."
        ),
    )
    signature_header = forms.CharField(label=gettext_lazy("Signature header"), max_length=64)
    timestamp_header = forms.CharField(label=gettext_lazy("Timestamp header"), max_length=64)
    version = forms.CharField(
        label=gettext_lazy("Signature version"),
        max_length=10,
        help_text=gettext_lazy("Stands before the signature and in the text that is signed."),
    )

    _RARE: ClassVar[tuple[str, ...]] = ("signature_header", "timestamp_header", "version")

    def __init__(self, data: object, subscription: Subscription | None) -> None:
        scheme = (subscription or Subscription()).scheme
        initial = {name: getattr(scheme, name) for name in self._RARE}
        super().__init__(data, initial=initial)  # type: ignore[arg-type]

    def clean_signature_header(self) -> str:
        return self._header("signature_header")

    def clean_timestamp_header(self) -> str:
        return self._header("timestamp_header")

    def clean_version(self) -> str:
        version: str = self.cleaned_data["version"]
        if not re.fullmatch(r"[A-Za-z0-9.]+", version):
            raise forms.ValidationError(_("Letters, digits and dots only, as in v0."))
        return version

    def _header(self, name: str) -> str:
        header: str = self.cleaned_data[name]
        if not _HEADER.fullmatch(header):
            raise forms.ValidationError(_("This is not the name of a header."))
        return header

    @property
    def scheme(self) -> SigningScheme:
        """The scheme of a form that is valid."""
        return SigningScheme(**{name: self.cleaned_data[name] for name in self._RARE})
