"""The times that a session was held and who was there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from portal.client import Api
from portal.contract.counts import believed
from portal.contract.paging import TokenQuery
from portal.contract.past_sessions import PastMeeting, PastParticipant, SessionInstance
from portal.contract.usage import Attendance, SessionReport
from portal.sessions.specs import SessionSpec

PAGE = 100

Participant = PastParticipant | Attendance
Held = PastMeeting | SessionReport


@dataclass(frozen=True)
class Participants:
    """Some of those who were there; `next_token` leads to the others for 15 minutes."""

    people: list[Participant]
    next_token: str
    total: int | None


def instances(api: Api, spec: SessionSpec, session_id: str) -> list[SessionInstance]:
    """Past instances, the latest first. Raises `ApiError`."""
    answer: Any = api.caller(spec.past.instances.call(session_id))
    found: list[SessionInstance] = getattr(answer, spec.family)
    return sorted(found, key=lambda one: str(one.start_time or ""), reverse=True)


def held(api: Api, spec: SessionSpec, uuid: str) -> Held:
    """One time that it was held. Raises `ApiError`."""
    answer: Held = api.caller(spec.past.get.call(uuid))
    return answer


def participants(api: Api, spec: SessionSpec, uuid: str, token: str = "") -> Participants:
    """Some of those who were there. Raises `ApiError`; `Invalid` for a token that has expired."""
    query = TokenQuery(page_size=PAGE)
    if token:
        query = TokenQuery(page_size=PAGE, next_page_token=token)
    answer = api.caller(spec.past.participants.call(uuid, query))
    listed = answer.participants
    total = answer.total_records if token else believed(answer.total_records, listed)
    return Participants(listed, answer.next_page_token, total)


def all_participants(api: Api, spec: SessionSpec, uuid: str) -> Iterator[Participant]:
    """All who were there. Raises `ApiError`."""
    for page in api.caller.pages(spec.past.participants.call(uuid)):
        yield from page.participants
