"""Limits of the reports for limited shares: by the person, or the host's email."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from portal.access.parts import REFUSED, PartRule
from portal.access.scope import Limit, Scope
from portal.contract.operation import Call, Caller, Operation
from portal.contract.reports import Reports
from portal.directory.scope_rules import by_person, filtered, named, require_within


def _of_session(reading: Operation[Any, Any], scope: Scope, call: Call[Any], ask: Caller) -> None:
    require_within(call, scope, ask(reading.call(str(call.ids[0]))).user_email)


def _by_host(reading: Operation[Any, Any], *operations: Operation[Any, Any]) -> dict[str, PartRule]:
    rule = PartRule(Limit.BY_SESSION, partial(_of_session, reading))
    return {operation.name: rule for operation in (reading, *operations)}


RULES: Mapping[str, PartRule] = {
    # Sums over the whole account.
    Reports.cloud_recording.name: REFUSED,
    Reports.daily.name: REFUSED,
    Reports.users.name: filtered("users", named),
    Reports.user_meetings.name: by_person(),
    Reports.telephone.name: filtered("telephony_usage", lambda call: [call.host_email]),
    **_by_host(Reports.meeting, Reports.meeting_participants, Reports.meeting_polls),
    **_by_host(
        Reports.webinar,
        Reports.webinar_participants,
        Reports.webinar_polls,
        Reports.webinar_questions,
    ),
}
