"""The date on which the account lives."""

from datetime import timedelta

from django.db import models


class AccountClock(models.Model):
    """It was `account_at` on the account while the machine's clock said `machine_at`.

    There is one row at most; without it the account lives when the machine does.
    """

    account_at = models.DateTimeField()
    machine_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.account_at:%Y-%m-%dT%H:%M:%SZ}"

    @property
    def ahead(self) -> timedelta:
        return self.account_at - self.machine_at
