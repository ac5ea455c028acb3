"""Registration of the directory app with the portal."""

from portal.access.parts import PartCount
from portal.contract.groups import Groups, ImGroups
from portal.contract.users import Users
from portal.directory.groups import GROUPS, name_of
from portal.directory.part import people
from portal.directory.part_choices import group_count, part_choices
from portal.directory.part_rules import REFUSALS, RULES
from portal.directory.users import USERS, email_of, person_called
from portal.domain.declaration import Domain
from portal.mirror.loading import LoadedList
from portal.translation import gettext_lazy

DOMAIN = Domain(
    mirrored_lists=(USERS, GROUPS),
    loaded_lists=(
        LoadedList(USERS, 10, gettext_lazy("People"), "people:list", (Users.list,)),
        LoadedList(GROUPS, 20, gettext_lazy("Groups"), "groups:list", (Groups.list, ImGroups.list)),
    ),
    part_rules=RULES,
    stored_words=REFUSALS,
    part_choices=(part_choices,),
    part_counts=(
        PartCount(gettext_lazy("People"), Users.list, lambda scope: people(scope).count()),
        PartCount(gettext_lazy("Groups"), Groups.list, group_count),
    ),
    object_labels={
        Users.list.family: email_of,
        Groups.list.family: name_of,
        ImGroups.list.family: name_of,
    },
    object_names={Users.list.family: person_called},
)
