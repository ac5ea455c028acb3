"""Sub accounts, devices, telephony and tracking fields."""

from typing import Any

import orjson
from django.db import models

from portal.sandbox.clock import now
from portal.sandbox.identifiers import new_id, timestamp
from portal.sandbox.models.people import User


class SubAccount(models.Model):
    """`owner_key` is the owner's email in lower case; the JSON is as the interface reports it."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    fragment = models.TextField()
    name = models.TextField()
    owner_id = models.CharField(max_length=32, default=new_id)
    owner_email = models.TextField()
    owner_key = models.TextField(unique=True)
    vanity_url = models.TextField(default="")
    created_at = models.DateTimeField(default=now)
    subscribed_from = models.DateTimeField(null=True)
    subscribed_until = models.DateTimeField(null=True)
    options = models.JSONField(default=dict)
    settings = models.JSONField(default=dict)
    contact = models.JSONField(default=dict)
    plans = models.JSONField(default=dict)
    domains = models.JSONField(default=list)

    class Meta:
        indexes = [models.Index(fields=["name", "id"], name="sandbox_account_listed")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.prepare()
        super().save(*args, **kwargs)

    def prepare(self) -> None:
        """Derives the stored columns from the fields; callers of `bulk_create` call it themselves.

        The base plan determines the kind and the size of an account; an account without one is
        free.
        """
        base = self.plans.get("plan_base") or {}
        self.owner_key = self.owner_email.lower()
        data = {
            "id": self.id,
            "account_name": self.name,
            "owner_email": self.owner_email,
            "account_type": base.get("type") or "Basic",
            "seats": base.get("hosts") or 1,
            "subscription_start_time": timestamp(self.subscribed_from),
            "subscription_end_time": timestamp(self.subscribed_until),
            "created_at": timestamp(self.created_at),
        }
        kept = {name: value for name, value in data.items() if value is not None}
        self.fragment = orjson.dumps(kept).decode()


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
