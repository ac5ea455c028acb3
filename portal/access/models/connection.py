"""A connection: an account of the conferencing service as one admin reaches it."""

import secrets
from copy import copy

from django.conf import settings
from django.db import models

from portal.access import health, tokens
from portal.access.models.part import Part
from portal.access.models.sealed import SealedText
from portal.client import AddressPolicy, Secret, Target
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_key() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(8))


class Colour(models.TextChoices):
    """What marks a connection on every page, by Tabler's names."""

    BLUE = "blue", gettext_lazy("Blue")
    TEAL = "teal", gettext_lazy("Teal")
    GREEN = "green", gettext_lazy("Green")
    YELLOW = "yellow", gettext_lazy("Yellow")
    ORANGE = "orange", gettext_lazy("Orange")
    RED = "red", gettext_lazy("Red")
    PINK = "pink", gettext_lazy("Pink")
    PURPLE = "purple", gettext_lazy("Purple")


class Connection(models.Model):
    """A base URL and an encrypted token, seen and used by its owner alone.

    What is known of the account behind it is empty, or `None`, where the service does not report.
    `account_owner` is whom the service knows as the account's owner, `people` how many are on it.
    """

    key = models.CharField(max_length=8, unique=True, default=new_key, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="connections"
    )
    name = models.CharField(gettext_lazy("name"), max_length=60)
    base_url = models.CharField(gettext_lazy("base URL"), max_length=300)
    sealed_token = SealedText(editable=False)
    token_hint = models.CharField(max_length=4, blank=True, editable=False)
    read_only = models.BooleanField(gettext_lazy("read only"), default=False)
    colour = models.CharField(
        gettext_lazy("colour"), max_length=10, choices=Colour.choices, default=Colour.BLUE
    )
    account_id = models.CharField(max_length=120, blank=True, editable=False)
    account_owner = models.CharField(max_length=120, blank=True, editable=False)
    account_plan = models.CharField(max_length=120, blank=True, editable=False)
    people = models.PositiveIntegerField(null=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # To whom it is limited for whoever works with this instance: lists keep within that part.
    part: Part | None = None

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
        plan = self.account_plan and _("%(plan)s plan") % {"plan": self.account_plan}
        if self.part is not None:
            return plan  # nothing of those who are outside
        known = [self.account_owner, plan]
        if self.people is not None:
            words = ngettext("%(count)s person", "%(count)s people", self.people)
            known.append(words % {"count": number(self.people)})
        return ", ".join(filter(None, known))

    @property
    def health(self) -> "health.Health":
        """How the service behaved when it was last called over this connection."""
        return health.of(self.key)

    def whole(self) -> "Connection":
        """The connection without a part, to read what all who share it are shown parts of."""
        if self.part is None:
            return self
        found = copy(self)
        found.part = None
        return found

    def target(self) -> Target:
        """Where the client calls. Raises `TokenUnreadable`."""
        return Target(self.base_url, self.token, address_policy(), settings.API_TIMEOUT)


def address_policy() -> AddressPolicy:
    return AddressPolicy(frozenset(host.lower() for host in settings.ALLOWED_API_HOSTS))
