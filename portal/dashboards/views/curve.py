"""The curve of how much ran in the last hours."""

from datetime import timedelta

from django.utils import timezone
from django.utils.dateformat import format as formatted

from portal.config import clock
from portal.dashboards.services.live.samples import SHOWN, Curve
from portal.translation import gettext as _
from portal.translation import number
from portal.ui.charts import Chart, Series

_EVERY = timedelta(minutes=1)


def curve_charts(curve: Curve) -> list[Chart]:
    """Participants, and sessions, by the minute; minutes that were not sampled are gaps."""
    taken = curve.samples
    people = [Series(_("Participants"), [one.participants for one in taken])]
    sessions = [
        Series(_("Meetings"), [one.meetings for one in taken]),
        Series(_("Webinars"), [one.webinars for one in taken]),
    ]
    return [
        _chart(curve, "live", _("Participants in the last hours"), people, _sentence(curve)),
        _chart(curve, "live-sessions", _("Sessions in the last hours"), sessions, ""),
    ]


def _chart(curve: Curve, name: str, title: str, series: list[Series], sentence: str) -> Chart:
    now, taken = clock.now(), curve.samples
    first = max(now - SHOWN, curve.since) if curve.since else now
    return Chart(
        name,
        title,
        [one.minute for one in taken],
        series,
        period=(first, now) if taken else None,
        every=_EVERY * 2,
        sentence=sentence,
    )


def _sentence(curve: Curve) -> str:
    """Returns words for the curve, and for its beginning."""
    if curve.since is None:
        return _(
            "The service reports only what is live now. The curve starts with the first answer."
        )
    counts = [one.participants for one in curve.samples if one.participants is not None]
    since = formatted(timezone.localtime(curve.since), _("j M, H:i"))
    said = _("Recorded since %(since)s, for up to a day.") % {"since": since}
    if not counts:
        return said
    counted = _("Participants: %(now)s now, %(most)s at most.") % {
        "now": number(counts[-1]),
        "most": number(max(counts)),
    }
    return f"{said} {counted}"
