"""Polls of a session: what the host can ask participants while it runs."""

from typing import Any

from portal.client import Api
from portal.contract.polls import Poll, PollDetails
from portal.sessions.specs import SessionSpec


def polls(api: Api, spec: SessionSpec, session_id: str) -> list[PollDetails]:
    return api.caller(spec.polls.list.call(session_id)).polls


def poll(api: Api, spec: SessionSpec, session_id: str, poll_id: str) -> PollDetails:
    return api.caller(spec.polls.get.call(session_id, poll_id))


def add(api: Api, spec: SessionSpec, session_id: str, wanted: Poll) -> PollDetails:
    return api.caller(spec.polls.create.call(session_id, wanted))


def replace(api: Api, spec: SessionSpec, session_id: str, poll_id: str, wanted: Poll) -> None:
    """Replaces title and questions as a whole: the interface does not change parts of a poll."""
    api.caller(spec.polls.update.call(session_id, poll_id, wanted))


def delete(api: Api, spec: SessionSpec, session_id: str, poll_id: str) -> None:
    api.caller(spec.polls.delete.call(session_id, poll_id))


def content(details: PollDetails) -> dict[str, Any]:
    """Returns the questions of a poll, without its id, status and the service's other fields."""
    document = details.model_dump(mode="json", exclude_none=True, warnings=False)
    questions = [
        {name: question[name] for name in ("name", "type", "answers") if name in question}
        for question in document.get("questions", [])
    ]
    return {"title": document.get("title", ""), "questions": questions}
