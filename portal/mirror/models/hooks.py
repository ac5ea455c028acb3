"""Webhook subscriptions: where the service delivers its notifications."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from portal.access.models import Connection
from portal.translation import gettext_lazy


class Subscription(models.Model):
    """A connection's webhook: the address made for it, and how the service signs in there.

    Of the password only a keyed hash is kept. `webhook_id` is what the service calls it. At
    `checked_at` it was last asked whether the subscription stands; `trouble` is why it does not.
    """

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
    webhook_id = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)
    heard_at = models.DateTimeField(null=True)
    checked_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=10, choices=Trouble.choices, blank=True)

    def __str__(self) -> str:
        return f"events of {self.connection}"  # untranslated: for the log

    @property
    def url(self) -> str:
        return f"{settings.SITE_URL}{reverse('hook', args=[self.path])}"

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
