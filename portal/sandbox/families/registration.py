"""Registrants of meetings and webinars, and of their occurrences (spec 2.7, 4.5 and 4.6)."""

from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from portal.contract.problems import PersonReference
from portal.contract.registrants import (
    AddedRegistrant,
    MeetingRegistrants,
    NewRegistrantQuery,
    Registrant as RegistrantDocument,
    RegistrantAction,
    RegistrantsQuery,
    RegistrantStatus,
    RegistrantStatusChange,
    WebinarRegistrants,
)
from portal.contract.sessions import ApprovalType, OccurrenceQuery, RegistrationType
from portal.contract.webhooks import WebhookEvent
from portal.sandbox.clock import now
from portal.sandbox.errors import NotFound, invalid
from portal.sandbox.families.events import emit
from portal.sandbox.families.meetings import meeting_called
from portal.sandbox.families.occurrences import forget_the_unregistered, occurrence_of
from portal.sandbox.families.webinars import webinar_called
from portal.sandbox.identifiers import timestamp
from portal.sandbox.models import Occurrence, Registrant, Registration, Session
from portal.sandbox.paging import numbered_page
from portal.sandbox.serving import serves

_JOIN_URL = "https://conf.example/w/{}?tk={}"
_BECOMES = {
    RegistrantAction.APPROVE: RegistrantStatus.APPROVED.value,
    RegistrantAction.DENY: RegistrantStatus.DENIED.value,
}
_FIRST = {
    ApprovalType.AUTOMATIC.value: RegistrantStatus.APPROVED.value,
    ApprovalType.MANUAL.value: RegistrantStatus.PENDING.value,
}


def list_registrants(session: Session, query: RegistrantsQuery) -> bytes:
    """Returns registrants of a status, for any occurrence or for the named one; the earliest
    first."""
    status = query.status.value
    registered = Registration.objects.filter(registrant=OuterRef("pk"), status=status)
    if query.occurrence_id is not None:
        occurrence = occurrence_of(session, query.occurrence_id)
        registered = registered.filter(Q(occurrence=occurrence) | Q(occurrence=None))
    rows = session.registrants.filter(Exists(registered)).order_by("created_at", "id")
    return numbered_page("registrants", query, rows, lambda each: _document(each, status))


def register(
    session: Session, occurrence_ids: str | None, body: RegistrantDocument
) -> AddedRegistrant:
    """Registers a person. A second registration replaces the answers of the first."""
    status = _FIRST.get(session.settings.get("approval_type", ApprovalType.NONE.value))
    if status is None:
        raise invalid(f"{session.kind}Id", f"This {session.kind} takes no registrations.")
    _check_open(session)
    chosen = _chosen(session, occurrence_ids)
    document = body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    registrant, _ = session.registrants.update_or_create(
        email_key=body.email.lower(), defaults={"document": document}
    )
    if registrant.registrations.filter(status=RegistrantStatus.DENIED.value).exists():
        raise invalid("email", "This registration was denied.")
    for occurrence in chosen:
        registrant.registrations.get_or_create(occurrence=occurrence, defaults={"status": status})
    first = next((each.start_time for each in chosen if each), session.start_time)
    approved = registrant.registrations.filter(status=RegistrantStatus.APPROVED.value).exists()
    emit(
        WebhookEvent.MEETING_REGISTERED,
        {
            "id": str(session.number),
            "uuid": session.uuid,
            "host_id": session.host_id,
            "topic": session.topic,
            "type": session.type,
            "registrant": {"id": registrant.id, **document},
        },
    )
    return AddedRegistrant(
        registrant_id=registrant.id,
        id=str(session.number),
        topic=session.topic,
        start_time=first,
        join_url=_url(registrant) if approved else "",
    )


def change_registrations(
    session: Session, occurrence_id: str | None, body: RegistrantStatusChange
) -> None:
    """Changes all named registrations, or none if one of them is unknown."""
    occurrence = None if occurrence_id is None else occurrence_of(session, occurrence_id)
    for named in body.registrants or []:
        rows = _registrations(_registrant(session, named), occurrence)
        if body.action == RegistrantAction.CANCEL:
            rows.delete()
        else:
            rows.update(status=_BECOMES[body.action])
    forget_the_unregistered(session)


def _registrations(registrant: Registrant, occurrence: Occurrence | None) -> QuerySet[Registration]:
    """Returns the registrations of a registrant, of one occurrence if one is named.

    A registration for all occurrences is replaced by one for each, so that one of them can differ.
    """
    rows = registrant.registrations.all()
    if occurrence is None:
        return rows
    whole = rows.filter(occurrence=None).first()
    if whole is not None:
        Registration.objects.bulk_create(
            Registration(registrant=registrant, occurrence=each, status=whole.status)
            for each in registrant.session.occurrences.all()
        )
        whole.delete()
    rows = rows.filter(occurrence=occurrence)
    if not rows.exists():
        raise NotFound("registrant")
    return rows


def _registrant(session: Session, named: PersonReference) -> Registrant:
    by = {"id": named.id} if named.id else {"email_key": (named.email or "").lower()}
    found = session.registrants.filter(**by).first()
    if found is None:
        raise NotFound("registrant")
    return found


def _chosen(session: Session, occurrence_ids: str | None) -> list[Occurrence | None]:
    """Returns the occurrences to register for; none stands for all, also later ones."""
    named = [
        occurrence_of(session, number)
        for number in dict.fromkeys((occurrence_ids or "").split(","))
        if number
    ]
    once = RegistrationType.ONCE_FOR_ALL.value
    for_all = session.settings.get("registration_type", once) == once
    if for_all or not session.recurrence:
        return [None]
    return [*named] or [*session.occurrences.order_by("start_time")]


def _check_open(session: Session) -> None:
    """Raises a refusal if the last occurrence is over and registration ends with it."""
    if not session.settings.get("close_registration") or session.start_time is None:
        return
    last = session.occurrences.order_by("start_time").last()
    start = last.start_time if last else session.start_time
    if start + timedelta(minutes=session.duration or 0) < now():
        raise invalid(f"{session.kind}Id", "Registration is closed.")


def _document(registrant: Registrant, status: str) -> dict[str, Any]:
    """Returns a registrant as answers have it; only approved ones have a join link."""
    data = {
        **registrant.document,
        "id": registrant.id,
        "status": status,
        "create_time": timestamp(registrant.created_at),
    }
    if status == RegistrantStatus.APPROVED:
        data["join_url"] = _url(registrant)
    return data


def _url(registrant: Registrant) -> str:
    return _JOIN_URL.format(registrant.session_id, registrant.id)


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
