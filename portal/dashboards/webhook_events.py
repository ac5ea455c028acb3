"""What the live sessions say about notifications that should have come."""

from collections.abc import Iterator
from datetime import datetime

from portal.access.models import Connection
from portal.contract.webhooks import WebhookEvent
from portal.dashboards.services.live.kept import kept
from portal.dashboards.services.live.picture import MEETINGS
from portal.mirror.gaps import Happening

_STARTED = WebhookEvent.MEETING_STARTED.value


def untold(connection: Connection, since: datetime, until: datetime) -> Iterator[Happening]:
    """The meetings of the last picture that began in between."""
    for one in kept(connection).picture.lists[MEETINGS].sessions:
        if one.number and one.started_at and since < one.started_at <= until:
            yield Happening(_STARTED, one.number, one.uuid, one.started_at, one.topic or one.number)
