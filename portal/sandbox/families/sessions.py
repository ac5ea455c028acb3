"""Lists of a person's meetings and webinars (spec 2.7, 2.8 and 4.4)."""

from typing import Any

import orjson

from portal.contract.meetings import MeetingListType, Meetings, MeetingsQuery
from portal.contract.paging import NumberedQuery
from portal.contract.webinars import Webinars
from portal.sandbox.clock import now
from portal.sandbox.current.names import MeetingListTypeToday, MeetingsQueryToday
from portal.sandbox.families.lookup import user_called
from portal.sandbox.identifiers import timestamp
from portal.sandbox.listing import sql_time
from portal.sandbox.models import Occurrence, Session, SessionKind, User
from portal.sandbox.paging import Listing, numbered_page
from portal.sandbox.serving import serves

_EARLIEST_FIRST = "start_time ASC NULLS FIRST, number"
_MEETINGS = "host_id = %s AND kind = 'meeting'"
_LIVE = Listing("meetings", Session, f"{_MEETINGS} AND live_since IS NOT NULL", _EARLIEST_FIRST)
_SCHEDULED = Listing("meetings", Session, f"{_MEETINGS} AND type IN (2, 3, 8)", _EARLIEST_FIRST)
_PREVIOUS = Listing(
    "meetings",
    Session,
    f"{_MEETINGS} AND start_time < %s AND live_since IS NULL",
    "start_time DESC, number",
)
_WEBINARS = Listing("webinars", Session, "host_id = %s AND kind = 'webinar'", _EARLIEST_FIRST)


@serves(Meetings.of_user)
def meetings_of_user(user_id: str, query: MeetingsQuery | MeetingsQueryToday) -> bytes:
    host = user_called(user_id)
    if query.type == MeetingListType.LIVE:
        return _LIVE.page(query, host.id)
    if query.type == MeetingListType.SCHEDULED:
        return _SCHEDULED.page(query, host.id)
    if query.type == MeetingListTypeToday.PREVIOUS_MEETINGS:
        return _PREVIOUS.page(query, host.id, sql_time(now()))
    return numbered_page("meetings", query, _upcoming(host))


@serves(Webinars.of_user)
def webinars_of_user(user_id: str, query: NumberedQuery) -> bytes:
    return _WEBINARS.page(query, user_called(user_id).id)


def _upcoming(host: User) -> list[dict[str, Any]]:
    """Returns sessions that have not begun, with each coming occurrence by itself."""
    coming = {"start_time__gt": now()}
    once = Session.objects.filter(
        host=host, kind=SessionKind.MEETING, recurrence__isnull=True, live_since=None, **coming
    )
    values = [orjson.loads(each) for each in once.values_list("fragment", flat=True)]
    recurring = Occurrence.objects.filter(
        session__host=host, session__kind=SessionKind.MEETING, **coming
    )
    for fragment, start, duration in recurring.values_list(
        "session__fragment", "start_time", "duration"
    ):
        values.append(
            {**orjson.loads(fragment), "start_time": timestamp(start), "duration": duration}
        )
    return sorted(values, key=lambda each: (each["start_time"], int(each["id"])))
