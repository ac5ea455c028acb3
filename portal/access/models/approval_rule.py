"""Rules for the approval of another administrator, by connection."""

from typing import Any

from django.db import models

from portal.access.models.connection import Connection


class ApprovalRule(models.Model):
    """The rule of one connection; without one, nothing waits.

    `operations` are names of operations each call of which waits. A job waits that calls one of
    them, that has more than `job_rows` rows, or that has more than `destructive_job_rows` and does
    what has no way back; None is no limit. A request waits for `request_hours`, and what was
    approved is carried out within `approval_hours` or not at all.
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
