"""Limits of the dashboards' operations to a scope's people: by the host's email."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from portal.access.parts import REFUSED, PartRule
from portal.access.reach import Limit
from portal.access.scope import Scope
from portal.contract.dashboards import MeetingQuery, PartQuery
from portal.contract.metrics import Metrics
from portal.contract.operation import Call, Caller, Operation
from portal.directory.part_rules import filtered, require_within


def _host(one: Any) -> list[str]:
    return [one.email]


def _of_session(
    reading: Operation[Any, Any], query: Any, scope: Scope, call: Call[Any], ask: Caller
) -> None:
    kind = getattr(call.query, "type", None)
    answer = ask(reading.call(str(call.ids[0]), *([query(type=kind)] if kind else [])))
    require_within(call, scope, answer.email)


def _by_host(
    reading: Operation[Any, Any], query: Any, *operations: Operation[Any, Any]
) -> dict[str, PartRule]:
    rule = PartRule(Limit.BY_SESSION, partial(_of_session, reading, query))
    return {operation.name: rule for operation in (reading, *operations)}


RULES: Mapping[str, PartRule] = {
    Metrics.ports.name: REFUSED,
    Metrics.rooms.name: REFUSED,
    Metrics.room.name: REFUSED,
    Metrics.im.name: filtered("users", lambda one: [one.user_id] if one.user_id else [one.email]),
    Metrics.meetings.name: filtered("meetings", _host),
    Metrics.webinars.name: filtered("webinars", _host),
    **_by_host(
        Metrics.meeting,
        MeetingQuery,
        Metrics.meeting_participants,
        Metrics.meeting_qualities,
        Metrics.meeting_sharing,
        Metrics.meeting_quality,
    ),
    **_by_host(
        Metrics.webinar,
        PartQuery,
        Metrics.webinar_participants,
        Metrics.webinar_qualities,
        Metrics.webinar_sharing,
        Metrics.webinar_quality,
    ),
}
