"""The form of a connection."""

import re
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime

from portal.access.models import Connection
from portal.access.models.connection import Way, dialect_choices, target_for
from portal.access.tokens import TokenUnreadable
from portal.access.typed_secrets import SEALED, TypedSecretInput, TypedSecretTextarea
from portal.client import (
    AddressRefused,
    ClientCredentials,
    HostNotAllowed,
    NotIssued,
    Secret,
    Unauthorized,
)
from portal.client.base_url import normalized
from portal.config import clock
from portal.connections import pasted, renewal
from portal.connections.services.trial import Trial, allow_hint, attempt, check_address, not_issued
from portal.translation import gettext as _, gettext_lazy

_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_.-]{0,59})=([\x20-\x7e]{0,500})")
_MOST_FIELDS = 10
_VISIBLE = RegexValidator(
    r"^[\x21-\x7e]+\Z", gettext_lazy("A token has no spaces and no accented letters.")
)
# What a renewing connection asks for tokens with, beside the secret.
_CLIENT = ("token_url", "client_account", "client_id", "extra")
_TODAY = "current"  # the dialect of services of today
_RECOGNISED = {
    pasted.BASE_URL: gettext_lazy("Base URL"),
    pasted.TOKEN_URL: gettext_lazy("Token URL"),
    pasted.ACCOUNT: gettext_lazy("Account ID"),
    pasted.CLIENT: gettext_lazy("Client ID"),
    pasted.SECRET: gettext_lazy("Client secret"),
    pasted.TOKEN: gettext_lazy("Token"),
}


class _PastedInput(forms.Textarea):
    """A text that no page shows again."""

    def format_value(self, value: object) -> None:  # noqa: ARG002
        return None


def _hidden(**more: object) -> forms.TextInput:
    return forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", **more})


