"""The quality of live sessions, for those that someone has opened.

The service gives quality for one session at a time and ten participants a page, so it is read only
for sessions that are open; the list shows what was kept of that within five minutes.
"""

from collections.abc import Sequence
from datetime import timedelta

from portal.access.models import Connection
from portal.config import clock
from portal.dashboards.models import KeptSample
from portal.translation import gettext_lazy

LEVELS = {"good": gettext_lazy("Good"), "fair": gettext_lazy("Fair"), "poor": gettext_lazy("Poor")}
_WORST_LAST = list(LEVELS)
_LATELY = timedelta(minutes=5)
_BATCH = 500


def measured(connection: Connection, uuids: Sequence[str]) -> dict[str, str]:
    """By session, the worst of what was measured lately: a key of `LEVELS`."""
    found: dict[str, str] = {}
    lately = KeptSample.objects.filter(
        connection=connection, measured_at__gte=clock.now() - _LATELY, level__in=LEVELS
    )
    for start in range(0, len(uuids), _BATCH):
        own = lately.filter(session__in=uuids[start : start + _BATCH])
        for uuid, level in own.values_list("session", "level").distinct():
            found[uuid] = max(found.get(uuid, level), level, key=_WORST_LAST.index)
    return found
