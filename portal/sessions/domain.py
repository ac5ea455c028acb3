"""What the sessions app registers with the portal."""

from portal.contract.meetings import Meetings
from portal.directory.users import users_removed
from portal.domain.declaration import Domain
from portal.mirror import gaps
from portal.mirror.deliveries import event_received
from portal.sessions.home import POLICY
from portal.sessions.jobs.notifications import NotifyHosts
from portal.sessions.jobs.reading import ReadSessions
from portal.sessions.jobs.registrant_decisions import DecideRegistrants
from portal.sessions.jobs.registrant_import import RegisterPeople
from portal.sessions.jobs.remediation import RemediateSessions
from portal.sessions.mirror import forget_sessions_of
from portal.sessions.person_tabs import RECORDINGS
from portal.sessions.rereading import REREADS
from portal.sessions.webhook_events import handle_event, reread
from portal.ui.navigation import SESSIONS, Entry

_NEEDS = (Meetings.of_user,)

DOMAIN = Domain(
    navigation=(
        Entry(SESSIONS, 10, "Calendar", "calendar-days", "sessions:calendar", needs=_NEEDS),
        Entry(SESSIONS, 40, "Compliance", "clipboard-check", "sessions:policy", needs=_NEEDS),
    ),
    job_types=(ReadSessions, DecideRegistrants, RegisterPeople, RemediateSessions, NotifyHosts),
    periodic_tasks={"sessions.keep_fresh": 300.0},
    work_queues=(REREADS,),
    person_tabs=(RECORDINGS,),
    receivers=(
        (event_received, handle_event),
        (gaps.missed, reread),
        (users_removed, forget_sessions_of),
    ),
    home=(POLICY,),
)
