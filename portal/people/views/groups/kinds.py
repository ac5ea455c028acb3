"""Addresses of the pages of both kinds of groups."""

from django.urls import reverse

from portal.access.http import PortalRequest
from portal.people.services.group_types import GroupType


def group_url(request: PortalRequest, kind: GroupType, name: str, *more: str) -> str:
    """A page of groups of a kind; `more` begins with the group's id."""
    return reverse(f"{kind.slug}:{name}", args=[request.connection.key, *more])
