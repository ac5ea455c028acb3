"""Which roles need a second factor, as administrators chose it."""

from django.db import models

from portal.access.roles import Role
from portal.translation import gettext_lazy


class SecondFactorRule(models.Model):
    """A role whose people need a second factor from this moment on."""

    role = models.CharField(
        gettext_lazy("role"), max_length=16, choices=Role.choices, primary_key=True
    )
    since = models.DateTimeField(gettext_lazy("required from"))

    def __str__(self) -> str:
        return f"{self.role} from {self.since:%Y-%m-%d}"
