"""Registration of the people app with the portal."""

from portal.access.api import calls_made
from portal.contract.groups import Groups, ImGroups
from portal.contract.users import Users
from portal.domain.declaration import Domain
from portal.mirror.search import Shortcut
from portal.people.home import IDLE, LICENCES, unused_by_leavers
from portal.people.home_tiles import LICENCES_IN_USE, PEOPLE_COLUMN
from portal.people.home_tiles import PEOPLE as PEOPLE_COUNT
from portal.people.jobs.group_change import JoinGroupJob, JoinImGroupJob, LeaveGroupJob
from portal.people.jobs.group_move import MoveGroupJob
from portal.people.jobs.holdings import HOLDINGS
from portal.people.jobs.offboarding import OffboardPeopleJob
from portal.people.jobs.onboarding import OnboardPeopleJob
from portal.people.jobs.people_import import PeopleImportJob
from portal.people.jobs.profile_change import ProfileChangeJob
from portal.people.jobs.reclaim import ReclaimLicencesJob
from portal.people.jobs.removal import RemovePeopleJob
from portal.people.jobs.settings_change import SettingsChangeJob
from portal.people.jobs.status_change import ChangeStatusOfPeopleJob
from portal.people.jobs.steps import STEPS
from portal.people.list_updates import update_lists
from portal.people.person_figures import PERSON_FIGURES
from portal.people.sample import SAMPLES
from portal.people.searching import find_groups, find_people
from portal.translation import gettext_lazy
from portal.ui.navigation import PEOPLE, NavigationEntry

DOMAIN = Domain(
    person_figures=PERSON_FIGURES,
    navigation=(
        NavigationEntry(
            PEOPLE, 10, gettext_lazy("People"), "users", "people:list", needs=(Users.list,)
        ),
        NavigationEntry(
            PEOPLE,
            30,
            gettext_lazy("Licences"),
            "badge-check",
            "people:licences",
            needs=(Users.list,),
            count=unused_by_leavers,
        ),
        NavigationEntry(
            PEOPLE,
            20,
            gettext_lazy("Groups"),
            "boxes",
            "groups:list",
            needs=(Groups.list, ImGroups.list),
        ),
    ),
    shortcuts=(
        Shortcut(
            gettext_lazy("Add person"),
            "user-plus",
            "people:create",
            Users.create,
            gettext_lazy("user add new"),
        ),
        Shortcut(
            gettext_lazy("Import people"),
            "file-up",
            "people:import",
            Users.create,
            gettext_lazy("users upload table"),
        ),
        Shortcut(
            gettext_lazy("Add group"),
            "boxes",
            "groups:create",
            Groups.create,
            gettext_lazy("add new"),
        ),
        Shortcut(
            gettext_lazy("Add IM group"),
            "boxes",
            "im-groups:create",
            ImGroups.create,
            gettext_lazy("add new"),
        ),
    ),
    job_types=(
        PeopleImportJob,
        ProfileChangeJob,
        ChangeStatusOfPeopleJob,
        JoinGroupJob,
        JoinImGroupJob,
        LeaveGroupJob,
        MoveGroupJob,
        SettingsChangeJob,
        RemovePeopleJob,
        OffboardPeopleJob,
        ReclaimLicencesJob,
        OnboardPeopleJob,
    ),
    searches=(find_people, find_groups),
    receivers=((calls_made, update_lists),),
    periodic_tasks={"people.count_seats": 3600.0},
    home=(LICENCES, IDLE),
    home_tiles=(PEOPLE_COUNT, LICENCES_IN_USE),
    home_columns=(PEOPLE_COLUMN,),
    holdings=HOLDINGS,
    steps=STEPS,
    part_pages=("people", "groups", "im-groups"),
    samples=SAMPLES,
)
