"""Effects on the list of recordings of calls that were made elsewhere."""

from collections.abc import Sequence
from typing import Any

from portal.access.calls_made import Made
from portal.access.models import Connection
from portal.contract.operation import Call
from portal.contract.recordings import RecordingRemoval, Recordings
from portal.recordings import mirror, sharing


def update_lists(connection: Connection, calls: Sequence[Made], **_: object) -> None:
    """Notes which files are in the trash now, or gone, and who may watch."""
    for call, _answer in calls:
        if call.operation in (Recordings.recover, Recordings.recover_file):
            uuid, *files = map(str, call.ids)
            mirror.note_recovered(connection, [uuid], files)
        elif call.operation in (Recordings.delete, Recordings.delete_file):
            uuid, *files = map(str, call.ids)
            note = mirror.note_deleted if _is_permanent(call) else mirror.note_trashed
            note(connection, [uuid], *files)
        elif call.operation == Recordings.update_settings and call.body is not None:
            sharing.note_written(connection, {str(call.ids[0]): call.body.sent()})


def _is_permanent(call: Call[Any]) -> bool:
    return getattr(call.query, "action", None) is RecordingRemoval.DELETE
