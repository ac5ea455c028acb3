"""What the portal keeps of sessions itself: templates, a rule, and what is to be read again."""

from django.conf import settings
from django.db import models

from portal.access.models import Connection


class SessionTemplate(models.Model):
    """What a new session can begin with. It never holds a password or a date.

    `kind` is the family of the kind; `values` has `plan` (what a form is suggested), `recurrence`
    and `host`.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16)
    name = models.CharField(max_length=100)
    values = models.JSONField(default=dict)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "connection", "kind", "name"], name="sessions_template_name"
            )
        ]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class RegistrationRule(models.Model):
    """Which sessions of a connection people have to register for: those whose tracking `field` has
    this `value`."""

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="+")
    field = models.CharField(max_length=200)
    value = models.CharField(max_length=200)

    def __str__(self) -> str:
        return f"{self.field}: {self.value}"


class SessionToRead(models.Model):
    """A session that the service has told of since it was read; `told_at` is when it did last."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16)
    session_id = models.TextField()
    told_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "session_id"], name="session_to_read_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.session_id}"
