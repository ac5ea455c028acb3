"""The figure of the first page that says what is live, with the curve of the last day."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as formatted

from portal.access.scope import Scope
from portal.config import clock
from portal.contract.metrics import Metrics
from portal.dashboards.home import FRESH
from portal.dashboards.services.live import samples
from portal.dashboards.services.live.kept import kept, kept_of
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number
from portal.ui.home_panels import HomeColumn, HomeFigure, HomeTile, short

_POINTS = 60  # of a curve: more would not be seen


def _read(scope: Scope) -> HomeFigure:
    url = reverse("dashboards:now", args=[scope.connection.key])
    one = kept(scope)
    if one.asked_at is None or not one.picture.lists:
        return HomeFigure(url, about=_("Open Live to start watching"))
    lists = one.picture.lists
    total = samples.totals(lists)
    if total.sessions is None:
        return HomeFigure(url, about=_("Open Live to start watching"))
    there = total.participants or 0
    about = ngettext("%(count)s person in", "%(count)s people in", there) % {"count": number(there)}
    curve: list[float] = []
    if not scope.is_narrow:  # what was counted each minute is of all
        day = samples.curve(scope.connection, samples.KEPT_FOR).samples
        counted = [each for each in day if each.participants is not None]
        if counted:
            peak = max(counted, key=lambda each: each.participants or 0)
            at = formatted(timezone.localtime(peak.minute), "H:i")
            about += " · " + _("peak %(count)s at %(time)s") % {
                "count": number(peak.participants or 0),
                "time": at,
            }
            curve = [float(each.participants or 0) for each in counted]
            curve = curve[:: max(len(curve) // _POINTS, 1)]
    unit = ngettext("session under way", "sessions under way", total.sessions)
    is_old = one.asked_at < clock.now() - FRESH
    return HomeFigure(
        url, short(total.sessions), unit, about, curve, as_of=one.asked_at if is_old else None
    )


def _column(scopes: Sequence[Scope]) -> dict[int, str]:
    found, since = kept_of([scope.connection for scope in scopes]), clock.now() - FRESH
    return {
        key: number(len(one.picture.sessions))
        for key, one in found.items()
        if one.asked_at and one.asked_at >= since
    }


LIVE_COLUMN = HomeColumn(gettext_lazy("Live"), 10, _column, needs=(Metrics.meetings,))
LIVE_NOW = HomeTile(gettext_lazy("Live now"), 10, _read, needs=(Metrics.meetings,), of_part=True)
