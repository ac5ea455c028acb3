"""Roles that administrators define, beside those of `portal.access.roles.Role`."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.crypto import get_random_string

from portal.access.roles import CUSTOM, EXPLANATIONS, Role, is_custom, keys_of, read_rights_by
from portal.config import clock
from portal.translation import gettext as _

_KEY_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_key() -> str:
    return CUSTOM + get_random_string(8, _KEY_LETTERS)


class CustomRoleQuerySet(models.QuerySet["CustomRole"]):
    def current(self) -> "CustomRoleQuerySet":
        """Returns the roles that can be given; the others are deleted."""
        return self.filter(deleted_at=None)


class CustomRole(models.Model):
    """A defined role. Users and shares have its `key` as their role.

    `grants` are the effects, in words, by families of operations; what no defined role can have
    counts for nothing. `version` is another after each change, and `narrowed_at` is when something
    was last taken from it. The row of a deleted role stays: the trail names it.
    """

    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    name = models.CharField(max_length=60)
    description = models.CharField(max_length=200, blank=True)
    grants = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_constraint=False
    )
    created_at = clock.StampField(auto_now_add=True)
    changed_at = models.DateTimeField(null=True)
    narrowed_at = models.DateTimeField(null=True)
    deleted_at = models.DateTimeField(null=True)

    objects = CustomRoleQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


def _stored_grants(key: str) -> dict[str, list[str]] | None:
    stored: Any = CustomRole.objects.current().filter(key=key).values_list("grants", flat=True)
    grants = stored.first()
    return grants if isinstance(grants, dict) else None


read_rights_by(_stored_grants)


def label_of(role: str) -> str:
    """Returns the name of a role as pages have it."""
    if role in Role.values:
        return str(Role(role).label)
    labels = [_label_of_one(key) for key in keys_of(role)]
    if len(labels) > 1:
        *first, last = labels
        return _("%(roles)s, limited by %(last)s") % {"roles": ", ".join(first), "last": last}
    return labels[0] if labels else _("No role")


def explanation_of(role: str) -> str:
    """Returns what the role may do, in a sentence; of a defined one its description."""
    if role in Role.values:
        return str(EXPLANATIONS[Role(role)])
    keys = keys_of(role)
    if len(keys) != 1:
        return ""
    descriptions = CustomRole.objects.filter(key=keys[0]).values_list("description", flat=True)
    return descriptions.first() or ""


def every_role() -> list[str]:
    """Returns the built-in roles, then the defined ones by name."""
    keys = CustomRole.objects.current().values_list("key", flat=True)
    return [*Role.values, *keys]


def is_role(role: str) -> bool:
    """Returns whether the role can be given; within a transaction it cannot be deleted until that
    has ended."""
    if role in Role.values:
        return True
    return CustomRole.objects.current().select_for_update().filter(key=role).exists()


def _label_of_one(role: str) -> str:
    if not is_custom(role):
        return str(Role(role).label) if role in Role.values else role
    names = CustomRole.objects.filter(key=role).values_list("name", flat=True)
    return names.first() or _("A role that does not exist")
