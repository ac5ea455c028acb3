"""The events of sessions: the worker reads those sessions again."""

from collections.abc import Mapping
from typing import Any

import structlog

from portal.access.models import Connection
from portal.contract.meetings import MeetingType
from portal.contract.path import PATH_PARAMETERS, NotAnId
from portal.contract.webhooks import WebhookEvent
from portal.contract.webinars import WebinarType
from portal.mirror.deliveries import Effect
from portal.mirror.models import MirrorState
from portal.mirror.values import text
from portal.sessions import mirror, recorded
from portal.sessions.jobs.reading import READING
from portal.sessions.models import MirroredSession, SessionKind
from portal.sessions.rereading import request_reread

_CHANGES = {
    WebhookEvent.MEETING_STARTED.value,
    WebhookEvent.MEETING_ENDED.value,
    WebhookEvent.MEETING_REGISTERED.value,
}
_NUMBER = PATH_PARAMETERS["meetingId"]
_log = structlog.get_logger(__name__)


def handle_event(
    connection: Connection, event: str, data: Mapping[str, Any], **_: object
) -> Effect | None:
    """Takes what the service reports. Lists that nobody looks at are read when somebody does."""
    is_recording = event == WebhookEvent.RECORDING_COMPLETED
    if not is_recording and event not in _CHANGES:
        return None
    if not mirror.state_of(connection).is_watched:
        words = "Sessions are read when someone next opens them."
        return Effect(words, changes=False)
    number = text(data.get("id"))
    if not (number.isascii() and number.isdigit()):
        READING.request(connection)
        return Effect("All sessions are read again: the event names none.")
    try:
        number = str(_NUMBER.check(number))
    except NotAnId as problem:
        _log.warning("notification set aside", connection=connection.key, reason=str(problem))
        return Effect("Nothing: no session can have this number.", changes=False)
    kinds = _kinds(connection, number, data.get("type"))
    for kind in kinds:
        if is_recording:
            recorded.note(connection, kind, [number])
        else:
            request_reread(connection, kind, number)
    what = " and ".join(kind.label.lower() for kind in kinds).capitalize()
    done = "noted as recorded" if is_recording else "read again"
    return Effect(f"{what} {number} {'is' if len(kinds) == 1 else 'are'} {done}.")


def reread(connection: Connection, **_: object) -> MirrorState | None:
    """Has the list read again after a gap, if anybody looks at it."""
    state = mirror.state_of(connection)
    return READING.request(connection) if state.is_watched else None


def _kinds(connection: Connection, number: str, reported_type: object) -> list[SessionKind]:
    """Of which kind it is: by its type, or by what is known of it; both where neither is known."""
    if reported_type in list(MeetingType):
        return [SessionKind.MEETING]
    if reported_type in list(WebinarType):
        return [SessionKind.WEBINAR]
    known = MirroredSession.objects.filter(connection=connection, session_id=number)
    return [SessionKind(kind) for kind in known.values_list("kind", flat=True)] or list(SessionKind)
