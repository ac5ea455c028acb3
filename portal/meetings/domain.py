"""What the meetings app registers with the portal."""

from portal.contract.meetings import Meetings
from portal.domain.declaration import Domain
from portal.meetings.jobs import ImportMeetings
from portal.meetings.spec import MEETINGS
from portal.sessions.person_tabs import hosted_tab
from portal.sessions.searching import searching
from portal.ui.navigation import SESSIONS, Entry
from portal.ui.shortcuts import Shortcut

DOMAIN = Domain(
    navigation=(
        Entry(SESSIONS, 20, "Meetings", "video", "meetings:list", needs=(Meetings.of_user,)),
    ),
    shortcuts=(
        Shortcut(
            "Schedule a meeting", "video", "meetings:create", Meetings.create, "create add new"
        ),
    ),
    job_types=(ImportMeetings,),
    person_tabs=(hosted_tab(MEETINGS, place=10),),
    searches=(searching(MEETINGS),),
)
