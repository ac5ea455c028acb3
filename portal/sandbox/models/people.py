"""People on the account, and their groups.

Each row stores its list entry as JSON text (`fragment`), so that a page of 300 is one query and one
join of strings.
"""

from typing import Any

import orjson
from django.db import models

from portal.contract.sign_in import LoginType
from portal.contract.users import LicenceType, UserStatus
from portal.sandbox.clock import now
from portal.sandbox.identifiers import new_host_key, new_id, new_personal_meeting_id, timestamp


class Role(models.TextChoices):
    OWNER = "owner"
    ADMINISTRATOR = "administrator"
    MEMBER = "member"


class User(models.Model):
    """A person; `email_key` and `vanity_key` are unique, in lower case."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    fragment = models.TextField()
    status = models.CharField(max_length=8, default=UserStatus.ACTIVE.value)
    email = models.TextField()
    email_key = models.TextField(unique=True)
    first_name = models.TextField(default="")
    last_name = models.TextField(default="")
    type = models.PositiveSmallIntegerField(default=LicenceType.BASIC.value)
    role = models.CharField(max_length=13, choices=Role.choices, default=Role.MEMBER)
    login_type = models.CharField(max_length=3, default=LoginType.SERVICE.value)
    dept = models.TextField(default="")
    timezone = models.TextField(default="")
    language = models.TextField(default="en-US")
    pmi = models.CharField(max_length=10, unique=True, default=new_personal_meeting_id)
    use_pmi = models.BooleanField(default=False)
    vanity_name = models.TextField(default="")
    vanity_key = models.TextField(unique=True, null=True)  # noqa: DJ001 - none is not a name
    host_key = models.CharField(max_length=6, default=new_host_key)
    cms_user_id = models.TextField(default="")
    last_client_version = models.TextField(default="")
    created_at = models.DateTimeField(default=now)
    last_login_time = models.DateTimeField(null=True)
    tokens_revoked_at = models.DateTimeField(null=True)
    assistants = models.ManyToManyField("self", symmetrical=False, related_name="schedulers")

    class Meta:
        indexes = [models.Index(fields=["status", "id"], name="sandbox_user_listed")]

    def __str__(self) -> str:
        return self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.prepare(*self.memberships())
        super().save(*args, **kwargs)

    def memberships(self) -> tuple[list[str], list[str]]:
        """Returns the ids of the person's groups and IM groups."""
        if self._state.adding:
            return [], []
        return (
            list(self.groups.order_by("id").values_list("id", flat=True)),
            list(self.im_groups.order_by("id").values_list("id", flat=True)),
        )

    def prepare(self, group_ids: list[str], im_group_ids: list[str]) -> None:
        """Derives the stored columns from the fields; callers of `bulk_create` call it
        themselves."""
        self.email_key = self.email.lower()
        self.vanity_key = self.vanity_name.lower() or None
        self.fragment = orjson.dumps(self.summary(group_ids, im_group_ids)).decode()

    def summary(self, group_ids: list[str], im_group_ids: list[str]) -> dict[str, Any]:
        """Returns the person as lists contain them, without empty times."""
        data = {
            "id": self.id,
            "first_name": self.first_name,
            "last_name": self.last_name,
            "email": self.email,
            "type": self.type,
            "pmi": self.pmi,
            "timezone": self.timezone,
            "dept": self.dept,
            "created_at": timestamp(self.created_at),
            "last_login_time": timestamp(self.last_login_time),
            "last_client_version": self.last_client_version,
            "group_ids": group_ids,
            "im_group_ids": im_group_ids,
        }
        return {name: value for name, value in data.items() if value is not None}


class PersonalSettings(models.Model):
    """Differences of a person's settings from those that their licence gives, as JSON."""

    user = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="settings"
    )
    document = models.TextField(default="{}")

    def __str__(self) -> str:
        return f"Settings of {self.user_id}"


class Picture(models.Model):
    """A profile picture; its key is the last part of its address, a new one for a new picture."""

    user = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="picture"
    )
    key = models.CharField(max_length=32, unique=True, default=new_id)
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"Picture of {self.user_id}"


class _NamedGroup(models.Model):
    """A group whose name is unique without regard to case."""

    id = models.CharField(primary_key=True, max_length=32, default=new_id)
    name = models.TextField()
    name_key = models.TextField(unique=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name


class Group(_NamedGroup):
    members = models.ManyToManyField(User, related_name="groups")


class ImGroup(_NamedGroup):
    type = models.CharField(max_length=10, default="normal")
    search_by_account = models.BooleanField(default=False)
    search_by_domain = models.BooleanField(default=False)
    search_by_ma_account = models.BooleanField(default=False)
    members = models.ManyToManyField(User, related_name="im_groups")
