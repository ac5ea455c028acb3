"""Deliveries of the service, refusals of them, and times without any."""

from django.db import models

from portal.access.models import Connection
from portal.config import clock
from portal.mirror import said
from portal.mirror.models.hooks import Subscription
from portal.translation import gettext_lazy


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
        return said.shown(self.did)


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
        indexes = [models.Index(fields=["connection", "began_at"], name="gaps_by_begin")]

    def __str__(self) -> str:
        return f"{self.connection} since {self.began_at}"

    @property
    def why_in_words(self) -> str:
        """Returns the evidence of the gap, in the reader's language."""
        return said.shown(self.why)
