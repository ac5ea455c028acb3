"""What can be begun with people and groups."""

from portal.contract.groups import Groups, ImGroups
from portal.contract.users import Users
from portal.ui.shortcuts import Shortcut

SHORTCUTS = (
    Shortcut("Add person", "user-plus", "people:create", Users.create, "user add new"),
    Shortcut("Import people", "file-up", "people:import", Users.create, "users upload table"),
    Shortcut("Create a group", "boxes", "groups:create", Groups.create, "add new"),
    Shortcut("Create an IM group", "boxes", "im-groups:create", ImGroups.create, "add new"),
)
