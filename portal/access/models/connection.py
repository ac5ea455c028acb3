"""A connection: an account of the conferencing service as one admin reaches it, and its secrets."""

import json
import secrets
from collections.abc import Iterable
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import structlog
from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_noop

import portal.client
from portal.access import availability, tokens
from portal.access.tokens import is_sealed, unseal
from portal.client import (
    AddressPolicy,
    ClassLimits,
    ClientCredentials,
    IssuedToken,
    Secret,
    Target,
    messages,
)
from portal.client.base_url import normalized
from portal.client.dialect import AS_DOCUMENTED, Dialect, NoDialect, read_dialect
from portal.config import clock
from portal.translation import gettext as _, gettext_lazy, ngettext, number, stored

_log = structlog.get_logger("portal.access")


gettext_noop("As services of today name it")  # the title of `current.toml`

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
# A token is renewed so long before it ends, and a short-lived one in the last quarter of its life.
_EARLY = 300.0
_SHARE = 4


def dialect_choices() -> list[tuple[str, str]]:
    """Returns the dialects as choices of a form, by the names of their files."""
    results = {name: _read(path) for name, path in _files().items()}
    named = [(name, _(dialect.title)) for name, dialect in sorted(results.items()) if dialect]
    return [("", _("As documented")), *named]


def dialect_named(name: str) -> Dialect:
    """Returns the dialect of a connection; the document's own if its file is gone."""
    path = _files().get(name) if name else None
    return (_read(path) if path else None) or AS_DOCUMENTED


def _files() -> dict[str, Path]:
    folders = Path(portal.client.__file__).parent / "dialects", settings.DATA_DIR / "dialects"
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def _read(path: Path) -> Dialect | None:
    return _read_once(path, path.stat().st_mtime_ns)


@lru_cache(64)
def _read_once(path: Path, _changed: int) -> Dialect | None:
    try:
        return read_dialect(path)
    except NoDialect as problem:
        _log.warning("dialect not read", problem=str(problem))
        return None


class SealedText(models.TextField[str, str]):
    """A text encrypted by `tokens.seal`, or none. Whatever is kept encrypted has such a field:
    `rotate_token_keys` goes through those of every app. To the database it is any text."""

    def get_prep_value(self, value: object) -> object:
        """Raises `ValueError` for a text that is not encrypted."""
        text = super().get_prep_value(value)
        if isinstance(text, str) and text and not is_sealed(text):
            raise ValueError(f"{self} takes encrypted texts alone.")
        return text

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.TextField", args, kwargs


def sealed_fields() -> dict[type[models.Model], list[str]]:
    """The names of the encrypted fields, by their models."""
    results = {
        model: [
            field.attname for field in model._meta.concrete_fields if isinstance(field, SealedText)
        ]
        for model in apps.get_models()
    }
    return {model: names for model, names in results.items() if names}


def new_key() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(8))


class Colour(models.TextChoices):
    """The mark of a connection on every page, by Tabler's names."""

    BLUE = "blue", gettext_lazy("Blue")
    TEAL = "teal", gettext_lazy("Teal")
    GREEN = "green", gettext_lazy("Green")
    YELLOW = "yellow", gettext_lazy("Yellow")
    ORANGE = "orange", gettext_lazy("Orange")
    RED = "red", gettext_lazy("Red")
    PINK = "pink", gettext_lazy("Pink")
    PURPLE = "purple", gettext_lazy("Purple")


class Way(models.TextChoices):
    """The ways in which a connection signs in."""

    QUERY = "query", gettext_lazy("Key in the query")
    BEARER = "bearer", gettext_lazy("Bearer token")
    RENEWING = "renewing", gettext_lazy("Renewing token (server-to-server OAuth)")


