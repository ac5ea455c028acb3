"""Objects of the whole account: devices, its telephone provider and tracking fields."""

from django.db import models

from portal.sandbox.identifiers import new_id


class Device(models.Model):
    """A room device that meetings can call."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    name = models.TextField()
    ip = models.TextField()
    protocol = models.CharField(max_length=5)
    encryption = models.CharField(max_length=4)

    def __str__(self) -> str:
        return self.name


class Provider(models.Model):
    """The account's telephony service provider; there is one row at most."""

    enable = models.BooleanField(default=False)
    tsp_provider = models.TextField(default="")
    dial_in_numbers = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.tsp_provider


class TrackingField(models.Model):
    """A field to fill in when a meeting is scheduled; `name_key` is its name in lower case."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    field = models.TextField()
    name_key = models.TextField(unique=True)
    required = models.BooleanField(default=False)
    visible = models.BooleanField(default=True)
    recommended_values = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.field
