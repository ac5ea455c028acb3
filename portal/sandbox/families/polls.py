"""Polls of meetings and webinars (spec 2.7, 4.5 and 4.6)."""

from typing import Any

from portal.contract.polls import (
    MeetingPolls,
    Poll as PollDocument,
    PollDetails,
    PollList,
    WebinarPolls,
)
from portal.sandbox.errors import NotFound
from portal.sandbox.families.meetings import meeting_called
from portal.sandbox.families.webinars import webinar_called
from portal.sandbox.http import Created, location
from portal.sandbox.models import Poll, Session
from portal.sandbox.serving import serves


@serves(MeetingPolls.list)
def list_of_meeting(meeting_id: str) -> PollList:
    return _listed(meeting_called(meeting_id))


@serves(MeetingPolls.create)
def create_in_meeting(meeting_id: str, body: PollDocument) -> Created:
    poll = meeting_called(meeting_id).polls.create(document=_sent(body))
    return Created(location(MeetingPolls.get, str(poll.session_id), poll.id), _document(poll))


@serves(MeetingPolls.get)
def get_of_meeting(meeting_id: str, poll_id: str) -> PollDetails:
    return _document(_poll(meeting_called(meeting_id), poll_id))


@serves(MeetingPolls.update)
def update_in_meeting(meeting_id: str, poll_id: str, body: PollDocument) -> None:
    _replace(_poll(meeting_called(meeting_id), poll_id), body)


@serves(MeetingPolls.delete)
def delete_from_meeting(meeting_id: str, poll_id: str) -> None:
    _poll(meeting_called(meeting_id), poll_id).delete()


@serves(WebinarPolls.list)
def list_of_webinar(webinar_id: str) -> PollList:
    return _listed(webinar_called(webinar_id))


@serves(WebinarPolls.create)
def create_in_webinar(webinar_id: str, body: PollDocument) -> Created:
    poll = webinar_called(webinar_id).polls.create(document=_sent(body))
    return Created(location(WebinarPolls.get, str(poll.session_id), poll.id), _document(poll))


@serves(WebinarPolls.get)
def get_of_webinar(webinar_id: str, poll_id: str) -> PollDetails:
    return _document(_poll(webinar_called(webinar_id), poll_id))


@serves(WebinarPolls.update)
def update_in_webinar(webinar_id: str, poll_id: str, body: PollDocument) -> None:
    _replace(_poll(webinar_called(webinar_id), poll_id), body)


@serves(WebinarPolls.delete)
def delete_from_webinar(webinar_id: str, poll_id: str) -> None:
    _poll(webinar_called(webinar_id), poll_id).delete()


def _listed(session: Session) -> PollList:
    polls = [_document(each) for each in session.polls.order_by("created_at", "id")]
    return PollList(polls=polls, total_records=len(polls))


def _poll(session: Session, poll_id: str) -> Poll:
    found = session.polls.filter(id=poll_id).first()
    if found is None:
        raise NotFound("poll")
    return found


def _replace(poll: Poll, body: PollDocument) -> None:
    """Replaces the whole poll, as a PUT does; only its status stays."""
    poll.document = _sent(body)
    poll.save()


def _document(poll: Poll) -> PollDetails:
    return PollDetails(**poll.as_document())


def _sent(body: PollDocument) -> dict[str, Any]:
    return body.model_dump(mode="json", exclude_unset=True, exclude_none=True)
