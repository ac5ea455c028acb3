"""Meetings and webinars that have ended (spec 4.5 and 4.6)."""

from dataclasses import replace

import orjson

from portal.contract.paging import TokenQuery
from portal.contract.past_sessions import (
    MeetingInstances,
    PastMeeting,
    PastMeetings,
    PastWebinars,
    SessionInstance,
    WebinarInstances,
)
from portal.contract.registrants import RegistrantStatus
from portal.sandbox.errors import NotFound
from portal.sandbox.families.lookup import ended, instance_called, number_in, of_kind
from portal.sandbox.history.roster import Participant, read
from portal.sandbox.listing import participants_page
from portal.sandbox.models import Instance, Registrant, Session, SessionKind
from portal.sandbox.options import options
from portal.sandbox.serving import serves, serves_today

# The document has no lists of a past webinar's participants; services of today have.
_PARTICIPANTS, _ABSENTEES = (
    replace(
        PastMeetings.participants,
        path=f"/past_webinars/{{webinarId}}/{name}",
        family=PastWebinars.name,
        attribute=name,
    )
    for name in ("participants", "absentees")
)


@serves(PastMeetings.instances)
def meeting_instances(meeting_id: str) -> MeetingInstances:
    return MeetingInstances(meetings=_held(meeting_id, SessionKind.MEETING))


@serves(PastWebinars.instances)
def webinar_instances(webinar_id: str) -> WebinarInstances:
    return WebinarInstances(webinars=_held(webinar_id, SessionKind.WEBINAR))


@serves(PastMeetings.get)
def get(uuid: str) -> PastMeeting:
    held = _meeting(uuid)
    return PastMeeting(
        uuid=held.uuid,
        id=held.number,
        host_id=held.host_id,
        type=held.type,
        topic=held.topic,
        user_name=held.host_name,
        user_email=held.host_email,
        start_time=held.start_time,
        end_time=held.end_time,
        duration=held.minutes,
        total_minutes=held.total_minutes,
        participants_count=held.participants,
    )


@serves(PastMeetings.participants)
def participants(uuid: str, query: TokenQuery) -> bytes:
    held = _meeting(uuid)
    return participants_page(read(held), query, held.uuid, _participant)


@serves_today(_PARTICIPANTS)
def webinar_participants(uuid: str, query: TokenQuery) -> bytes:
    held = instance_called(uuid, ended(SessionKind.WEBINAR))
    return participants_page(read(held), query, held.uuid, _participant)


@serves_today(_ABSENTEES)
def webinar_absentees(uuid: str, query: TokenQuery) -> bytes:
    """Returns those who registered and did not come, all on one page."""
    held = instance_called(uuid, ended(SessionKind.WEBINAR))
    came = {one.email.casefold() for one in read(held) if one.email}
    approved = Registrant.objects.filter(
        session__kind=SessionKind.WEBINAR,
        session__number=held.number,
        registrations__status=RegistrantStatus.APPROVED,
    )
    absent = approved.exclude(email_key__in=came).distinct().order_by("created_at", "id")
    registrants = [{**one.document, "id": one.id} for one in absent]
    count = len(registrants)
    page = {"page_size": query.page_size, "total_records": count, "next_page_token": ""}
    return orjson.dumps({**page, "page_count": 1, "registrants": registrants})


def _participant(one: Participant) -> dict[str, str]:
    named = {"id": one.id, "name": one.name}
    return {**named, "user_email": one.email} if options().is_current else named


def _meeting(uuid: str) -> Instance:
    """Returns a past meeting by its UUID, since its number would name many. In the profile
    `current` the number names the last one."""
    if options().is_current:
        return instance_called(uuid, ended(SessionKind.MEETING))
    held = ended(SessionKind.MEETING).filter(uuid=uuid).first()
    if held is None:
        raise NotFound("past meeting")
    return held


def _held(name: str, kind: SessionKind) -> list[SessionInstance]:
    """Returns the past instances, the earliest first."""
    number = number_in(name)
    if number is None:
        raise NotFound(kind.value)
    held = ended(kind).filter(number=number).order_by("start_time", "uuid")
    values = [SessionInstance(uuid=one.uuid, start_time=one.start_time) for one in held]
    known = values or of_kind(kind).filter(number=number).exists()
    if not known and not Session.objects.filter(kind=kind, number=number).exists():
        raise NotFound(kind.value)
    return values
