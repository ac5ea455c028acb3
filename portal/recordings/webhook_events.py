"""The events of recordings: the recordings of their hosts are read again."""

from collections.abc import Mapping
from typing import Any

from portal.access.models import Connection
from portal.contract.webhooks import WebhookEvent
from portal.mirror.values import text
from portal.recordings import mirror
from portal.recordings.jobs.reading import request_reading

_CHANGES = {
    WebhookEvent.RECORDING_COMPLETED.value,
    WebhookEvent.RECORDING_TRANSCRIPT_COMPLETED.value,
}


def handle_event(connection: Connection, event: str, data: Mapping[str, Any], **_: object) -> None:
    """Takes what the service reports. Lists that nobody looks at are read when somebody does."""
    if event in _CHANGES and mirror.state_of(connection).is_watched:
        host = text(data.get("host_id"))
        request_reading(connection, [host] if host else [])
