"""Serves the stored snapshot to viewers: one query each, parsed once per process."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

from portal.access.models import Connection
from portal.dashboards.models import LiveSnapshot
from portal.dashboards.services.live.picture import Picture, loaded

_MOST = 64
_known: OrderedDict[int, "Kept"] = OrderedDict()
_changing = threading.Lock()


@dataclass(frozen=True)
class Kept:
    """A picture, and when the service was last asked for one."""

    picture: Picture
    asked_at: datetime | None


def kept(connection: Connection) -> Kept:
    """What is known of what runs; an empty picture before the first reading."""
    rows = LiveSnapshot.objects.filter(connection=connection)
    asked_at = rows.values_list("asked_at", flat=True).first()
    if asked_at is None:
        return Kept(Picture(), None)
    with _changing:
        before = _known.get(connection.pk)
    if before and before.asked_at == asked_at:
        return before
    [(asked_at, version, content)] = rows.values_list("asked_at", "version", "content")
    made = Kept(loaded(version, content), asked_at)
    with _changing:
        _known[connection.pk] = made
        _known.move_to_end(connection.pk)
        while len(_known) > _MOST:
            _known.popitem(last=False)
    return made
