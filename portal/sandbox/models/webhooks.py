"""Subscriptions to events and deliveries that have not arrived yet, the account's clock, and issued
tokens."""

from datetime import timedelta

from django.db import models

from portal.sandbox.clock import now
from portal.sandbox.identifiers import new_id


class WebhookVersion(models.Model):
    """The version of webhooks that the account uses; without a row it is 2."""

    version = models.CharField(max_length=2)

    def __str__(self) -> str:
        return self.version


class Webhook(models.Model):
    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    url = models.TextField()
    auth_user = models.TextField()
    auth_password = models.TextField()
    events = models.JSONField()
    created_at = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """A notification that has neither arrived nor been given up.

    `due_at` is the time of the next attempt; the process that makes the attempt moves it on first.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    content = models.TextField()
    reported_at = models.DateTimeField(default=now)
    due_at = models.DateTimeField(default=now)
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["due_at", "id"], name="sandbox_delivery_due")]

    def __str__(self) -> str:
        return f"Delivery {self.pk} to {self.webhook_id}"


class AccountClock(models.Model):
    """The account's time `account_at` at the machine's time `machine_at`.

    There is one row at most; without it both clocks are the same.
    """

    account_at = models.DateTimeField()
    machine_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.account_at:%Y-%m-%dT%H:%M:%SZ}"

    @property
    def ahead(self) -> timedelta:
        return self.account_at - self.machine_at


class IssuedToken(models.Model):
    """A bearer token with its scopes and the moment of its end, by the clock of the machine."""

    value = models.CharField(max_length=80, unique=True)
    scope = models.TextField(default="")
    ends_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"until {self.ends_at:%H:%M:%S}"
