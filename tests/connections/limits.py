"""Limits that a share gets while its colleague is at work."""

from collections.abc import Callable

from portal.access.models import Share
from portal.access.roles import Role
from tests.access.planted import PlantedPerson

Limit = Callable[[Share, PlantedPerson], None]


def to_the_department(share: Share, inside: PlantedPerson) -> None:
    share.departments = [inside.document["dept"]]


def to_the_group(share: Share, inside: PlantedPerson) -> None:
    share.groups = [inside.group]


def to_a_department_as_viewer(share: Share, inside: PlantedPerson) -> None:
    to_the_department(share, inside)
    share.role = Role.VIEWER


def to_meetings_of_the_department(share: Share, inside: PlantedPerson) -> None:
    to_the_department(share, inside)
    share.families = ["meetings"]


def to_a_viewer(share: Share, _inside: PlantedPerson) -> None:
    share.role = Role.VIEWER


def changed(share: Share, limit: Limit, inside: PlantedPerson) -> None:
    limit(share, inside)
    share.save()
