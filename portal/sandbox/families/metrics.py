"""Dashboards of meetings and webinars (spec 4.7)."""

from django.db.models import QuerySet

from portal.contract.dashboards import DetailQuery, MeetingQuery, SessionsQuery, SessionsShown
from portal.contract.metrics import Metrics
from portal.sandbox.families.instances import ended, instance_called, live
from portal.sandbox.listing import TokenListing, sql_days, with_days
from portal.sandbox.models import Instance, SessionKind
from portal.sandbox.serving import serves

_ENDED = "kind = %s AND start_time BETWEEN %s AND %s AND end_time IS NOT NULL"


class _Dashboard:
    """The lists of one kind of session; live sessions are listed for any days."""

    def __init__(self, records: str, kind: SessionKind) -> None:
        self._kind = kind.value
        self._live = TokenListing(records, Instance, "kind = %s AND end_time IS NULL", "uuid")
        self._past = TokenListing(records, Instance, _ENDED, "uuid")
        self._past_one = TokenListing(records, Instance, f"{_ENDED} AND participants = 1", "uuid")

    def page(self, query: SessionsQuery) -> bytes:
        if query.type == SessionsShown.LIVE:
            page = self._live.page(query, self._kind, self._kind)
        else:
            one = query.type == SessionsShown.PAST_ONE
            listing = self._past_one if one else self._past
            page = listing.page(query, self._kind, self._kind, *sql_days(query))
        return with_days(page, query)


_MEETINGS = _Dashboard("meetings", SessionKind.MEETING)
_WEBINARS = _Dashboard("webinars", SessionKind.WEBINAR)


@serves(Metrics.meetings)
def meetings(query: SessionsQuery) -> bytes:
    return _MEETINGS.page(query)


@serves(Metrics.webinars)
def webinars(query: SessionsQuery) -> bytes:
    return _WEBINARS.page(query)


@serves(Metrics.meeting)
def meeting(name: str, query: MeetingQuery) -> bytes:
    return instance_called(name, shown(SessionKind.MEETING, query.type)).fragment.encode()


@serves(Metrics.webinar)
def webinar(name: str, query: DetailQuery) -> bytes:
    return instance_called(name, shown(SessionKind.WEBINAR, query.type)).fragment.encode()


def shown(kind: SessionKind, which: str) -> QuerySet[Instance]:
    if which == SessionsShown.LIVE:
        return live(kind)
    return ended(kind).filter(participants=1) if which == SessionsShown.PAST_ONE else ended(kind)
