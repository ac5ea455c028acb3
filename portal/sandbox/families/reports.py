"""Reports on sessions that have ended (spec 4.8)."""

from collections.abc import Callable
from typing import Any

import orjson
from django.db.models import Q

from portal.contract.paging import TokenDaysQuery, TokenQuery
from portal.contract.reports import Reports
from portal.contract.sessions import TrackingFieldValue
from portal.contract.usage import AnswersReport, SessionReport
from portal.sandbox.families.lookup import ended, instance_called, user_called
from portal.sandbox.history.doings import questions
from portal.sandbox.history.polling import poll_answers
from portal.sandbox.history.roster import Participant, read
from portal.sandbox.identifiers import timestamp
from portal.sandbox.listing import began, participants_page, with_days
from portal.sandbox.models import Instance, SessionKind, Trait
from portal.sandbox.options import options
from portal.sandbox.paging import issue_token, read_token
from portal.sandbox.serving import serves

_MEETING, _WEBINAR = SessionKind.MEETING, SessionKind.WEBINAR


@serves(Reports.meeting)
def meeting(name: str) -> SessionReport:
    return _report(_held(name, _MEETING))


@serves(Reports.webinar)
def webinar(name: str) -> SessionReport:
    return _report(_held(name, _WEBINAR))


@serves(Reports.meeting_participants)
def meeting_participants(name: str, query: TokenQuery) -> bytes:
    return _attendance(_held(name, _MEETING), query, int)


@serves(Reports.webinar_participants)
def webinar_participants(name: str, query: TokenQuery) -> bytes:
    """Returns participants of a webinar, whose attentiveness is text."""
    return _attendance(_held(name, _WEBINAR), query, lambda score: f"{score}%")


@serves(Reports.meeting_polls)
def meeting_polls(name: str) -> AnswersReport:
    return _answers(_held(name, _MEETING), poll_answers)


@serves(Reports.webinar_polls)
def webinar_polls(name: str) -> AnswersReport:
    return _answers(_held(name, _WEBINAR), poll_answers)


@serves(Reports.webinar_questions)
def webinar_questions(name: str) -> AnswersReport:
    return _answers(_held(name, _WEBINAR), questions)


@serves(Reports.user_meetings)
def user_meetings(user_id: str, query: TokenDaysQuery) -> bytes:
    """Returns meetings and webinars that the person hosted, the latest first."""
    host, key = user_called(user_id), options().token
    rows = Instance.objects.filter(
        host_id=host.id,
        end_time__isnull=False,
        start_time__range=began(query.from_, query.to),
    )
    position = read_token(query, host.id, key)
    left = rows
    if position:
        left = rows.filter(
            Q(start_time__lt=position[0]) | Q(start_time=position[0], uuid__gt=position[1])
        )
    latest = left.defer("roster", "fragment").order_by("-start_time", "uuid")
    found = list(latest[: query.page_size + 1])
    page, token = found[: query.page_size], ""
    if len(found) > query.page_size:
        last = page[-1]
        token = issue_token([last.start_time.isoformat(), last.uuid], query, host.id, key)
    data = {
        "page_count": len(page),
        "page_size": query.page_size,
        "total_records": rows.count(),
        "next_page_token": token,
        "meetings": [_ended(each) for each in page],
    }
    return with_days(orjson.dumps(data), query)


def _held(name: str, kind: SessionKind) -> Instance:
    return instance_called(name, ended(kind))


def _report(held: Instance) -> SessionReport:
    fields = [TrackingFieldValue(**each) for each in held.tracking_fields]
    return SessionReport(**_ended(held), tracking_fields=fields)


def _ended(held: Instance) -> dict[str, Any]:
    return {
        "uuid": held.uuid,
        "id": held.number,
        "type": held.type,
        "topic": held.topic,
        "user_name": held.host_name,
        "user_email": held.host_email,
        "start_time": timestamp(held.start_time),
        "end_time": timestamp(held.end_time),
        "duration": held.minutes,
        "total_minutes": held.total_minutes,
        "participants_count": held.participants,
    }


def _attendance(held: Instance, query: TokenQuery, score: Callable[[int], int | str]) -> bytes:
    def render(one: Participant) -> dict[str, Any]:
        return {
            "id": one.id,
            "user_id": one.user_id,
            "name": one.name,
            "user_email": one.email,
            "join_time": timestamp(one.joined),
            "leave_time": timestamp(one.left),
            "duration": one.seconds(one.left or one.joined),
            "attentiveness_score": score(_attentiveness(one)),
        }

    return participants_page(read(held), query, f"report:{held.uuid}", render)


def _attentiveness(one: Participant) -> int:
    """Returns the attention in per cent; 0 for participants by telephone."""
    if one.traits & Trait.PHONE:
        return 0
    return 40 + sum(one.id.encode()) % 61


def _answers(held: Instance, given: Callable[[Instance], list[dict[str, Any]]]) -> AnswersReport:
    return AnswersReport.model_validate(
        {
            "id": held.number,
            "uuid": held.uuid,
            "start_time": held.start_time,
            "questions": given(held),
        }
    )
