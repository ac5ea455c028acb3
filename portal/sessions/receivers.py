"""The events of sessions: the worker reads those sessions again."""

from collections.abc import Mapping
from typing import Any

import structlog
from django.utils.translation import gettext_noop

from portal.access.models import Connection
from portal.contract.meetings import Meetings, MeetingType
from portal.contract.operation import Call
from portal.contract.path import PATH_PARAMETERS, NotAnId
from portal.contract.webhooks import WebhookEvent
from portal.contract.webinars import Webinars, WebinarType
from portal.mirror.deliveries import EventEffect
from portal.mirror.models import MirrorState
from portal.mirror.values import text
from portal.sessions import mirror
from portal.sessions.jobs import reading
from portal.sessions.jobs.reading import READING
from portal.sessions.models import MirroredSession, SessionKind
from portal.sessions.rereading import request_reread
from portal.sessions.services import hosts
from portal.translation import gettext as _, ngettext

_CHANGES = {
    WebhookEvent.MEETING_STARTED.value,
    WebhookEvent.MEETING_ENDED.value,
    WebhookEvent.MEETING_REGISTERED.value,
}
EVENT_WORDS = (
    gettext_noop("%(what)s %(number)s is noted as recorded."),
    gettext_noop("%(what)s %(number)s is being updated."),
)
_NUMBER = PATH_PARAMETERS["meetingId"]
_log = structlog.get_logger(__name__)


def handle_event(
    connection: Connection, event: str, data: Mapping[str, object], **_others: object
) -> EventEffect | None:
    """Takes what the service reports. Lists without viewers are read when they are next opened."""
    is_recording = event == WebhookEvent.RECORDING_COMPLETED
    if not is_recording and event not in _CHANGES:
        return None
    if not mirror.state_of(connection).is_watched:
        words = _("Sessions are updated when someone next opens them.")
        return EventEffect(words, changes=False)
    number = text(data.get("id"))
    if not (number.isascii() and number.isdigit()):
        READING.request(connection)
        return EventEffect(_("All sessions are being updated: the event names none."))
    try:
        number = str(_NUMBER.check(number))
    except NotAnId as problem:
        _log.warning("notification set aside", connection=connection.key, reason=str(problem))
        return EventEffect(_("Nothing: no session can have this number."), changes=False)
    kinds = _kinds(connection, number, data.get("type"))
    for kind in kinds:
        if is_recording:
            reading.mark_recorded(connection, kind, [number])
        else:
            request_reread(connection, kind, number)
    words = (
        ngettext(
            "%(what)s %(number)s is noted as recorded.",
            "%(what)s %(number)s are noted as recorded.",
            len(kinds),
        )
        if is_recording
        else ngettext(
            "%(what)s %(number)s is being updated.",
            "%(what)s %(number)s are being updated.",
            len(kinds),
        )
    )
    what = kinds[0].label if len(kinds) == 1 else _("Meeting and webinar")
    return EventEffect(words % {"what": what, "number": number})


def reread(connection: Connection, **_others: object) -> MirrorState | None:
    """Has the list read again after a gap, if it has viewers."""
    state = mirror.state_of(connection)
    return READING.request(connection) if state.is_watched else None


def _kinds(connection: Connection, number: str, reported_type: object) -> list[SessionKind]:
    """Returns the kind by its type or by what is stored of it; both kinds if neither tells."""
    if reported_type in list(MeetingType):
        return [SessionKind.MEETING]
    if reported_type in list(WebinarType):
        return [SessionKind.WEBINAR]
    mirrored = MirroredSession.objects.filter(connection=connection, session_id=number)
    return [SessionKind(kind) for kind in mirrored.values_list("kind", flat=True)] or list(
        SessionKind
    )


def update_lists(connection: Connection, call: Call[object], answer: Any, **_: object) -> None:
    """Has a session that was created or changed read again, or drops one that was deleted, with the
    planned times of its host."""
    family = call.operation.family
    if family not in (Meetings.name, Webinars.name):
        return
    is_new = call.operation in (Meetings.create, Webinars.create)
    number = str(answer.id if is_new else call.ids[0])
    hosts.clear(
        connection, answer.host_id if is_new else mirror.host_of(connection, family, number)
    )
    one_occurrence = getattr(call.query, "occurrence_id", None)
    if call.operation in (Meetings.delete, Webinars.delete) and not one_occurrence:
        mirror.drop(connection, family, number)
    else:
        request_reread(connection, SessionKind(family), number)
