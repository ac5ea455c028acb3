"""Sub accounts of the master account, with their plans, billing, settings and domains."""

from typing import Any

import orjson
from django.db import models

from portal.sandbox.clock import now
from portal.sandbox.identifiers import new_id, timestamp


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
