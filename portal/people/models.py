"""What is kept about people that the service does not report."""

from django.db import models

from portal.access.models import Connection
from portal.contract.users import LicenceType


class StatedSeats(models.Model):
    """How many licences of a type an account has, as an administrator said."""

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="seats")
    licence = models.PositiveSmallIntegerField(
        choices=[(kind.value, kind.label) for kind in LicenceType]
    )
    seats = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "licence"], name="seats_stated_once")
        ]

    def __str__(self) -> str:
        return f"{self.seats} of {self.licence} on {self.connection}"
