"""Past of the account: held sessions, calls, instant messages, and the rooms."""

from enum import IntFlag
from typing import Any

import orjson
from django.db import models
from django.db.models import Q

from portal.contract.users import LicenceType
from portal.sandbox.identifiers import new_id, new_uuid, timestamp
from portal.sandbox.models.people import User
from portal.sandbox.models.sessions import SessionKind


class Trait(IntFlag):
    """Features that a participant used, or that a session had."""

    DESKTOP = 1
    APPLICATION = 2
    WHITEBOARD = 4
    RECORDED = 8
    VIDEO = 16
    PHONE = 32
    DEVICE = 64
    BAD_NETWORK = 128
    COMPUTER_AUDIO = 256
    THIRD_PARTY_AUDIO = 512
    ASKED = 2048
    HOSTLESS = 4096

    SHARED = DESKTOP | APPLICATION | WHITEBOARD


class ConferenceRoom(models.Model):
    """A room with equipment; it is in use while a meeting runs in it."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    name = models.TextField(unique=True)
    is_online = models.BooleanField(default=True)
    last_start_time = models.DateTimeField(null=True)
    document = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.name


class Instance(models.Model):
    """One time that a meeting or a webinar was held; it runs while it has no end.

    The host is stored as of that time, and stays when the person leaves the account. `roster`
    contains the participants (see `portal.sandbox.history.roster`), `participants` the number of
    people among them, while it runs the number of those present. `ports` are the call-routing ports
    that it takes, `total_minutes` the minutes of all participants together, `polls` the questions
    put to them.
    """

    uuid = models.CharField(primary_key=True, max_length=32, default=new_uuid)
    fragment = models.TextField()
    number = models.BigIntegerField()
    kind = models.CharField(max_length=7, choices=SessionKind.choices)
    type = models.PositiveSmallIntegerField()
    topic = models.TextField(default="")
    host_id = models.CharField(max_length=32)
    host_name = models.TextField(default="")
    host_email = models.TextField(default="")
    host_dept = models.TextField(default="")
    licence = models.PositiveSmallIntegerField(default=LicenceType.BASIC.value)
    start_time = models.DateTimeField()
    end_time = models.DateTimeField(null=True)
    participants = models.PositiveIntegerField(default=0)
    total_minutes = models.PositiveIntegerField(default=0)
    traits = models.PositiveIntegerField(default=0)
    ports = models.PositiveSmallIntegerField(default=0)
    room = models.ForeignKey(ConferenceRoom, on_delete=models.SET_NULL, null=True)
    tracking_fields = models.JSONField(default=list)
    polls = models.JSONField(default=list)
    roster = models.TextField(default="[]")

    class Meta:
        indexes = [
            models.Index(
                fields=["kind", "start_time", "end_time", "participants"],
                name="sandbox_instance_listed",
            ),
            models.Index(
                fields=["start_time", "host_id", "participants", "total_minutes"],
                condition=Q(end_time__isnull=False),
                name="sandbox_instance_reported",
            ),
            models.Index(fields=["number", "start_time"], name="sandbox_instance_number"),
            models.Index(fields=["host_id", "start_time"], name="sandbox_instance_host"),
            models.Index(
                fields=["kind", "end_time", "start_time"],
                condition=Q(end_time__isnull=True),
                name="sandbox_instance_live",
            ),
            models.Index(
                fields=["start_time"], condition=Q(ports__gt=0), name="sandbox_instance_ports"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.start_time}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.prepare()
        super().save(*args, **kwargs)

    @property
    def minutes(self) -> int | None:
        """Returns the duration in minutes, begun ones counted whole; None while it runs."""
        if self.end_time is None:
            return None
        return -(-int((self.end_time - self.start_time).total_seconds()) // 60)

    def prepare(self) -> None:
        """Derives the columns of dashboards; callers of `bulk_create` call it themselves."""
        data = {
            "uuid": self.uuid,
            "id": self.number,
            "topic": self.topic,
            "host": self.host_name,
            "email": self.host_email,
            "user_type": LicenceType(self.licence).label,
            "start_time": timestamp(self.start_time),
            "participants": self.participants,
            "has_pstn": bool(self.traits & Trait.PHONE),
            "has_voip": bool(self.traits & Trait.COMPUTER_AUDIO),
            "has_3rd_party_audio": bool(self.traits & Trait.THIRD_PARTY_AUDIO),
            "has_video": bool(self.traits & Trait.VIDEO),
            "has_screen_share": bool(self.traits & Trait.SHARED),
            "has_recording": bool(self.traits & Trait.RECORDED),
            "has_sip": bool(self.traits & Trait.DEVICE),
        }
        if self.end_time is not None:
            seconds = int((self.end_time - self.start_time).total_seconds())
            data["end_time"] = timestamp(self.end_time)
            data["duration"] = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        self.fragment = orjson.dumps(data).decode()


class TelephoneCall(models.Model):
    """A toll-free call into a session, or out of one."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="calls")
    fragment = models.TextField()
    start_time = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"Call into {self.instance_id}"


class ImHabit(models.Model):
    """The amount of messages of a person; those of a day are derived from `seed` and the day."""

    user = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="im_habit"
    )
    seed = models.BigIntegerField()
    pace = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"Instant messages of {self.user_id}"


class ChatSession(models.Model):
    """A conversation of two people, or of a group."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    name = models.TextField()
    type = models.CharField(max_length=8)

    def __str__(self) -> str:
        return self.name


class ChatMessage(models.Model):
    """A message; `action` is the later change or deletion."""

    session = models.ForeignKey(ChatSession, on_delete=models.CASCADE, related_name="messages")
    sender = models.TextField()
    message = models.TextField()
    sent_at = models.DateTimeField()
    action = models.CharField(max_length=8, default="")
    action_time = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["session", "sent_at"], name="sandbox_message_listed")]

    def __str__(self) -> str:
        return f"Message of {self.sender}"


class Simulation(models.Model):
    """The lease of the process that moves the account, and its end."""

    holder = models.CharField(max_length=32, default="")
    until = models.FloatField(default=0)

    def __str__(self) -> str:
        return f"Simulation by {self.holder}"
