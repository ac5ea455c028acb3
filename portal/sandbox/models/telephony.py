"""Telephone conferencing accounts of people."""

from django.db import models

from portal.sandbox.models.people import User


class TspAccount(models.Model):
    """An account with a telephony service provider; its index counts from 1 for each person."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tsp_accounts")
    index = models.PositiveIntegerField()
    conference_code = models.CharField(max_length=16)
    leader_pin = models.CharField(max_length=16)
    dial_in_numbers = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "index"], name="sandbox_tsp_account_index")
        ]

    def __str__(self) -> str:
        return f"TSP account {self.index} of {self.user_id}"


class PacAccount(models.Model):
    """A personal audio conference as the interface returns it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="pac_accounts")
    document = models.JSONField()

    def __str__(self) -> str:
        return f"PAC account of {self.user_id}"
