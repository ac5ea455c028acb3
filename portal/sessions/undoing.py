"""Bar to an undo of a session's change: registrations that nobody named must not be deleted."""

from typing import Any, cast

from portal.access.undo.members import UndoPlan, UnrestoredValue
from portal.access.undo.recorded import RecordedWrite
from portal.contract.meetings import Meetings
from portal.contract.operation import Caller, Operation
from portal.contract.registrants import MeetingRegistrants, WebinarRegistrants
from portal.sessions.services.lost import STATUSES, is_by_occurrence
from portal.sessions.services.registrants import RegistrantLookup
from portal.translation import gettext_lazy

_TIMES = frozenset({"start_time", "timezone", "recurrence", "type"})
_WHY = gettext_lazy(
    "With the earlier times all dates are replaced, and their registrations deleted. Edit it "
    "instead, which names them and can register them again."
)


def keep_registrations(found: RecordedWrite, plan: UndoPlan, caller: Caller) -> UndoPlan:
    """The plan without what would replace dates that people are registered for."""
    if not any(_TIMES & set(call.body.sent()) for call in plan.calls if call.body is not None):
        return plan
    reading = cast(Operation[Any, Any], found.operation.before)
    details = caller(reading.call(*found.ids[:1]))
    if not is_by_occurrence(details) or not _registered(found, caller):
        return plan
    return UndoPlan(left=[*plan.left, *(UnrestoredValue(one.title, _WHY) for one in plan.back)])


def _registered(found: RecordedWrite, caller: Caller) -> bool:
    is_meeting = found.operation.family == Meetings.name
    family = MeetingRegistrants if is_meeting else WebinarRegistrants
    pages = (
        caller(family.list.call(found.ids[0], RegistrantLookup(status).query(1)))
        for status in STATUSES
    )
    return any(page.registrants for page in pages)
