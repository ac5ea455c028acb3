"""The mirror of groups, and who is in them."""

from django.db import models

from portal.access.models import Connection
from portal.mirror.models.row import MirroredRow
from portal.mirror.models.users import MirroredUser


class GroupKind(models.TextChoices):
    """User groups share settings, IM groups are those of the instant-messaging directory."""

    GROUP = "group", "Group"
    IM_GROUP = "im_group", "IM group"


class MirroredGroup(MirroredRow):
    """One group; `type` and the `search_by_…` are told of IM groups only."""

    KEY = ("kind", "group_id")

    kind = models.CharField(max_length=10, choices=GroupKind.choices)
    group_id = models.TextField()
    name = models.TextField()
    total_members = models.IntegerField(null=True)
    type = models.CharField(max_length=20)
    search_by_account = models.BooleanField(null=True)
    search_by_domain = models.BooleanField(null=True)
    search_by_ma_account = models.BooleanField(null=True)
    sort_name = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "kind", "group_id"], name="one_row_per_group"
            )
        ]
        indexes = [models.Index(fields=["connection", "kind", "sort_name"])]

    def __str__(self) -> str:
        return self.name or self.group_id


class Membership(models.Model):
    """That somebody is in a group, as the lists of people tell it.

    The group is named by its id: lists of people can name groups that no list of groups has told.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=GroupKind.choices)
    group_id = models.TextField()
    user = models.ForeignKey(MirroredUser, on_delete=models.CASCADE, related_name="memberships")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "group_id"], name="once_in_each_group")
        ]
        indexes = [models.Index(fields=["connection", "kind", "group_id", "user"])]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.group_id}"
