"""Dashboards of meetings and webinars, and of one session: participants, quality, shares (spec
4.7)."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import orjson
from django.db.models import QuerySet

from portal.contract.dashboards import (
    DetailQuery,
    DetailShown,
    DetailsQuery,
    MeetingParticipantsQuery,
    MeetingQuery,
    QualityQuery,
    SessionsQuery,
    SessionsShown,
)
from portal.contract.metrics import Metrics
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound
from portal.sandbox.families.lookup import ended, instance_called, live
from portal.sandbox.history.doings import shared_by
from portal.sandbox.history.equipment import equipment
from portal.sandbox.history.quality import latest_sample
from portal.sandbox.history.roster import Participant, read
from portal.sandbox.identifiers import timestamp
from portal.sandbox.listing import TokenListing, participants_page, sql_days, with_days
from portal.sandbox.models import Instance, SessionKind, Trait
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


_MEETING, _WEBINAR = SessionKind.MEETING, SessionKind.WEBINAR
_QUALITY_FIELDS = (
    "device",
    "ip_address",
    "location",
    "pc_name",
    "domain",
    "mac_addr",
    "harddisk_id",
    "version",
)


@serves(Metrics.meeting_participants)
def meeting_participants(name: str, query: MeetingParticipantsQuery) -> bytes:
    return _page(_MEETING, name, query, _participant)


@serves(Metrics.webinar_participants)
def webinar_participants(name: str, query: DetailsQuery) -> bytes:
    return _page(_WEBINAR, name, query, _participant)


@serves(Metrics.meeting_qualities)
def meeting_qualities(name: str, query: QualityQuery) -> bytes:
    return _page(_MEETING, name, query, _quality)


@serves(Metrics.webinar_qualities)
def webinar_qualities(name: str, query: QualityQuery) -> bytes:
    return _page(_WEBINAR, name, query, _quality)


@serves(Metrics.meeting_sharing)
def meeting_sharing(name: str, query: DetailsQuery) -> bytes:
    return _page(_MEETING, name, query, _sharing, Trait.SHARED)


@serves(Metrics.webinar_sharing)
def webinar_sharing(name: str, query: DetailsQuery) -> bytes:
    return _page(_WEBINAR, name, query, _sharing, Trait.SHARED)


@serves(Metrics.meeting_quality)
def meeting_quality(name: str, participant: str, query: DetailQuery) -> bytes:
    return _one(_MEETING, name, participant, query)


@serves(Metrics.webinar_quality)
def webinar_quality(name: str, participant: str, query: DetailQuery) -> bytes:
    return _one(_WEBINAR, name, participant, query)


def _page(
    kind: SessionKind,
    name: str,
    query: MeetingParticipantsQuery | DetailsQuery | QualityQuery,
    data: Callable[[Participant, datetime], dict[str, Any]],
    trait: Trait | None = None,
) -> bytes:
    moment = now()
    people = _people(kind, name, query.type)
    chosen = [one for one in people if trait is None or one.traits & trait]
    scope = f"{data.__name__}:{kind.value}:{name}"
    return participants_page(chosen, query, scope, lambda one: data(one, moment))


def _people(kind: SessionKind, name: str, which: str) -> list[Participant]:
    """Returns all participants of an ended session, and the present ones of a running session."""
    people = read(instance_called(name, shown(kind, which)))
    return [one for one in people if one.left is None] if which == DetailShown.LIVE else people


def _one(kind: SessionKind, name: str, participant: str, query: DetailQuery) -> bytes:
    """Returns the stay with the participant's own id, or the last stay of a person of the
    account."""
    people = _people(kind, name, query.type)
    found = [one for one in people if participant in (one.id, one.user_id)]
    if not found:
        raise NotFound("participant")
    return orjson.dumps(_quality(found[-1], now()))


def _participant(one: Participant, _: datetime) -> dict[str, Any]:
    return {
        "id": one.id,
        **_stay(one),
        **equipment(one),
        "share_application": bool(one.traits & Trait.APPLICATION),
        "share_desktop": bool(one.traits & Trait.DESKTOP),
        "share_whiteboard": bool(one.traits & Trait.WHITEBOARD),
        "recording": bool(one.traits & Trait.RECORDED),
    }


def _quality(one: Participant, moment: datetime) -> dict[str, Any]:
    owned = equipment(one)
    return {
        **_stay(one),
        **{name: owned[name] for name in _QUALITY_FIELDS},
        "user_qos": latest_sample(one, moment),
    }


def _sharing(one: Participant, moment: datetime) -> dict[str, Any]:
    return {
        "id": one.id,
        "user_id": one.user_id,
        "user_name": one.name,
        "details": shared_by(one, moment),
    }


def _stay(one: Participant) -> dict[str, Any]:
    data = {
        "user_id": one.user_id,
        "user_name": one.name,
        "join_time": timestamp(one.joined),
        "leave_time": timestamp(one.left),
    }
    return {name: value for name, value in data.items() if value is not None}
