"""The date of the account."""

from datetime import timedelta

from django.db import models


class AccountClock(models.Model):
    """The account's time `account_at` at the machine's time `machine_at`.

    There is one row at most; without it both clocks are the same.
    """

    account_at = models.DateTimeField()
    machine_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.account_at:%Y-%m-%dT%H:%M:%SZ}"

    @property
    def ahead(self) -> timedelta:
        return self.account_at - self.machine_at
