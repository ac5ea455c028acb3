"""The filters of the audit trail."""

from datetime import timedelta

from django import forms
from django.utils import timezone

from portal.access.form_fields import WITHIN_REASON
from portal.access.models import User
from portal.translation import gettext_lazy

_PERIODS = [
    (1, gettext_lazy("Today")),
    (7, gettext_lazy("Last 7 days")),
    (30, gettext_lazy("Last 30 days")),
]


class AuditFilterForm(forms.Form):
    """The filters of the audit page; all of it stands in the URL."""

    q = forms.CharField(
        label=gettext_lazy("Search"),
        required=False,
        max_length=200,
        widget=forms.TextInput(
            attrs={"type": "search", "placeholder": gettext_lazy("Name, ID, request ID")}
        ),
    )
    person = forms.ModelChoiceField(
        User.objects.all(),
        label=gettext_lazy("Administrator"),
        required=False,
        empty_label=gettext_lazy("All administrators"),
    )
    connection = forms.ChoiceField(label=gettext_lazy("Connection"), required=False)
    family = forms.ChoiceField(label=gettext_lazy("Action"), required=False)
    outcome = forms.ChoiceField(label=gettext_lazy("Outcome"), required=False)
    period = forms.TypedChoiceField(
        label=gettext_lazy("Period"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", gettext_lazy("Any time")), *_PERIODS],
    )
    since = forms.DateField(
        label=gettext_lazy("From"),
        required=False,
        validators=WITHIN_REASON,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=gettext_lazy("Until"),
        required=False,
        validators=WITHIN_REASON,
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    def clean(self) -> dict[str, object]:
        """Begins with the first day of the period, unless a day is chosen."""
        data = self.cleaned_data
        if (days := data.get("period")) and not data.get("since"):
            data["since"] = timezone.localdate() - timedelta(days=days - 1)
        return data

    @property
    def has_rare(self) -> bool:
        return any(self[name].value() for name in ("connection", "outcome", "since", "until"))

    @property
    def in_words(self) -> str:
        """All that narrows the page, in one line."""
        phrases = []
        for name, value in self.cleaned_data.items():
            if not value:  # whose choices may cost a query
                continue
            choices = getattr(self.fields[name], "choices", ())
            words = next((words for key, words in choices if key == value), value)
            phrases.append(f"{self.fields[name].label}: {words}")
        return ", ".join(phrases)
