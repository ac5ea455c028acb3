"""What the people app registers with the portal."""

from portal.contract.groups import Groups, ImGroups
from portal.contract.users import Users
from portal.domain.declaration import Domain
from portal.people.home import LICENCES
from portal.people.jobs.group_change import JoinGroup, JoinImGroup, LeaveGroup
from portal.people.jobs.people_import import PeopleImport
from portal.people.jobs.profile_change import ProfileChange
from portal.people.jobs.removal import RemovePeople
from portal.people.jobs.settings_change import SettingsChange
from portal.people.jobs.status_change import ChangeStatusOfPeople
from portal.people.searching import find_groups, find_people
from portal.ui.navigation import PEOPLE, Entry
from portal.ui.shortcuts import Shortcut

DOMAIN = Domain(
    navigation=(
        Entry(PEOPLE, 10, "People", "users", "people:list", needs=(Users.list,)),
        Entry(PEOPLE, 20, "Groups", "boxes", "groups:list", needs=(Groups.list, ImGroups.list)),
    ),
    shortcuts=(
        Shortcut("Add person", "user-plus", "people:create", Users.create, "user add new"),
        Shortcut("Import people", "file-up", "people:import", Users.create, "users upload table"),
        Shortcut("Create a group", "boxes", "groups:create", Groups.create, "add new"),
        Shortcut("Create an IM group", "boxes", "im-groups:create", ImGroups.create, "add new"),
    ),
    job_types=(
        PeopleImport,
        ProfileChange,
        ChangeStatusOfPeople,
        JoinGroup,
        JoinImGroup,
        LeaveGroup,
        SettingsChange,
        RemovePeople,
    ),
    searches=(find_people, find_groups),
    home=(LICENCES,),
)
