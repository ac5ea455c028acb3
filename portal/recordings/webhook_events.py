"""The events of recordings: the recordings of their hosts are read again."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from django.utils.translation import gettext_noop

from portal.access.models import Connection
from portal.access.scope import Scope
from portal.contract.events import lists_of, reported
from portal.contract.operation import Call
from portal.contract.recordings import RecordingRemoval, Recordings
from portal.contract.webhooks import WebhookEvent
from portal.mirror.models import MirrorState
from portal.mirror.values import text
from portal.recordings import mirror, sharing
from portal.recordings.jobs.reading import request_reading
from portal.recordings.models import MirroredRecording, RecordingStatus
from portal.translation import gettext as _
from portal.webhooks.deliveries import EventEffect
from portal.webhooks.gaps import Happening

_COMPLETED = WebhookEvent.RECORDING_COMPLETED.value
_READ_AGAIN = gettext_noop("The recordings of host %(host)s are being updated.")
_RECORDING = gettext_noop("recording of %(topic)s")
EVENT_WORDS = (_READ_AGAIN, _RECORDING)
_PROCESSED_WITHIN = timedelta(hours=1)
_SHOWN = ("session_id", "uuid", "topic", "start_time", "duration")
_OF_FILES = (
    Recordings.recover,
    Recordings.recover_file,
    Recordings.delete,
    Recordings.delete_file,
)


def handle_event(
    connection: Connection, event: str, data: Mapping[str, object], **_rest: object
) -> EventEffect | None:
    """Handles an event of a recording. A list that is not viewed is read when it is viewed."""
    if mirror.NAME not in lists_of(event):
        return None
    if not mirror.state_of(connection).is_watched:
        words = _("Recordings are updated when someone next opens them.")
        return EventEffect(words, changes=False)
    hosts = _hosts(connection, event, data)
    request_reading(connection, hosts)
    if not hosts:
        return EventEffect(_("The recordings of all hosts are being updated."))
    return EventEffect("\n".join(_(_READ_AGAIN) % {"host": host} for host in hosts))


def _hosts(connection: Connection, event: str, data: Mapping[str, object]) -> list[str]:
    """Returns the hosts of the recordings of an event; none if it names recordings alone, and one
    of them is not listed."""
    if host := text(data.get("host_id")):
        return [host]
    today = reported(event)
    uuids = set(today.texts("uuid", data)) if today else set()
    listed = MirroredRecording.objects.filter(connection=connection, uuid__in=uuids)
    hosts = dict(listed.values_list("uuid", "host_id"))
    return sorted(set(hosts.values())) if hosts.keys() == uuids else []


def reread(connection: Connection, **_rest: object) -> MirrorState | None:
    """Has the list read again after a gap, if it is viewed."""
    state = mirror.state_of(connection)
    return request_reading(connection) if state.is_watched else None


def unreported(
    scope: Scope, since: datetime, until: datetime, **_rest: object
) -> Iterator[Happening]:
    """Yields listed recordings that ended long enough ago to have been reported."""
    recordings = mirror.listed(scope).filter(start_time__gt=since)
    for row in recordings.exclude(status=RecordingStatus.TRASHED).only(*_SHOWN).iterator():
        ended_at = (row.start_time or until) + timedelta(minutes=row.duration or 0)
        if ended_at < until - _PROCESSED_WITHIN:
            topic = row.topic or row.session_id
            yield Happening(
                _COMPLETED,
                row.session_id,
                row.uuid,
                ended_at,
                _(_RECORDING) % {"topic": topic},
            )


def update_lists(connection: Connection, call: Call[object], **_: object) -> None:
    """Records which files are in the trash now, or deleted, and who may watch."""
    if call.operation in _OF_FILES:
        uuid, *files = map(str, call.ids)
        action = getattr(call.query or call.body, "action", None) or RecordingRemoval.TRASH
        mirror.record_files(connection, {uuid: files}, action)
    elif call.operation == Recordings.update_settings and call.body is not None:
        sharing.record_written(connection, {str(call.ids[0]): call.body.sent()})
