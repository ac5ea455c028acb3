"""Putting recordings on hold, and releasing them."""

from datetime import date

from django import forms
from django.utils import timezone

from portal.config import clock
from portal.translation import gettext as _
from portal.translation import gettext_lazy

_REASON = forms.Textarea({"rows": 3})


class HoldForm(forms.Form):
    """Why recordings are held, and until when."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        widget=_REASON,
        help_text=gettext_lazy("Visible to everyone who can view recordings here."),
    )
    until = forms.DateField(
        label=gettext_lazy("Until"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("The last day of the hold. Empty: until it is released."),
    )

    def clean_until(self) -> date | None:
        until: date | None = self.cleaned_data["until"]
        if until and until < timezone.localdate(clock.now()):
            raise forms.ValidationError(_("This day is over."))
        return until


class ReleaseForm(forms.Form):
    """Why a hold ends."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500, widget=_REASON)
