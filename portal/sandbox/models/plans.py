"""Contents of a meeting or a webinar: its occurrences, people and polls."""

from datetime import datetime
from typing import Any

from django.db import models

from portal.contract.polls import PollStatus
from portal.sandbox.clock import now
from portal.sandbox.identifiers import new_id
from portal.sandbox.models.sessions import Session


class Occurrence(models.Model):
    """One time that a recurring session takes place; `number` is its id in the interface."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="occurrences")
    number = models.BigIntegerField()
    start_time = models.DateTimeField()
    duration = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="sandbox_occurrence_number")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} at {self.start_time}"

    @classmethod
    def at(cls, session: Session, start_time: datetime) -> "Occurrence":
        """Returns the occurrence at a start; its number is the start in milliseconds since 1970."""
        return cls(
            session=session,
            number=int(start_time.timestamp()) * 1000,
            start_time=start_time,
            duration=session.duration or 0,
        )


class Registrant(models.Model):
    """A person who registered; `document` contains the fields of the registration form."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="registrants")
    email_key = models.TextField()
    document = models.JSONField()
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "email_key"], name="sandbox_registrant_email"
            )
        ]

    def __str__(self) -> str:
        return f"{self.email_key} at {self.session_id}"


class Registration(models.Model):
    """The state of a registrant; without an occurrence it is for all of them."""

    registrant = models.ForeignKey(
        Registrant, on_delete=models.CASCADE, related_name="registrations"
    )
    occurrence = models.ForeignKey(
        Occurrence, on_delete=models.CASCADE, null=True, related_name="registrations"
    )
    status = models.CharField(max_length=8)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["registrant", "occurrence"], name="sandbox_registration_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.registrant_id}: {self.status}"


class Poll(models.Model):
    """A poll; `document` contains the title and the questions, as they were sent."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="polls")
    document = models.JSONField(default=dict)
    status = models.CharField(max_length=8, default=PollStatus.NOT_STARTED.value)
    created_at = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return f"Poll {self.id} of {self.session_id}"

    def as_document(self) -> dict[str, Any]:
        return {"id": self.id, "status": self.status, **self.document}


class Panelist(models.Model):
    """A panelist of a webinar; they are numbered."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="panelists")
    email = models.TextField()
    email_key = models.TextField()
    name = models.TextField(default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "email_key"], name="sandbox_panelist_email")
        ]

    def __str__(self) -> str:
        return f"{self.email} at {self.session_id}"
