import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from portal.access.http import PortalRequest, origin_of
from portal.access.scope import Scope
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.client import Api
from portal.config import clock
from portal.contract.chat import ChatMessage, ChatSession
from portal.directory.colleagues import NOBODY, mirrored_by_email
from portal.mirror.values import moment, text
from portal.ui.range_reading import MOST, RangeReader, Reading, TooMany
from portal.ui.ranges import Range

VALID_FOR = timedelta(minutes=30)
_KEY = "chat_reasons"  # in the session: the reason and the time of it, by connection


def give(request: PortalRequest, reason: str) -> None:
    """Stores the reason for which the administrator reads the archive of this connection."""
    given = {request.connection.key: [reason, clock.now().isoformat()]}
    request.session[_KEY] = {**request.session.get(_KEY, {}), **given}


def reason_of(request: PortalRequest) -> str:
    """Returns the reason given lately for this connection; empty without one."""
    given: Any = request.session.get(_KEY, {}).get(request.connection.key)
    if not given:
        return ""
    reason, given_at = given
    age = clock.now() - datetime.fromisoformat(given_at)
    return str(reason) if timedelta(0) <= age < VALID_FOR else ""


def end(request: PortalRequest) -> None:
    """Deletes the reason: the next view of the archive asks for one again."""
    reasons = request.session.get(_KEY, {})
    request.session[_KEY] = {k: v for k, v in reasons.items() if k != request.connection.key}


def record_reading(request: PortalRequest, what: str, *, object_id: str = "", by: str) -> None:
    """Records in the audit trail that `what` is read, with the filter and the reason.

    Call it before anything is shown: what cannot be recorded is not shown.
    """
    record(
        origin_of(request),
        Act.CHAT_READ,
        object_id=object_id,
        label=what,
        connection=request.connection,
        sent={"reason": reason_of(request), "filter": by},
    )


_LONGEST = 40_000  # characters of a message
_PATIENCE = 4.0  # seconds after which a page reads no other session


@dataclass(frozen=True)
class ArchivedMessage:
    """A message. `change` is its last change: `edit`, `delete`, or another word of the service; the
    archive has the text after it."""

    session_id: str
    session: str
    sender: str
    name: str
    person_id: str
    text: str
    sent: datetime | None
    change: str
    changed: datetime | None


SessionMessage = tuple[ChatSession, ChatMessage]


def sessions_reader(api: Api, scope: Scope, chosen: Range) -> RangeReader[ChatSession]:
    """Reads the sessions that have messages of these days."""
    return RangeReader(scope, api.chat.sessions, chosen, sealed=True)


def messages_reader(
    api: Api, scope: Scope, chosen: Range, session_id: str
) -> RangeReader[ChatMessage]:
    """Reads the messages of one session on these days."""
    return RangeReader(scope, api.chat.messages, chosen, session_id, sealed=True)


class AllMessagesReader:
    """A reader of the messages of every session of some days, within the patience of a page.

    The messages of each session are cached separately, so that a later read fetches only the rest.
    """

    def __init__(self, api: Api, scope: Scope, chosen: Range) -> None:
        self._api, self._scope, self._range = api, scope, chosen
        self._sessions = sessions_reader(api, scope, chosen)

    def read(self) -> Reading[SessionMessage]:
        """Never raises `ApiError`."""
        return self._joined(self._sessions.read())

    more = read

    def refresh(self) -> Reading[SessionMessage]:
        """Reads all sessions again. Never raises `ApiError`."""
        sessions = self._sessions.refresh()
        for session in sessions.records:
            self._of(session).forget()
        return self._joined(sessions)

    def whole(self) -> Reading[SessionMessage]:
        """Returns all messages, for a file. Raises `ApiError`, and `TooMany` for too many."""
        sessions = self._sessions.whole()
        result: Reading[SessionMessage] = Reading(read_at=sessions.read_at, is_whole=True)
        for session in sessions.records:
            result.records += [(session, one) for one in self._of(session).whole().records]
            if result.count > MOST:
                raise TooMany
        return result

    def _of(self, session: ChatSession) -> RangeReader[ChatMessage]:
        return messages_reader(self._api, self._scope, self._range, session.session_id)

    def _joined(self, sessions: Reading[ChatSession]) -> Reading[SessionMessage]:
        result: Reading[SessionMessage] = Reading(
            read_at=sessions.read_at,
            is_whole=sessions.is_whole,
            fault=sessions.fault,
            is_old=sessions.is_old,
        )
        until = time.monotonic() + _PATIENCE
        for session in sessions.records:
            reader = self._of(session)
            may_fetch = not result.fault and time.monotonic() < until
            messages = reader.read() if may_fetch else reader.recent()
            if messages is None:
                result.is_whole = False
                continue
            result.records += [(session, message) for message in messages.records]
            result.read_at = min(result.read_at, messages.read_at)
            result.is_whole = result.is_whole and messages.is_whole
            result.fault = result.fault or messages.fault
        return result


def messages_of(
    scope: Scope, records: Sequence[SessionMessage], chosen: Range
) -> list[ArchivedMessage]:
    """Returns messages of the archive in the viewer's days. One without a time is included."""
    people = mirrored_by_email(scope, (text(message.sender) for _, message in records))
    made = []
    for session, message in records:
        sent = moment(message.date_time)
        if sent and not chosen.has(sent):
            continue
        sender = text(message.sender)
        person = people.get(sender, NOBODY)
        made.append(
            ArchivedMessage(
                session_id=session.session_id,
                session=text(session.name) or session.session_id,
                sender=sender,
                name=person.name,
                person_id=person.id,
                text=text(message.message, _LONGEST),
                sent=sent,
                change=text(message.action),
                changed=moment(message.action_time),
            )
        )
    return made
