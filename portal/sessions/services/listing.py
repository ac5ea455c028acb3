"""The sessions of one host, as the service lists them."""

from datetime import UTC, datetime

from portal.client import Api
from portal.contract.meetings import MeetingListType, MeetingsQuery
from portal.contract.sessions import SessionSummary
from portal.sessions.specs import SessionSpec

_NEVER = datetime.max.replace(tzinfo=UTC)


def sessions_of(api: Api, spec: SessionSpec, host_id: str) -> list[SessionSummary]:
    """All that a host has planned, by their start; those without one are last. Raises `ApiError`.

    What a host holds live without having planned it is asked for beside that.
    """
    if spec.of_user.query is MeetingsQuery:
        found = [
            *api.meetings.of_user.all(host_id, MeetingsQuery(type=MeetingListType.SCHEDULED)),
            *api.meetings.of_user.all(host_id, MeetingsQuery(type=MeetingListType.LIVE)),
        ]
    else:
        found = list(spec.calls(api).of_user.all(host_id))
    once = {(str(one.id), one.start_time): one for one in found}
    return sorted(once.values(), key=lambda one: (one.start_time or _NEVER, one.topic))
