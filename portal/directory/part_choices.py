"""Choices of which a limited share is made."""

from portal.access.parts import PartChoices
from portal.access.scope import Scope
from portal.directory import groups, part, users
from portal.directory.models import GroupKind


def part_choices(scope: Scope) -> PartChoices:
    """The departments and the groups that the mirror knows."""
    return PartChoices(users.departments(scope), groups.choices(scope)[GroupKind.GROUP])


def group_count(scope: Scope) -> int:
    return part.groups(scope).filter(kind=GroupKind.GROUP).count()
