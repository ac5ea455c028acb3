"""A share: a connection that its owner lets a colleague work on."""

from django.conf import settings
from django.db import models
from django.db.models.signals import post_delete
from django.dispatch import receiver

from portal.access.models.connection import Connection
from portal.access.roles import Role
from portal.config import clock


class Share(models.Model):
    """The role of a colleague on a connection that is not theirs, and its limits.

    `families` are the families of operations that it is limited to, `departments` and `groups`
    (their ids) the people. An empty list does not limit. What somebody may do is asked of
    `portal.access.grants`, never of a share alone.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="shares")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shares"
    )
    role = models.CharField("role", max_length=16, choices=Role.choices, default=Role.VIEWER)
    families = models.JSONField(default=list, blank=True)
    departments = models.JSONField(default=list, blank=True)
    groups = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = clock.StampField(auto_now_add=True)

    class Meta:
        ordering = ["user__email"]
        constraints = [
            models.UniqueConstraint(fields=["connection", "user"], name="access_share_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.connection} for {self.user}"

    @property
    def is_limited(self) -> bool:
        """Returns whether anything of the connection is kept from its holder, beside their role."""
        return bool(self.families or self.departments or self.groups)


class EndedLimit(models.Model):
    """That somebody saw a part of a connection, when their share of it ended: of the trail over it
    they see what they did themselves, as before, until it is shared with them anew."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_constraint=False
    )
    connection_key = models.CharField(max_length=8)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "connection_key"], name="access_ended_limit_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.connection_key} for {self.user_id}"  # untranslated: for developers


@receiver(post_delete, sender=Share)
def _keep_limit(instance: Share, **_kwargs: object) -> None:
    """However it ends: taken back, left, or with the connection itself."""
    user, key = instance.user_id, instance.connection.key
    if instance.is_limited:
        EndedLimit.objects.get_or_create(user_id=user, connection_key=key)
    else:
        EndedLimit.objects.filter(user_id=user, connection_key=key).delete()
