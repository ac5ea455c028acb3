"""Registration of the sessions app with the portal."""

from functools import partial

from portal.access.api import calls_made
from portal.access.scope import Scope
from portal.access.scope_rules import ScopeCount
from portal.contract.meetings import Meetings
from portal.contract.webinars import Webinars
from portal.directory.users import users_removed
from portal.domain.declaration import Domain
from portal.mirror import gaps
from portal.mirror.deliveries import event_received
from portal.mirror.loading import LoadedList
from portal.sessions.home import NEXT, POLICY, USED_UP, waiting
from portal.sessions.imports.registrants import RegisterPeopleJob
from portal.sessions.jobs.notifications import NotifyHostsJob
from portal.sessions.jobs.reading import READING, ReadSessionsJob
from portal.sessions.jobs.registering_again import RegisterAgainJob
from portal.sessions.jobs.registrant_decisions import DecideRegistrantsJob
from portal.sessions.jobs.remediation import RemediateSessionsJob
from portal.sessions.mirror import forget_sessions_of, listed, topic_of
from portal.sessions.person_tabs import PERSON_FIGURES, RECORDINGS
from portal.sessions.policy.remediations import OFFERED
from portal.sessions.receivers import EVENT_WORDS, handle_event, reread, update_lists
from portal.sessions.rereading import REREADS
from portal.sessions.scope_rules import RULES
from portal.sessions.services.losses import keep_registrations
from portal.translation import gettext_lazy
from portal.ui.navigation import OVERSIGHT, SESSIONS, NavigationEntry

_NEEDS = (Meetings.of_user,)


def _count(kind: str, scope: Scope) -> int:
    return listed(scope).filter(kind=kind).count()


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
    scope_counts=(
        ScopeCount(gettext_lazy("Meetings"), Meetings.of_user, partial(_count, "meetings")),
        ScopeCount(gettext_lazy("Webinars"), Webinars.of_user, partial(_count, "webinars")),
    ),
    loaded_lists=(
        LoadedList(
            READING,
            30,
            gettext_lazy("Meetings and webinars"),
            "meetings:list",
            (Meetings.of_user, Webinars.of_user),
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
    person_figures=PERSON_FIGURES,
    stored_words=EVENT_WORDS,
    receivers=(
        (event_received, handle_event),
        (calls_made, update_lists),
        (gaps.missed, reread),
        (users_removed, forget_sessions_of),
    ),
    undo_checks={
        Meetings.update.name: keep_registrations,
        Webinars.update.name: keep_registrations,
    },
    object_labels={
        family: partial(topic_of, family)
        for family in (Meetings.of_user.family, Webinars.of_user.family)
    },
    home=(
        USED_UP,
        POLICY,
    ),
    home_panels=(NEXT,),
    scope_rules=RULES,
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
