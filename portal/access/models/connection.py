"""A connection: an account of the conferencing service as one admin reaches it."""

import secrets

from django.conf import settings
from django.db import models

from portal.access import health, tokens
from portal.access.models.sealed import SealedText
from portal.client import AddressPolicy, Secret, Target

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_key() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(8))


class Colour(models.TextChoices):
    """What marks a connection on every page, by Tabler's names."""

    BLUE = "blue", "Blue"
    TEAL = "teal", "Teal"
    GREEN = "green", "Green"
    YELLOW = "yellow", "Yellow"
    ORANGE = "orange", "Orange"
    RED = "red", "Red"
    PINK = "pink", "Pink"
    PURPLE = "purple", "Purple"


class Connection(models.Model):
    """A base URL and an encrypted token, seen and used by its owner alone.

    What is known of the account behind it is empty, or `None`, where the service does not report.
    `account_owner` is whom the service knows as the account's owner, `people` how many are on it.
    """

    key = models.CharField(max_length=8, unique=True, default=new_key, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="connections"
    )
    name = models.CharField("name", max_length=60)
    base_url = models.CharField("base URL", max_length=300)
    sealed_token = SealedText(editable=False)
    token_hint = models.CharField(max_length=4, blank=True, editable=False)
    read_only = models.BooleanField("read only", default=False)
    colour = models.CharField("colour", max_length=10, choices=Colour.choices, default=Colour.BLUE)
    account_id = models.CharField(max_length=120, blank=True, editable=False)
    account_owner = models.CharField(max_length=120, blank=True, editable=False)
    account_plan = models.CharField(max_length=120, blank=True, editable=False)
    people = models.PositiveIntegerField(null=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="access_connection_name_unique"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def token(self) -> Secret:
        """Raises `TokenUnreadable` where no key of the portal opens it."""
        return tokens.unseal(self.sealed_token)

    def set_token(self, token: str) -> None:
        self.sealed_token = tokens.seal(token)
        self.token_hint = tokens.hint(token)

    def opens_with(self, token: str) -> bool:
        """Whether this is the token that is kept."""
        try:
            return bool(self.sealed_token) and self.token.value == token
        except tokens.TokenUnreadable:
            return False

    @property
    def account(self) -> str:
        """Which account it is to, in words: its owner, its plan, how many people are on it."""
        known = [self.account_owner, self.account_plan and f"{self.account_plan} plan"]
        if self.people is not None:
            known.append(f"{self.people:,} {'person' if self.people == 1 else 'people'}")
        return ", ".join(filter(None, known))

    @property
    def health(self) -> "health.Health":
        """How the service behaved when it was last called over this connection."""
        return health.of(self.key)

    def target(self) -> Target:
        """Where the client calls. Raises `TokenUnreadable`."""
        return Target(self.base_url, self.token, address_policy(), settings.API_TIMEOUT)


def address_policy() -> AddressPolicy:
    return AddressPolicy(frozenset(host.lower() for host in settings.ALLOWED_API_HOSTS))
