"""Groups of people, and groups of the instant-messaging directory."""

from django.db import models

from portal.sandbox.identifiers import new_id
from portal.sandbox.models.people import User


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
