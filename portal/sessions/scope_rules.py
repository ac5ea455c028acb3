"""Limits of the operations on meetings and webinars to a scope's people: by the host.

Participants of a session of the scope, such as its registrants, belong to it.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from portal.access.scope import Limit, Scope
from portal.access.scope_rules import Outside, ScopeRule
from portal.client import NotFound
from portal.contract.meetings import Meetings
from portal.contract.operation import AnyOperation, Call, Caller
from portal.contract.past_sessions import PastMeetings, PastWebinars
from portal.contract.polls import MeetingPolls, WebinarPolls
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.contract.webinars import Panelists, Webinars
from portal.directory.scope_rules import OUTSIDE, by_person, require_named, require_within
from portal.sessions.models import MirroredSession, SessionKind


def hosts_named(plan: object) -> Iterator[str | None]:
    """Yields the people that the plan of a session makes its host or an alternative host."""
    yield getattr(plan, "schedule_for", None)
    others = getattr(getattr(plan, "settings", None), "alternative_hosts", None) or ""
    yield from (one.strip() for one in others.replace(",", ";").split(";"))


def _of_session(kind: SessionKind, scope: Scope, call: Call[object], ask: Caller) -> None:
    number = str(call.ids[0])
    mirrored = MirroredSession.objects.filter(
        connection=scope.connection, kind=kind, session_id=number
    )
    host = mirrored.values_list("host_id", flat=True).first()
    require_within(call, scope, host or _read_host(kind, call, ask, number))


def _read_host(kind: SessionKind, call: Call[object], ask: Caller, number: str) -> str:
    """The host of a session that the mirror does not know; of a meeting that is over, by what the
    service keeps of it."""
    readings: list[AnyOperation] = (
        [Meetings.get, PastMeetings.get] if kind is SessionKind.MEETING else [Webinars.get]
    )
    for reading in readings:
        try:
            return _host_in(ask(reading.call(number)))
        except NotFound:
            continue
    raise Outside(call.operation, OUTSIDE)


def _host_in(answer: Any) -> str:
    return str(answer.host_id or getattr(answer, "user_email", ""))


def _change(kind: SessionKind, scope: Scope, call: Call[object], ask: Caller) -> None:
    _of_session(kind, scope, call, ask)
    require_named(call, scope, hosts_named(call.body))


def _of_instance(scope: Scope, call: Call[object], ask: Caller) -> None:
    """Of one time that a meeting was held, which says itself who hosted it."""
    answer = ask(PastMeetings.get.call(str(call.ids[0])))
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
