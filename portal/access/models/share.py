"""Shares of a connection, the rule for its approvals, and its last check."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.signals import post_delete
from django.dispatch import receiver

from portal.access.models.connection import Connection
from portal.access.models.role import label_of
from portal.access.roles import Role, is_custom
from portal.config import clock

# After so long without an end a check has been interrupted; it ends itself long before.
_LOST_AFTER = timedelta(minutes=3)
_DAY = timedelta(days=1)


class ShareQuerySet(models.QuerySet["Share"]):
    """Shares that give access, and those whose time is over."""

    def current(self) -> "ShareQuerySet":
        """Returns the shares that give access now. Whatever asks who has access asks this."""
        return self.filter(Q(ends_at=None) | Q(ends_at__gt=clock.now()))

    def over(self) -> "ShareQuerySet":
        """Returns the shares that have ended by themselves: rows alone, until they are swept."""
        return self.filter(ends_at__lte=clock.now())


class Share(models.Model):
    """The role of a colleague on a connection that is not theirs, and its limits.

    `families` are the families of operations that it is limited to, `departments` and `groups`
    (their ids) the people. An empty list does not limit. From `ends_at` on it gives nothing; None
    is for a share without an end. `remind_at` is when both are reminded of the end, None once they
    were. The rights of a user come from `portal.access.grants`, never from a share alone.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="shares")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shares"
    )
    role = models.CharField("role", max_length=16, default=Role.VIEWER)
    families = models.JSONField(default=list, blank=True)
    departments = models.JSONField(default=list, blank=True)
    groups = models.JSONField(default=list, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = clock.StampField(auto_now_add=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True)

    objects = ShareQuerySet.as_manager()

    class Meta:
        ordering = ["user__email"]
        constraints = [
            models.UniqueConstraint(fields=["connection", "user"], name="access_share_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.connection} for {self.user}"

    @property
    def is_limited(self) -> bool:
        """Returns whether anything of the connection is kept from its holder, beside what a
        built-in role may not do."""
        limits = self.families or self.departments or self.groups
        return bool(limits) or is_custom(self.role) or is_custom(self.user.role)

    def get_role_display(self) -> str:
        return label_of(self.role)

    @property
    def elevation_now(self) -> "Elevation | None":
        """Returns what gives its holder a greater role now; read with the share by
        `select_related`."""
        elevation: Elevation | None = getattr(self, "elevation", None)
        return elevation if elevation is not None and elevation.is_current else None

    def end_at(self, moment: datetime | None) -> None:
        """Sets the end, and the reminder: a day before, or when a quarter of a shorter time is
        left."""
        self.ends_at, self.remind_at = moment, None
        if moment is not None:
            left = moment - clock.now()
            self.remind_at = moment - (_DAY if left >= 2 * _DAY else left / 4)


class ElevationQuerySet(models.QuerySet["Elevation"]):
    """Elevations by what they are now."""

    def waiting(self) -> "ElevationQuerySet":
        """Returns the requests that can be decided."""
        return self.filter(ends_at=None, lapses_at__gt=clock.now())

    def over(self) -> "ElevationQuerySet":
        """Returns those that have ended or lapsed by themselves: rows alone, until they are
        swept."""
        now = clock.now()
        return self.filter(Q(ends_at__lte=now) | Q(ends_at=None, lapses_at__lte=now))


class Elevation(models.Model):
    """A greater role, asked for once and for some hours, of a colleague on a shared connection.

    It is a request until it is approved, by `approved_by`, and then gives `role` until `ends_at`; a
    request that nothing comes of lapses at `lapses_at`. The row is deleted when it ends; the trail
    has all of it. The limits of the share stay.
    """

    # The release before deletes shares, and knows no elevation.
    share = models.OneToOneField(
        Share, on_delete=models.CASCADE, related_name="elevation", db_constraint=False
    )
    role = models.CharField(max_length=16, choices=Role.choices)
    hours = models.PositiveSmallIntegerField()
    reason = models.TextField()
    asked_at = clock.StampField(auto_now_add=True)
    lapses_at = models.DateTimeField()
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_constraint=False,
    )
    ends_at = models.DateTimeField(null=True)

    objects = ElevationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.role} for {self.share}"

    @property
    def is_waiting(self) -> bool:
        return self.ends_at is None and self.lapses_at > clock.now()

    @property
    def is_current(self) -> bool:
        """Returns whether it gives its role now."""
        return self.ends_at is not None and self.ends_at > clock.now()

    @property
    def is_over(self) -> bool:
        return not self.is_waiting and not self.is_current


class EndedLimit(models.Model):
    """A limited share that has ended: over its connection the user sees their own entries of the
    trail alone, as before, until it is shared with them anew."""

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
    """However it ends: taken back, left, by itself, or with the connection."""
    user, key = instance.user_id, instance.connection.key
    if instance.is_limited:
        EndedLimit.objects.get_or_create(user_id=user, connection_key=key)
    else:
        EndedLimit.objects.filter(user_id=user, connection_key=key).delete()


class ApprovalRule(models.Model):
    """The rule of one connection; without one, nothing waits.

    Each call of one of `operations` waits. A job waits that calls one of them, that has more than
    `job_rows` rows, or that has more than `destructive_job_rows` and cannot be undone; None is no
    limit. A request waits for `request_hours`, and an approved one is carried out within
    `approval_hours` or not at all.
    """

    connection = models.OneToOneField(
        Connection, on_delete=models.CASCADE, related_name="approval_rule"
    )
    operations = models.JSONField(default=list, blank=True)
    job_rows = models.PositiveIntegerField(null=True, blank=True)
    destructive_job_rows = models.PositiveIntegerField(null=True, blank=True)
    request_hours = models.PositiveSmallIntegerField(default=72)
    approval_hours = models.PositiveSmallIntegerField(default=24)

    def __str__(self) -> str:
        return f"Approvals of {self.connection}"  # untranslated: for developers

    @property
    def asks_for_nothing(self) -> bool:
        return not self.operations and self.job_rows is None and self.destructive_job_rows is None

    def limits(self) -> dict[str, Any]:
        """The rule as data, as forms, requests and the audit trail have it."""
        return {
            "operations": sorted(self.operations),
            "job_rows": self.job_rows,
            "destructive_job_rows": self.destructive_job_rows,
            "request_hours": self.request_hours,
            "approval_hours": self.approval_hours,
        }


class ConnectionCheck(models.Model):
    """Answers of the service when each family of operations was asked once.

    `run` is the check that may write here: one that was asked for later takes its place. `problem`
    is why nothing could be asked, `findings` are `portal.connections.services.checking.Finding`s.
    """

    connection = models.OneToOneField(
        Connection, on_delete=models.CASCADE, related_name="last_check"
    )
    run = models.CharField(max_length=32)
    asked_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    problem = models.TextField(blank=True)
    findings = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"check of {self.connection_id}"  # untranslated: for the log

    @property
    def is_interrupted(self) -> bool:
        return self.ended_at is None and self.asked_at < clock.now() - _LOST_AFTER

    @property
    def moves(self) -> bool:
        """Returns whether more of it is to come."""
        return self.ended_at is None and not self.is_interrupted
