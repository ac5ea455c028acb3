"""Forms of the portal's own pages: team and audit trail."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from portal.access.models import User
from portal.access.roles import EXPLANATIONS, Role
from portal.translation import gettext as _
from portal.translation import gettext_lazy


class RoleCards(forms.RadioSelect):
    """The roles, each with what it may do."""

    template_name = "ui/forms/cards.html"

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        return option | {"explanation": EXPLANATIONS[Role(value)]}


class RoleForm(forms.ModelForm):  # type: ignore[type-arg]
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=Role.choices, initial=Role.VIEWER, widget=RoleCards
    )

    class Meta:
        model = User
        fields = ["role"]


class InvitationForm(RoleForm):
    """The form that invites a user."""

    class Meta(RoleForm.Meta):
        fields = ["email", "name", "role"]

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if User.objects.filter(email=email).exists():
            raise forms.ValidationError(_("This person already has an account."))
        return email


# Days that have others before and after them, in any time zone, as many as a page steps over.
WITHIN_REASON = [MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31))]


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

    @property
    def in_words(self) -> str:
        """All that narrows the page, in one line."""
        said = []
        for name, value in self.cleaned_data.items():
            choices = getattr(self.fields[name], "choices", ())
            words = next((words for key, words in choices if key == value), value)
            said += [f"{self.fields[name].label}: {words}"] if value else []
        return ", ".join(said)
