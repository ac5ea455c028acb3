"""The panel of the first page that says which sessions come next."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone

from portal.access.scope import Scope
from portal.config import clock
from portal.contract.meetings import Meetings
from portal.sessions import mirror
from portal.sessions.models import MirroredSession
from portal.sessions.specs import has_page
from portal.translation import gettext_lazy
from portal.ui.home import HomePanel

_SHOWN = 4
_AHEAD = timedelta(days=7)


def _read(scope: Scope) -> Mapping[str, Any]:
    if mirror.state_of(scope.connection).refreshed_at is None:
        return {"is_unknown": True}
    now = clock.now()
    coming = mirror.beginning(scope, now, now + _AHEAD).select_related("session")
    zone = timezone.get_current_timezone()
    day = timezone.localdate(clock.now()) + timedelta(days=1)
    begin = datetime.combine(day, time(), zone)
    tomorrow = mirror.beginning(scope, begin, begin + timedelta(days=1)).order_by().count()
    found = [(one, _address(scope, one.session)) for one in coming[:_SHOWN]]
    return {"found": found, "tomorrow": tomorrow, "today": timezone.localdate(clock.now())}


def _address(scope: Scope, session: MirroredSession) -> str:
    if not has_page(session.session_id):
        return ""
    return reverse(f"{session.kind}:session", args=[scope.connection.key, session.session_id])


NEXT = HomePanel(
    gettext_lazy("Next up"),
    20,
    _read,
    "sessions/home_next.html",
    ("sessions:calendar", gettext_lazy("Calendar")),
    needs=(Meetings.of_user,),
    of_part=True,
)
