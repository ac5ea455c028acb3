"""What jobs do to people: one kind in each module."""

from portal.jobs.kinds import Kind
from portal.people.jobs.group_change import JoinGroup, JoinImGroup, LeaveGroup
from portal.people.jobs.people_import import PeopleImport
from portal.people.jobs.profile_change import ProfileChange
from portal.people.jobs.removal import RemovalOfChosen
from portal.people.jobs.settings_change import SettingsChange
from portal.people.jobs.status_change import StatusOfChosen

KINDS: tuple[type[Kind], ...] = (
    PeopleImport,
    ProfileChange,
    StatusOfChosen,
    JoinGroup,
    JoinImGroup,
    LeaveGroup,
    SettingsChange,
    RemovalOfChosen,
)
