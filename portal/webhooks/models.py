"""Webhooks of a connection, and the deliveries that came."""

import json
from contextlib import suppress
from datetime import datetime

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from portal.access import tokens
from portal.access.models import Connection
from portal.access.models.connection import SealedText
from portal.config import clock
from portal.mirror import values
from portal.translation import gettext_lazy
from portal.webhooks.signatures import SigningScheme


class Subscription(models.Model):
    """A connection's webhook: the address made for it, and how the service signs in there.

    It signs in by user name and password (spec 6), and a keyed hash of the password is stored, or
    it signs each notification with one of the `sealed_secrets`: a webhook that was made at the
    service itself, which no operation lists and which has no `webhook_id`. The service last
    verified the address at `validated_at`. The subscription was last checked at `checked_at`;
    `trouble` is the reason why it does not work. At `deauthorized_at` the app whose webhook it is
    lost its authorization, and with it the connection's credentials.
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
    deauthorized_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        db_table = "mirror_subscription"

    def __str__(self) -> str:
        return f"events of {self.connection}"  # untranslated: for the log

    @property
    def url(self) -> str:
        return f"{settings.SITE_URL}{reverse('hook', args=[self.path])}"

    @property
    def is_signed(self) -> bool:
        return bool(self.sealed_secrets)

    @property
    def is_known(self) -> bool:
        """Returns whether the service knows of the webhook. Of one that is set up there, this is
        certain once the service has checked its address, or sent something."""
        return not self.is_signed or bool(self.validated_at or self.heard_at)

    def note(self, **sign: datetime) -> None:
        """Stores when the service gave a sign that it knows of the webhook. What happened before
        the first one is not reported."""
        since = {} if self.is_known else {"created_at": max(sign.values())}
        Subscription.objects.filter(pk=self.pk).update(**sign, **since)

    @property
    def scheme(self) -> SigningScheme:
        return SigningScheme(self.signature_header, self.timestamp_header, self.signature_version)

    def secrets(self) -> list[str]:
        """Returns the accepted secrets, newest first. Raises `TokenUnreadable`."""
        if not self.sealed_secrets:
            return []
        return [str(one) for one in json.loads(tokens.unseal(self.sealed_secrets).value)]

    @property
    def has_earlier_secrets(self) -> bool:
        """Returns whether a secret is accepted beside the newest; False if they cannot be read."""
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
    """Returns the hash of a password that is stored."""
    # The salt is that of the stored hashes.
    return salted_hmac("portal.mirror.hooks", password, algorithm="sha256").hexdigest()


class Delivery(models.Model):
    """A notification that was taken: once, however often it came.

    `happened_at` is the payload's own time, by the service's clock; `came_at` and `last_came_at`
    are by this portal's. `object_id` and `instance` are the number and the UUID of what it is
    about. `payload` is JSON without secrets, `is_cut` where it was too long to be kept whole. `did`
    says what came of it, `changes` whether that is anything. `is_late` says that it came after one
    about the same object that happened later. `changed_at` moves with each change of the row.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="deliveries")
    event_id = models.CharField(max_length=200, null=True)  # noqa: DJ001 - unset ones all differ
    event = models.CharField(max_length=100)
    happened_at = models.DateTimeField(null=True)
    came_at = models.DateTimeField(default=clock.now)
    last_came_at = models.DateTimeField(default=clock.now)
    times = models.PositiveIntegerField(default=1)
    object_id = models.CharField(max_length=100)
    instance = models.CharField(max_length=100)
    topic = models.TextField()
    payload = models.TextField()
    is_cut = models.BooleanField(default=False)
    is_late = models.BooleanField(default=False)
    did = models.TextField()
    changes = models.BooleanField(default=False)
    played = models.PositiveIntegerField(default=0)
    played_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(default=clock.now)
    search = models.TextField()

    class Meta:
        db_table = "mirror_delivery"
        constraints = [
            models.UniqueConstraint(fields=["connection", "event_id"], name="delivered_once")
        ]
        indexes = [
            models.Index(fields=["connection", "id"], name="deliveries_by_coming"),
            models.Index(fields=["connection", "object_id"], name="deliveries_by_object"),
            models.Index(fields=["connection", "changed_at"], name="deliveries_by_change"),
            models.Index(fields=["came_at"], name="deliveries_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.object_id}".strip()

    @property
    def did_in_words(self) -> str:
        """Returns the effect of the delivery, in the reader's language."""
        return values.shown(self.did)


class Refusal(models.Model):
    """The number of refused deliveries to a subscription, for one reason."""

    class Why(models.TextChoices):
        PASSWORD = "password", gettext_lazy("wrong user name or password")
        SIGNATURE = "signature", gettext_lazy("wrong signature")
        TIME = "time", gettext_lazy("signed more than five minutes ago, or ahead")
        SIZE = "size", gettext_lazy("larger than 64 KB")
        FORM = "form", gettext_lazy("not a notification")
        BUSY = "busy", gettext_lazy("too many at once")  # counted by earlier releases

    subscription = models.ForeignKey(
        Subscription, on_delete=models.CASCADE, related_name="refusals"
    )
    why = models.CharField(max_length=10, choices=Why.choices)
    count = models.PositiveIntegerField(default=0)
    since = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        db_table = "mirror_refusal"
        constraints = [
            models.UniqueConstraint(fields=["subscription", "why"], name="one_refusal_per_reason")
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.why}"


class Gap(models.Model):
    """A time in which something happened and nothing came; `ended_at` is unset while it lasts.

    `why` says how that is known. `lists` are the kinds of the mirror that were asked for again at
    `asked_at`, and `read_at` is when they had been read.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="gaps")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    noticed_at = models.DateTimeField()
    why = models.TextField()
    lists = models.JSONField(default=list)
    asked_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "mirror_gap"
        indexes = [models.Index(fields=["connection", "began_at"], name="gaps_by_begin")]

    def __str__(self) -> str:
        return f"{self.connection} since {self.began_at}"

    @property
    def why_in_words(self) -> str:
        """Returns the evidence of the gap, in the reader's language."""
        return values.shown(self.why)
