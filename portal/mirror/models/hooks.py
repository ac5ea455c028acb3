"""Webhook subscriptions: where the service delivers its notifications."""

import json
from contextlib import suppress

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from portal.access import tokens
from portal.access.models import Connection
from portal.access.models.connection import SealedText
from portal.config import clock
from portal.mirror.signatures import SigningScheme
from portal.translation import gettext_lazy


class Subscription(models.Model):
    """A connection's webhook: the address made for it, and how the service signs in there.

    It signs in by user name and password (spec 6), of which a keyed hash is stored, or it signs
    each notification with a secret, if there are `sealed_secrets`: a webhook that was made at the
    service itself, which no operation lists. `webhook_id` is what the service calls it, empty of
    such a one. At `validated_at` it last asked whose the address is. At `checked_at` it was last
    asked if the subscription stands; `trouble` is why it does not.
    """

    MOST_SECRETS = 3  # the new one and those that it replaces, while a secret is rolled

    class Trouble(models.TextChoices):
        """Why the service delivers nothing, or not all, to it."""

        GONE = "gone", gettext_lazy("the webhook was deleted at the service")
        ELSEWHERE = "elsewhere", gettext_lazy("the webhook sends to another address now")
        SIGN_IN = "sign-in", gettext_lazy("the webhook signs in with another user name now")
        EVENTS = "events", gettext_lazy("the webhook does not report all events any more")
        VERSION = "version", gettext_lazy("the account uses webhooks of version 1 now")

    connection = models.OneToOneField(
        Connection, on_delete=models.CASCADE, related_name="subscription"
    )
    path = models.CharField(max_length=64, unique=True)
    auth_user = models.CharField(max_length=64)
    password_hash = models.CharField(max_length=64)
    sealed_secrets = SealedText(blank=True, default="", db_default="", editable=False)
    signature_header = models.CharField(
        max_length=64, default="x-zm-signature", db_default="x-zm-signature"
    )
    timestamp_header = models.CharField(
        max_length=64, default="x-zm-request-timestamp", db_default="x-zm-request-timestamp"
    )
    signature_version = models.CharField(max_length=10, default="v0", db_default="v0")
    validated_at = models.DateTimeField(null=True)
    webhook_id = models.TextField()
    created_at = clock.StampField(auto_now_add=True)
    heard_at = models.DateTimeField(null=True)
    checked_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=10, choices=Trouble.choices, blank=True)

    def __str__(self) -> str:
        return f"events of {self.connection}"  # untranslated: for the log

    @property
    def url(self) -> str:
        return f"{settings.SITE_URL}{reverse('hook', args=[self.path])}"

    @property
    def is_signed(self) -> bool:
        return bool(self.sealed_secrets)

    @property
    def scheme(self) -> SigningScheme:
        return SigningScheme(self.signature_header, self.timestamp_header, self.signature_version)

    def secrets(self) -> list[str]:
        """The secrets that notifications may be signed with, newest first. Raises
        `TokenUnreadable`."""
        if not self.sealed_secrets:
            return []
        return [str(one) for one in json.loads(tokens.unseal(self.sealed_secrets).value)]

    @property
    def has_earlier_secrets(self) -> bool:
        """If a secret is accepted beside the newest; False if they cannot be read."""
        with suppress(tokens.TokenUnreadable):
            return len(self.secrets()) > 1
        return False

    def set_secrets(self, secrets: list[str]) -> None:
        self.sealed_secrets = tokens.seal(json.dumps(secrets[: self.MOST_SECRETS]))

    def set_password(self, password: str) -> None:
        self.password_hash = keyed(password)

    def lets_in(self, user: str, password: str) -> bool:
        """Takes the same time whatever is wrong."""
        is_user = constant_time_compare(user.encode(), self.auth_user.encode())
        is_password = constant_time_compare(keyed(password), self.password_hash)
        return is_user and is_password


def keyed(password: str) -> str:
    """The hash that is kept of a password."""
    return salted_hmac("portal.mirror.hooks", password, algorithm="sha256").hexdigest()
