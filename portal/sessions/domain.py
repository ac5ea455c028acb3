"""Registration of meetings and webinars with the portal."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from portal.access.api import call_made
from portal.access.scope import Limit, Outside, Scope, ScopeCount, ScopeRule
from portal.client import NotFound
from portal.contract.meetings import Meetings
from portal.contract.operation import AnyOperation, Call, Caller
from portal.contract.past_sessions import PastMeetings, PastWebinars
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.webinars import Panelists, Webinars
from portal.directory.scope_rules import OUTSIDE, by_person, require_named, require_within
from portal.directory.users import users_removed
from portal.domain.declaration import Domain
from portal.mirror import gaps
from portal.mirror.deliveries import event_received
from portal.mirror.loading import LoadedList
from portal.mirror.search import Shortcut
from portal.sessions.approval_losses import RegistrationLossFinder
from portal.sessions.home import NEXT, POLICY, USED_UP, waiting
from portal.sessions.imports.registrants import RegisterPeopleJob
from portal.sessions.jobs.notifications import NotifyHostsJob
from portal.sessions.jobs.reading import READING, ReadSessionsJob
from portal.sessions.jobs.registering_again import RegisterAgainJob
from portal.sessions.jobs.registrant_decisions import DecideRegistrantsJob
from portal.sessions.jobs.remediation import RemediateSessionsJob
from portal.sessions.jobs.session_import import ImportMeetingsJob, ImportWebinarsJob
from portal.sessions.kinds import KINDS
from portal.sessions.mirror import forget_sessions_of, host_of, listed, topic_of
from portal.sessions.models import SessionKind
from portal.sessions.offboarding import DeleteMeetingStep, DeleteWebinarStep, HostedSessions
from portal.sessions.person_tabs import PERSON_FIGURES, RECORDINGS, hosted_tab
from portal.sessions.policy.remediations import OFFERED
from portal.sessions.receivers import EVENT_WORDS, handle_event, reread, update_lists
from portal.sessions.rereading import REREADS
from portal.sessions.search import searching
from portal.sessions.services.losses import leave_registrations
from portal.translation import gettext_lazy
from portal.ui.navigation import OVERSIGHT, SESSIONS, NavigationEntry

_NEEDS = (Meetings.of_user,)
_SCHEDULE = gettext_lazy("create add new")  # other words for it in the search


def _count(kind: str, scope: Scope) -> int:
    return listed(scope).filter(kind=kind).count()


# Participants of a session of the scope, such as its registrants, belong to it.
def hosts_named(plan: object) -> Iterator[str | None]:
    """Yields the people that the plan of a session makes its host or an alternative host."""
    yield getattr(plan, "schedule_for", None)
    others = getattr(getattr(plan, "settings", None), "alternative_hosts", None) or ""
    yield from (one.strip() for one in others.replace(",", ";").split(";"))


def _of_session(kind: SessionKind, scope: Scope, call: Call[object], caller: Caller) -> None:
    number = str(call.ids[0])
    host = host_of(scope.connection, kind, number)
    require_within(call, scope, host or _read_host(kind, call, caller, number))


def _read_host(kind: SessionKind, call: Call[object], caller: Caller, number: str) -> str:
    """The host of a session that the mirror does not know; of a meeting that is over, by what the
    service keeps of it."""
    readings: list[AnyOperation] = (
        [Meetings.get, PastMeetings.get] if kind is SessionKind.MEETING else [Webinars.get]
    )
    for reading in readings:
        try:
            return _host_in(caller(reading.call(number)))
        except NotFound:
            continue
    raise Outside(call.operation, OUTSIDE)


def _host_in(answer: Any) -> str:
    return str(answer.host_id or getattr(answer, "user_email", ""))


def _change(kind: SessionKind, scope: Scope, call: Call[object], caller: Caller) -> None:
    _of_session(kind, scope, call, caller)
    require_named(call, scope, hosts_named(call.body))


def _of_instance(scope: Scope, call: Call[object], caller: Caller) -> None:
    """Checks a past instance of a meeting, which reports its own host."""
    answer = caller(PastMeetings.get.call(str(call.ids[0])))
    require_within(call, scope, _host_in(answer))


def _of_kind(kind: SessionKind, family: Any, *families: Any) -> dict[str, ScopeRule]:
    of_session = ScopeRule(Limit.BY_SESSION, partial(_of_session, kind))
    rules = {
        operation.name: of_session
        for each in (family, *families)
        for operation in each.operations()
    }
    return {
        **rules,
        family.of_user.name: by_person(),
        family.create.name: by_person(hosts_named),
        family.update.name: ScopeRule(Limit.BY_SESSION, partial(_change, kind)),
    }


RULES: Mapping[str, ScopeRule] = {
    **_of_kind(SessionKind.MEETING, Meetings, MeetingPolls, MeetingRegistrants, PastMeetings),
    **_of_kind(
        SessionKind.WEBINAR, Webinars, WebinarPolls, WebinarRegistrants, Panelists, PastWebinars
    ),
    PastMeetings.get.name: ScopeRule(Limit.BY_SESSION, _of_instance),
    PastMeetings.participants.name: ScopeRule(Limit.BY_SESSION, _of_instance),
}


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
        *(
            NavigationEntry(
                SESSIONS,
                spec.place + 10,
                spec.title,
                spec.icon,
                f"{spec.family}:list",
                needs=(spec.of_user,),
            )
            for spec in KINDS
        ),
    ),
    shortcuts=tuple(
        Shortcut(spec.schedule, spec.icon, f"{spec.family}:create", spec.create, _SCHEDULE)
        for spec in KINDS
    ),
    scope_counts=tuple(
        ScopeCount(spec.title, spec.of_user, partial(_count, spec.family)) for spec in KINDS
    ),
    loaded_lists=(
        LoadedList(
            READING,
            30,
            gettext_lazy("Meetings and webinars"),
            "meetings:list",
            tuple(spec.of_user for spec in KINDS),
        ),
    ),
    job_types=(
        ReadSessionsJob,
        DecideRegistrantsJob,
        RegisterPeopleJob,
        RegisterAgainJob,
        RemediateSessionsJob,
        NotifyHostsJob,
        ImportMeetingsJob,
        ImportWebinarsJob,
    ),
    searches=tuple(map(searching, KINDS)),
    holdings=tuple(map(HostedSessions, KINDS)),
    steps=(DeleteMeetingStep(), DeleteWebinarStep()),
    work_queues=(REREADS,),
    person_tabs=(RECORDINGS, *map(hosted_tab, KINDS)),
    person_figures=PERSON_FIGURES,
    stored_words=EVENT_WORDS,
    receivers=(
        (event_received, handle_event),
        (call_made, update_lists),
        (gaps.missed, reread),
        (users_removed, forget_sessions_of),
    ),
    undo_checks={spec.update.name: leave_registrations for spec in KINDS},
    losses={
        operation.name: RegistrationLossFinder(spec)
        for spec in KINDS
        for operation in (spec.update, spec.delete)
    },
    object_labels={spec.family: partial(topic_of, spec.family) for spec in KINDS},
    home=(USED_UP, POLICY, NEXT),
    scope_rules=RULES,
    limited_pages=(
        "sessions:calendar",
        "sessions:calendar-freshness",
        "sessions:calendar-refresh",
        "sessions:policy",
        "sessions:policy-freshness",
        "sessions:policy-refresh",
        *(f"sessions:policy-{each.name}" for each in OFFERED),
        *(spec.family for spec in KINDS),
    ),
)