class ConnectionForm(forms.ModelForm[Connection]):
    """The form of a connection, tested against the service before it is saved.

    A stored token is never sent to another address than the one it was given for, nor in another
    way.
    """

    pasted = forms.CharField(
        label=gettext_lazy("Credentials as copied"),
        required=False,
        max_length=pasted.LONGEST,
        widget=_PastedInput({"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Paste what the service's page of the app shows, or a .env file, JSON or a token. It "
            "fills in the fields below and is not kept."
        ),
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Sign-in"),
        choices=Way.choices[::-1],
        required=False,
        help_text=gettext_lazy(
            "How the service takes the token. With a client secret, tokens are renewed by "
            "themselves."
        ),
    )
    token_url = forms.CharField(
        label=gettext_lazy("Token URL"),
        max_length=300,
        required=False,
        widget=_hidden(),
        help_text=gettext_lazy(
            "Where tokens are issued, such as https://example.com/oauth/token. The service's "
            "documentation of server-to-server OAuth names it."
        ),
    )
    client_account = forms.CharField(
        label=gettext_lazy("Account ID"),
        max_length=200,
        required=False,
        widget=_hidden(),
        validators=[_VISIBLE],
        help_text=gettext_lazy(
            "In the service's app marketplace: Manage, your server-to-server OAuth app, App "
            "credentials. Leave it empty where the service has none."
        ),
    )
    client_id = forms.CharField(
        label=gettext_lazy("Client ID"),
        max_length=200,
        required=False,
        widget=_hidden(),
        validators=[_VISIBLE],
        help_text=gettext_lazy("On the same page as the account ID."),
    )
    token = forms.CharField(
        max_length=4000,
        widget=TypedSecretInput({"autocomplete": "off"}),
        validators=[_VISIBLE],
    )
    extra = forms.CharField(
        label=gettext_lazy("Further form fields"),
        required=False,
        max_length=4000,
        widget=TypedSecretTextarea({"rows": 2, "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Only where the service asks for more: a line such as audience=api for each."
        ),
    )

    dialect = forms.ChoiceField(
        label=gettext_lazy("Names"),
        required=False,
        choices=dialect_choices,
        help_text=gettext_lazy("What the service calls paths and fields."),
    )

    class Meta:
        model = Connection
        fields = [
            "name",
            "base_url",
            "pasted",
            "way",
            "token_url",
            "client_account",
            "client_id",
            "token",
            "extra",
            "dialect",
            "colour",
            "read_only",
        ]
        help_texts = {
            "name": gettext_lazy("A name for this account."),
            "base_url": gettext_lazy(
                "The base URL of the service, such as https://api.example.com/v2."
            ),
            "colour": gettext_lazy("Identifies this account on every page."),
            "read_only": gettext_lazy("Blocks all changes, whatever your role."),
        }

    def __init__(self, data: Any = None, *args: Any, **kwargs: Any) -> None:
        self.recognised = pasted.recognise(str((data or {}).get("pasted", "")))
        super().__init__(_filled_in(data, self.recognised), *args, **kwargs)
        self.trial: Trial | None = None
        self.client: ClientCredentials | None = None
        self.first: renewal.FirstToken | None = None
        self._old_url = normalized(self.instance.base_url)
        self._old_way = self.instance.way
        self._stored = _readable(self.instance)
        if not self.instance.pk:
            self.initial["way"] = Way.RENEWING
        if self.recognised.values:
            self.fields["pasted"].help_text = self._taken()
        token = self.fields["token"]
        is_pasted = bool(self.recognised.values.keys() & {pasted.SECRET, pasted.TOKEN})
        if is_pasted and isinstance(token.widget, TypedSecretInput):
            token.widget.carry()
        token.required = not self._stored
        # Which of them is shown follows what is chosen as the sign-in (forms.css).
        token.label = format_html(
            '<span class="sb-way-other">{}</span><span class="sb-way-renewing">{}</span>',
            _("Token"),
            _("Client secret"),
        )
        token.help_text = _("Stored encrypted and never shown again.")
        if self._stored:
            token.help_text = (
                _("Ends in %(token_hint)s. Leave this empty to keep it.")
                % {"token_hint": self.instance.token_hint}
                if self.instance.token_hint
                else _("A token is stored. Leave this empty to keep it.")
            )
        if self._stored and self.instance.renews:
            token.help_text += " " + _(
                "The token URL, the IDs and further fields are stored too and not shown again: "
                "enter all of them with a new secret."
            )

    def full_clean(self) -> None:
        super().full_clean()
        if self.errors and self.first:
            renewal.give_back(self.first.lease)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Connection.objects.filter(owner=self.instance.owner).exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise forms.ValidationError(_("You already have a connection with this name."))
        return name

    def clean_base_url(self) -> str:
        return _address(str(self.cleaned_data["base_url"]))

    def clean_pasted(self) -> str:
        """Leaves nothing of the text; the fields below have what was recognised."""
        if self.cleaned_data["pasted"] and not self.recognised.values:
            words = _("No credentials were recognised in this text. Enter them below.")
            if self.recognised.is_former:
                words = _(
                    "An API key and its secret belong to an app of the former kind, which services "
                    "of today do not accept. Make a server-to-server OAuth app and paste its "
                    "account ID, client ID and client secret."
                )
            raise forms.ValidationError(words)
        return ""

    def clean_way(self) -> str:
        return str(self.cleaned_data["way"] or self._old_way)

    def clean_token_url(self) -> str:
        given = str(self.cleaned_data["token_url"])
        return _address(given) if given else ""

    def clean_extra(self) -> tuple[tuple[str, str], ...]:
        lines = [line for line in str(self.cleaned_data["extra"]).splitlines() if line.strip()]
        fields = [_FIELD.fullmatch(line.strip()) for line in lines]
        if len(fields) > _MOST_FIELDS or not all(fields):
            raise forms.ValidationError(
                _("Write a name and a value in each line, such as audience=api; ten at most.")
            )
        return tuple((field[1], field[2]) for field in fields if field)

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        if "pasted" in self.errors:  # which should have filled in the others
            self.errors.pop("token", None)
            return cleaned
        if cleaned.get("way") == Way.RENEWING and (cleaned.get("token") or not self._stored):
            for name in ("token_url", "client_id"):
                if not cleaned.get(name) and name not in self.errors:
                    self.add_error(name, _("A renewing token needs this."))
        ended_at = self.recognised.ended_at
        if ended_at and ended_at < clock.now():
            moment = date_format(localtime(ended_at), "DATETIME_FORMAT")
            self.add_error("token", _("This token ended on %(date)s.") % {"date": moment})
        if self.errors:
            return cleaned
        if cleaned["token"]:
            self._try(cleaned)
        else:
            self._require_the_same(cleaned)
        return cleaned

    @property
    def outcome(self) -> str:
        """Returns what the trial of a valid form has shown, and what was taken for what."""
        if not self.trial:
            return ""
        words = [self._taken(), self.trial.words]
        is_of_today, dialect = self.trial.is_of_today, self.cleaned_data["dialect"]
        if is_of_today and dialect == _TODAY and not self.data.get("dialect"):
            words.append(
                _("Its answers are those of a service of today, so Names is set to “%(dialect)s”.")
                % {"dialect": dict(dialect_choices())[dialect]}
            )
        elif not is_of_today and dialect == _TODAY:
            words.append(_("Its answers are not those of a service of today: check Names."))
        return " ".join(filter(None, words))

    def _taken(self) -> str:
        """Returns what the pasted text was taken for."""
        labels = [
            str(label) for name, label in _RECOGNISED.items() if self.recognised.values.get(name)
        ]
        words = [_("Taken from the pasted text: %(labels)s.") % {"labels": ", ".join(labels)}]
        if self.recognised.is_by_shape:
            words.append(_("Not all had a label: check that each is where it belongs."))
        if self.recognised.is_former:
            words.append(
                _(
                    "The token is of an app of the former kind, which services of today do not "
                    "accept."
                )
            )
        return " ".join(words) if labels else ""

    def _require_the_same(self, cleaned: dict[str, object]) -> None:
        """Refuses what the stored token was not given for."""
        if cleaned["base_url"] != self._old_url:
            self.add_error("token", _("Enter the token again: the base URL has changed."))
        elif cleaned["way"] != self._old_way:
            self.add_error("token", _("Enter the token again: the sign-in has changed."))
        elif cleaned["way"] == Way.RENEWING and any(cleaned[name] for name in _CLIENT):
            words = _("Enter the client secret again, with all that belongs to it.")
            self.add_error("token", words)

    def _try(self, cleaned: dict[str, Any]) -> None:
        secret = Secret(cleaned["token"])
        is_query = cleaned["way"] == Way.QUERY
        if cleaned["way"] == Way.RENEWING:
            self.client = ClientCredentials(
                cleaned["token_url"],
                cleaned["client_id"],
                secret,
                cleaned["client_account"],
                cleaned["extra"],
            )
            try:
                self.first = renewal.first_token(self.instance, self.client)
            except NotIssued as failure:
                self.trial = not_issued(failure)
                where, words = self.trial.where, self.trial.words
                if where == "token" and not cleaned["client_account"]:
                    where = "client_account"
                    words += " " + _("Services of today ask for the account ID as well.")
                self.add_error(where, words)
                return
            secret = self.first.issued.token
        target = target_for(
            cleaned["base_url"], secret, bearer=not is_query, dialect=cleaned["dialect"]
        )
        self.trial = attempt(target, self.instance.owner.role)
        if not self.trial.passed:
            words = self.trial.words
            if is_query and isinstance(self.trial.error, Unauthorized):
                words += " " + _(
                    "Services of today take no key in the query: choose another sign-in."
                )
            self.add_error(self.trial.where, words)
            return
        if self.trial.is_of_today:
            cleaned["dialect"] = cleaned["dialect"] or _TODAY
        before, reported = self.instance.account_id, self.trial.account
        if before and reported and reported.id and reported.id != before:
            # The lists, holds and rules of the connection belong to another account.
            words = _("This is another account of the service. Add it as a new connection.")
            self.add_error("token", words)


def _filled_in(data: Any, recognised: pasted.Recognised) -> Any:
    """Returns the data of the form with what was pasted in the fields that it is for."""
    values = recognised.values
    if not values:
        return data
    filled = data.copy()
    for name, value in values.items():
        if name == pasted.BASE_URL:
            filled[name] = filled.get(name) or value
        elif name in _CLIENT:
            filled[name] = value
        else:
            filled["token"], filled[f"token{SEALED}"] = value, ""
    if recognised.renews:
        filled["way"] = Way.RENEWING.value
    elif pasted.TOKEN in values and filled.get("way") == Way.RENEWING and not filled["client_id"]:
        filled["way"] = Way.BEARER.value
    return filled


def _address(given: str) -> str:
    url = normalized(given)
    try:
        check_address(url)
    except HostNotAllowed as refused:
        raise forms.ValidationError(f"{refused} {allow_hint()}") from None
    except AddressRefused as refused:
        raise forms.ValidationError(str(refused)) from None
    return url


def _readable(connection: Connection) -> bool:
    try:
        if connection.pk and connection.renews:
            return bool(connection.credentials)
        return bool(connection.sealed_token and connection.token)
    except TokenUnreadable:
        return False
