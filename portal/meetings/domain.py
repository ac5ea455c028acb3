"""Registration of the meetings app with the portal."""

from portal.contract.meetings import Meetings
from portal.domain.declaration import Domain
from portal.meetings.jobs import ImportMeetingsJob
from portal.meetings.spec import MEETINGS
from portal.mirror.search import Shortcut
from portal.sessions.approval_losses import RegistrationLossFinder
from portal.sessions.leaving import DeleteMeetingStep, HostedSessions
from portal.sessions.person_tabs import hosted_tab
from portal.sessions.searching import searching
from portal.translation import gettext_lazy
from portal.ui.navigation import SESSIONS, NavigationEntry

DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            SESSIONS,
            20,
            gettext_lazy("Meetings"),
            "video",
            "meetings:list",
            needs=(Meetings.of_user,),
        ),
    ),
    shortcuts=(
        Shortcut(
            gettext_lazy("Schedule meeting"),
            "video",
            "meetings:create",
            Meetings.create,
            gettext_lazy("create add new"),
        ),
    ),
    job_types=(ImportMeetingsJob,),
    person_tabs=(hosted_tab(MEETINGS, place=10),),
    searches=(searching(MEETINGS),),
    holdings=(HostedSessions(MEETINGS, place=10),),
    steps=(DeleteMeetingStep(),),
    losses={
        one.name: RegistrationLossFinder(MEETINGS) for one in (Meetings.update, Meetings.delete)
    },
    part_pages=("meetings",),
)
