"""Tokens that the token endpoint has issued."""

from django.db import models


class IssuedToken(models.Model):
    """A bearer token and the moment of its end, by the clock of the machine."""

    value = models.CharField(max_length=80, unique=True)
    ends_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"until {self.ends_at:%H:%M:%S}"