class Connection(models.Model):
    """A base URL and an encrypted token, seen and used by its owner alone.

    A connection with renewed tokens has its client secret in the place of the token, and the rest
    of its client credentials, encrypted together, in `sealed_client`.

    The fields about the account behind it are empty, or `None`, if the service does not report
    them. `account_owner` is the account's owner at the service, `people` the number of its users.
    Home leaves the first steps out if it `hides_steps`.
    """

    key = models.CharField(max_length=8, unique=True, default=new_key, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="connections"
    )
    name = models.CharField(gettext_lazy("name"), max_length=60)
    base_url = models.CharField(gettext_lazy("base URL"), max_length=300)
    sealed_token = SealedText(editable=False)
    way = models.CharField(
        gettext_lazy("sign-in"),
        max_length=10,
        choices=Way.choices,
        default=Way.QUERY,
        db_default=Way.QUERY,
    )
    dialect = models.CharField(
        gettext_lazy("names"), max_length=60, blank=True, default="", db_default=""
    )
    sealed_client = SealedText(blank=True, default="", db_default="", editable=False)
    token_hint = models.CharField(max_length=4, blank=True, editable=False)
    read_only = models.BooleanField(gettext_lazy("read only"), default=False)
    colour = models.CharField(
        gettext_lazy("colour"), max_length=10, choices=Colour.choices, default=Colour.BLUE
    )
    account_id = models.CharField(max_length=120, blank=True, editable=False)
    account_owner = models.CharField(max_length=120, blank=True, editable=False)
    account_plan = models.CharField(max_length=120, blank=True, editable=False)
    people = models.PositiveIntegerField(null=True, editable=False)
    hides_steps = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = clock.StampField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="access_connection_name_unique"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.base_url = normalized(self.base_url)
        super().save(*args, **kwargs)

    @property
    def service(self) -> str:
        """The service that it leads to, however its base URL is spelled."""
        return normalized(self.base_url)

    @property
    def pace_key(self) -> str:
        """Returns the name that shares one rate limit: the account of a service, or the connection
        if the account is not reported."""
        return f"{self.service} {self.account_id}" if self.account_id else self.key

    @property
    def limits(self) -> ClassLimits:
        """Returns the service's limits by class, as far as its dialect names any."""
        return dialect_named(self.dialect).limits

    @property
    def token(self) -> Secret:
        """The token, or the client secret. Raises `TokenUnreadable` where no key of the portal
        opens it."""
        return tokens.unseal(self.sealed_token)

    def set_token(self, token: str) -> None:
        self.sealed_token = tokens.seal(token)
        self.token_hint = tokens.hint(token)

    @property
    def renews(self) -> bool:
        return self.way == Way.RENEWING

    @property
    def credentials(self) -> ClientCredentials:
        """Returns what tokens are asked for with. Raises `TokenUnreadable`."""
        client = json.loads(tokens.unseal(self.sealed_client).value)
        return ClientCredentials(
            client["token_url"],
            client["client_id"],
            self.token,
            client["account_id"],
            tuple((name, value) for name, value in client["extra"]),
        )

    def set_client(self, credentials: ClientCredentials | None) -> None:
        """Keeps what tokens are asked for with, but for the secret; `None` forgets it."""
        if credentials is None:
            self.sealed_client = ""
            return
        client = {
            "token_url": credentials.token_url,
            "client_id": credentials.client_id,
            "account_id": credentials.account_id,
            "extra": credentials.extra,
        }
        self.sealed_client = tokens.seal(json.dumps(client))

    def opens_with(self, token: str) -> bool:
        """Returns whether this is the stored token."""
        try:
            return bool(self.sealed_token) and self.token.value == token
        except tokens.TokenUnreadable:
            return False

    @property
    def account(self) -> str:
        """Returns the account in words: its owner, its plan, its number of people.

        Users who do not see all of it get `Scope.account`.
        """
        plan = self.account_plan and _("%(plan)s plan") % {"plan": self.account_plan}
        reported = [self.account_owner, plan]
        if self.people is not None:
            words = ngettext("%(count)s person", "%(count)s people", self.people)
            reported.append(words % {"count": number(self.people)})
        return ", ".join(filter(None, reported))

    @property
    def health(self) -> "availability.Health":
        """Returns the health of the service at the last call over this connection: of now, or of
        when `read_healths` asked for several at once."""
        read: availability.Health | None = vars(self).get("_health")
        return read or availability.health_by_connection([self.key])[self.key]

    def target(self) -> Target:
        """Returns where the client calls, without a token if that is renewed:
        `renewal.tokens_of` has it. Raises `TokenUnreadable`."""
        token = Secret("") if self.renews else self.token
        return target_for(self.base_url, token, bearer=self.way != Way.QUERY, dialect=self.dialect)


def read_healths(connections: Iterable[Connection]) -> None:
    """Reads the health of several connections at once."""
    by_key = {one.key: one for one in connections}
    for key, health in availability.health_by_connection(by_key).items():
        vars(by_key[key])["_health"] = health


def target_for(base_url: str, token: Secret, *, bearer: bool, dialect: str) -> Target:
    return Target(
        base_url, token, address_policy(), settings.API_TIMEOUT, bearer, dialect_named(dialect)
    )


def address_policy() -> AddressPolicy:
    return AddressPolicy(frozenset(host.lower() for host in settings.ALLOWED_API_HOSTS))


class ServiceToken(models.Model):
    """The token that all processes call with, counted from its receipt by the portal's clock.

    `lease` is that of the process which is just renewing it, until `lease_until` at the longest.
    `failure` says why it could not be renewed, since `failed_at`; `refused` that asking again
    changes nothing. `scope` and `api_url` are what came with it. One that `is_second` was got
    because the one before was refused as soon as it had come.
    """

    connection = models.OneToOneField(
        Connection, on_delete=models.CASCADE, related_name="service_token"
    )
    sealed = SealedText(blank=True, default="")
    received_at = models.DateTimeField(null=True)
    is_second = models.BooleanField(default=False, db_default=False)
    lifetime = models.FloatField(default=0.0)
    scope = models.TextField(blank=True)
    api_url = models.CharField(max_length=300, blank=True)
    lease = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True)
    failure = models.TextField(blank=True)
    reason = models.CharField(max_length=12, blank=True)
    failed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"token of {self.connection_id}"  # untranslated: for the log

    @property
    def token(self) -> Secret | None:
        """Raises `TokenUnreadable`."""
        return unseal(self.sealed) if self.sealed else None

    @property
    def failure_in_words(self) -> str:
        """Returns why it could not be renewed, in the reader's language."""
        return stored.shown(self.failure, messages.MESSAGES)

    @property
    def margin(self) -> timedelta:
        """Returns the time before its end at which it is renewed."""
        return timedelta(seconds=min(_EARLY, self.lifetime / _SHARE))

    @property
    def scopes(self) -> list[str]:
        return sorted(set(self.scope.replace(",", " ").split()))


def columns_of(issued: IssuedToken) -> dict[str, object]:
    """Returns the columns of a token beside itself and the moment of its receipt."""
    return {
        "lifetime": issued.lifetime,
        "scope": issued.scope,
        "api_url": issued.api_url,
        "lease": "",
        "lease_until": None,
        "failure": "",
        "reason": "",
        "failed_at": None,
    }
