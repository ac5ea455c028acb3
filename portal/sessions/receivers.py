"""The events of sessions: the worker reads those sessions again."""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from django.utils.translation import gettext_noop

from portal.access.models import Connection
from portal.contract.events import SESSIONS, lists_of
from portal.contract.operation import Call
from portal.contract.path import NotAnId
from portal.contract.webhooks import WebhookEvent
from portal.mirror.models import MirrorState
from portal.mirror.values import text
from portal.sessions import mirror
from portal.sessions.jobs import reading
from portal.sessions.jobs.reading import READING
from portal.sessions.kinds import all_kinds, kind_called
from portal.sessions.models import MirroredSession
from portal.sessions.rereading import request_reread
from portal.sessions.services import hosts
from portal.sessions.specs import SessionSpec
from portal.translation import gettext as _
from portal.webhooks.deliveries import EventEffect

EVENT_WORDS = (
    gettext_noop("%(what)s %(number)s is noted as recorded."),
    gettext_noop("%(what)s %(number)s is being updated."),
)
_log = structlog.get_logger(__name__)


def handle_event(
    connection: Connection, event: str, data: Mapping[str, object], **_others: object
) -> EventEffect | None:
    """Takes what the service reports. Lists without viewers are read when they are next opened."""
    is_recording = event == WebhookEvent.RECORDING_COMPLETED
    lists = lists_of(event)
    named = [one for one in all_kinds() if one.family in lists]
    if not named and SESSIONS not in lists:
        return None
    if not mirror.state_of(connection).is_watched:
        words = _("Sessions are updated when someone next opens them.")
        return EventEffect(words, changes=False)
    number = text(data.get("id"))
    if not (number.isascii() and number.isdigit()):
        READING.request(connection)
        return EventEffect(_("All sessions are being updated: the event names none."))
    kinds = named or _kinds(connection, number, data.get("type"))
    try:
        for kind in kinds:
            number = str(kind.get.ids[0].check(number))
    except NotAnId as problem:
        _log.warning("notification set aside", connection=connection.key, reason=str(problem))
        return EventEffect(_("Nothing: no session can have this number."), changes=False)
    for kind in kinds:
        if is_recording:
            reading.mark_recorded(connection, kind.family, [number])
        else:
            request_reread(connection, kind.family, number)
    words = (
        _("%(what)s %(number)s is noted as recorded.")
        if is_recording
        else _("%(what)s %(number)s is being updated.")
    )
    what = kinds[0].label if len(kinds) == 1 else _("Session")
    return EventEffect(words % {"what": what, "number": number})


def reread(connection: Connection, **_others: object) -> MirrorState | None:
    """Has the list read again after a gap, if it has viewers."""
    state = mirror.state_of(connection)
    return READING.request(connection) if state.is_watched else None


def _kinds(connection: Connection, number: str, reported_type: object) -> Sequence[SessionSpec]:
    """Returns the kind by its type or by what is stored of it; all kinds if neither tells."""
    by_type = [one for one in all_kinds() if reported_type in list(one.types)]
    if by_type:
        return by_type
    mirrored = MirroredSession.objects.filter(connection=connection, session_id=number)
    stored = set(mirrored.values_list("kind", flat=True))
    return [one for one in all_kinds() if one.family in stored] or all_kinds()


def update_lists(connection: Connection, call: Call[object], answer: Any, **_: object) -> None:
    """Has a session that was created or changed read again, or drops one that was deleted, with the
    planned times of its host."""
    family = call.operation.family
    spec = kind_called(family)
    if spec is None:
        return
    is_new = call.operation == spec.create
    number = str(answer.id if is_new else call.ids[0])
    hosts.clear(
        connection, answer.host_id if is_new else mirror.host_of(connection, family, number)
    )
    one_occurrence = getattr(call.query, "occurrence_id", None)
    if call.operation == spec.delete and not one_occurrence:
        mirror.drop(connection, family, number)
    else:
        request_reread(connection, family, number)
