"""Forms of the portal's own pages: connections, team and audit trail."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator

from portal.access.models import Connection, User
from portal.access.roles import EXPLANATIONS, Role
from portal.access.services.trial import Trial, attempt, check_address
from portal.access.tokens import TokenUnreadable
from portal.client import AddressRefused, Secret
from portal.translation import gettext as _
from portal.translation import gettext_lazy


class ConnectionForm(forms.ModelForm):  # type: ignore[type-arg]
    """The form of a connection, tested against the service before it is saved.

    A stored token is never sent to another address than the one it was given for.
    """

    token = forms.CharField(
        label=gettext_lazy("Token"),
        max_length=4000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        validators=[
            RegexValidator(
                r"^[\x21-\x7e]+\Z", gettext_lazy("A token has no spaces and no accented letters.")
            )
        ],
    )

    class Meta:
        model = Connection
        fields = ["name", "base_url", "token", "colour", "read_only"]
        help_texts = {
            "name": gettext_lazy("A name for this account."),
            "base_url": gettext_lazy(
                "The base URL of the service, such as https://api.example.com/v2."
            ),
            "colour": gettext_lazy("Identifies this account on every page."),
            "read_only": gettext_lazy("Blocks all changes, whatever your role."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.trial: Trial | None = None
        self._old_url = self.instance.base_url
        self._stored = _readable(self.instance)
        token = self.fields["token"]
        token.required = not self._stored
        token.help_text = _("Stored encrypted and never shown again.")
        if self._stored:
            token.help_text = (
                _("Ends in %(token_hint)s. Leave this empty to keep it.")
                % {"token_hint": self.instance.token_hint}
                if self.instance.token_hint
                else _("A token is stored. Leave this empty to keep it.")
            )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Connection.objects.filter(owner=self.instance.owner).exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise forms.ValidationError(_("You already have a connection with this name."))
        return name

    def clean_base_url(self) -> str:
        url = str(self.cleaned_data["base_url"]).strip().rstrip("/")
        try:
            check_address(url)
        except AddressRefused as refused:
            raise forms.ValidationError(str(refused)) from None
        return url

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        moved = cleaned["base_url"] != self._old_url
        if moved and not cleaned["token"]:
            self.add_error("token", _("Enter the token again: the base URL has changed."))
        elif cleaned["token"]:
            role = self.instance.owner.role
            self.trial = attempt(cleaned["base_url"], Secret(cleaned["token"]), role)
            if not self.trial.passed:
                self.add_error(self.trial.where, self.trial.words)
        return cleaned


def _readable(connection: Connection) -> bool:
    try:
        return bool(connection.sealed_token and connection.token)
    except TokenUnreadable:
        return False


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


# A day has another before and after it, in any time zone.
_WITHIN = [MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31))]


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
        validators=_WITHIN,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        label=gettext_lazy("Until"),
        required=False,
        validators=_WITHIN,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
