"""What a part of the people can be made of."""

from portal.access.models import Connection
from portal.access.parts import PartChoices
from portal.directory import groups, users
from portal.directory.models import GroupKind


def part_choices(connection: Connection) -> PartChoices:
    """The departments and the groups that the mirror knows."""
    return PartChoices(users.departments(connection), groups.choices(connection)[GroupKind.GROUP])
