"""Registrants of meetings and webinars (spec 2.7, 4.5 and 4.6)."""

from portal.contract.registrants import (
    AddedRegistrant,
    MeetingRegistrants,
    NewRegistrantQuery,
    Registrant as RegistrantDocument,
    RegistrantsQuery,
    RegistrantStatusChange,
    WebinarRegistrants,
)
from portal.contract.sessions import OccurrenceQuery
from portal.sandbox.families.meetings import meeting_called
from portal.sandbox.families.registration import change_registrations, list_registrants, register
from portal.sandbox.families.webinars import webinar_called
from portal.sandbox.serving import serves


@serves(MeetingRegistrants.list)
def list_of_meeting(meeting_id: str, query: RegistrantsQuery) -> bytes:
    return list_registrants(meeting_called(meeting_id), query)


@serves(MeetingRegistrants.add)
def add_to_meeting(
    meeting_id: str, query: NewRegistrantQuery, body: RegistrantDocument
) -> AddedRegistrant:
    return register(meeting_called(meeting_id), query.occurrence_ids, body)


@serves(MeetingRegistrants.change_status)
def change_of_meeting(
    meeting_id: str, query: OccurrenceQuery, body: RegistrantStatusChange
) -> None:
    change_registrations(meeting_called(meeting_id), query.occurrence_id, body)


@serves(WebinarRegistrants.list)
def list_of_webinar(webinar_id: str, query: RegistrantsQuery) -> bytes:
    return list_registrants(webinar_called(webinar_id), query)


@serves(WebinarRegistrants.add)
def add_to_webinar(
    webinar_id: str, query: NewRegistrantQuery, body: RegistrantDocument
) -> AddedRegistrant:
    return register(webinar_called(webinar_id), query.occurrence_ids, body)


@serves(WebinarRegistrants.change_status)
def change_of_webinar(
    webinar_id: str, query: OccurrenceQuery, body: RegistrantStatusChange
) -> None:
    change_registrations(webinar_called(webinar_id), query.occurrence_id, body)
