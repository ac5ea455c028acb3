"""Models of the shared pages: forms that were sent, and list preferences."""

from django.conf import settings
from django.db import models

from portal.access.models import Connection
from portal.config import clock


class SentForm(models.Model):
    """A form that creates something, by its idempotency key; see `portal.ui.idempotency`."""

    class State(models.TextChoices):
        SENDING = "sending"
        DONE = "done"
        UNKNOWN = "unknown"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    ticket = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SENDING)
    result = models.TextField(blank=True)
    sent_at = clock.StampField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "ticket"], name="ui_form_is_sent_once")
        ]

    def __str__(self) -> str:
        return f"{self.ticket} {self.state}"


class ListColumns(models.Model):
    """The columns that a user wants to see in a list, over every connection."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    list_name = models.CharField(max_length=40)
    columns = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "list_name"], name="ui_columns_once_a_list")
        ]

    def __str__(self) -> str:
        return f"{self.list_name}: {', '.join(self.columns)}"


class SavedView(models.Model):
    """Filters, order and columns of a list under a name, for the user who saved it alone.

    `query` is what stands in the list's address.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    list_name = models.CharField(max_length=40)
    name = models.CharField("name", max_length=40)
    query = models.TextField(blank=True)
    columns = models.JSONField(default=list)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "user", "list_name", "name"], name="ui_view_name_unique"
            )
        ]

    def __str__(self) -> str:
        return self.name
