"""Orders live sessions by how much attention they need, with the reasons."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.access.models import Connection
from portal.config import clock
from portal.dashboards.models import KeptSample
from portal.dashboards.services.live.picture import LiveSession
from portal.translation import gettext as _
from portal.translation import gettext_lazy
from portal.ui.states import State

_FORGOTTEN = timedelta(hours=12)
_ALONE = timedelta(minutes=30)
_RANK: dict[State, int] = {"bad": 0, "warning": 1}


@dataclass(frozen=True)
class AttentionReason:
    """Why a session is among the first, in a few words."""

    state: State
    words: str


def reasons(session: LiveSession, now: datetime) -> list[AttentionReason]:
    """The worst first; none for a session that goes as usual."""
    found = []
    if session.quality == "poor":
        found.append(AttentionReason("bad", _("Poor quality")))
    elif session.quality == "fair":
        found.append(AttentionReason("warning", _("Fair quality")))
    lasts = now - session.started_at if session.started_at else timedelta()
    if lasts > _FORGOTTEN:
        found.append(AttentionReason("warning", _("Running over 12 hours")))
    if session.participants == 0:
        found.append(AttentionReason("warning", _("No participants")))
    elif session.participants == 1 and lasts > _ALONE:
        found.append(AttentionReason("warning", _("1 participant")))
    return found


def first(sessions: Iterable[LiveSession], now: datetime) -> list[LiveSession]:
    """Returns the sessions that need attention first, then the largest, then the oldest."""
    return sorted(sessions, key=lambda one: _place(one, now))


def _place(session: LiveSession, now: datetime) -> tuple[int, int, float, str]:
    worst = min((_RANK[one.state] for one in reasons(session, now)), default=len(_RANK))
    began = session.started_at.timestamp() if session.started_at else float("inf")
    return worst, -(session.participants or 0), began, session.key


LEVELS = {"good": gettext_lazy("Good"), "fair": gettext_lazy("Fair"), "poor": gettext_lazy("Poor")}
_WORST_LAST = list(LEVELS)
_LATELY = timedelta(minutes=5)
_BATCH = 500


# The service gives quality for one session at a time and ten participants a page, so it is read for
# open sessions alone; the list shows what was stored of that within five minutes.
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
