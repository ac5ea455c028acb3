"""The token of a connection that has it renewed."""

from datetime import timedelta

from django.db import models

from portal.access.models.connection import Connection
from portal.access.models.sealed import SealedText
from portal.access.tokens import unseal
from portal.client import IssuedToken, Secret, messages
from portal.translation import stored

# A token is renewed so long before it ends, and a short-lived one in the last quarter of its life.
_EARLY = 300.0
_SHARE = 4


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
