"""Registration of what sessions of all kinds have with the portal.

The apps of the kinds are installed before this one, so that they are registered by now.
"""

from portal.connections.api import call_made
from portal.directory.users import users_removed
from portal.domain.declaration import Domain
from portal.mirror.loading import LoadedList
from portal.sessions.home import NEXT, POLICY, USED_UP, waiting
from portal.sessions.imports.registrants import RegisterPeopleJob
from portal.sessions.jobs.notifications import NotifyHostsJob
from portal.sessions.jobs.reading import READING, ReadSessionsJob
from portal.sessions.jobs.registering_again import RegisterAgainJob
from portal.sessions.jobs.registrant_decisions import DecideRegistrantsJob
from portal.sessions.jobs.remediation import RemediateSessionsJob
from portal.sessions.kinds import HEADING, all_kinds, first_kind
from portal.sessions.mirror import forget_sessions_of
from portal.sessions.person_aspects import ASPECTS
from portal.sessions.person_tabs import RECORDINGS
from portal.sessions.policy.remediations import OFFERED
from portal.sessions.receivers import EVENT_WORDS, handle_event, reread, update_lists
from portal.sessions.rereading import REREADS
from portal.translation import gettext_lazy
from portal.ui.navigation import OVERSIGHT, SESSIONS, NavigationEntry
from portal.webhooks import gaps
from portal.webhooks.deliveries import event_received

_NEEDS = (first_kind().of_user,)

DOMAIN = Domain(
    navigation=(
        NavigationEntry(
            SESSIONS,
            10,
            gettext_lazy("Calendar"),
            "calendar-days",
            "sessions:calendar",
            needs=_NEEDS,
        ),
        NavigationEntry(
            OVERSIGHT,
            10,
            gettext_lazy("Compliance"),
            "clipboard-check",
            "sessions:policy",
            needs=_NEEDS,
            count=waiting,
        ),
    ),
    loaded_lists=(
        LoadedList(
            READING,
            30,
            HEADING,
            f"{first_kind().family}:list",
            tuple(spec.of_user for spec in all_kinds()),
        ),
    ),
    job_types=(
        ReadSessionsJob,
        DecideRegistrantsJob,
        RegisterPeopleJob,
        RegisterAgainJob,
        RemediateSessionsJob,
        NotifyHostsJob,
    ),
    work_queues=(REREADS,),
    person_tabs=(RECORDINGS,),
    aspects=ASPECTS,
    stored_words=EVENT_WORDS,
    receivers=(
        (event_received, handle_event),
        (call_made, update_lists),
        (gaps.missed, reread),
        (users_removed, forget_sessions_of),
    ),
    home=(USED_UP, POLICY, NEXT),
    limited_pages=(
        "sessions:calendar",
        "sessions:calendar-freshness",
        "sessions:calendar-refresh",
        "sessions:policy",
        "sessions:policy-freshness",
        "sessions:policy-refresh",
        *(f"sessions:policy-{each.name}" for each in OFFERED),
    ),
)
