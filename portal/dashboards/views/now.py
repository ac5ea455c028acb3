"""The page of live sessions, and its fragment that refreshes itself."""

from datetime import timedelta

from django.http import HttpResponse
from django.middleware.gzip import re_accepts_gzip
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.dateformat import format as formatted
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest
from portal.config import clock
from portal.connections.connected import connected
from portal.contract.metrics import Metrics
from portal.dashboards.filters import LiveFilter, chosen
from portal.dashboards.services.live import samples
from portal.dashboards.services.live.picture import StoredPicture, stored_picture
from portal.dashboards.services.live.reader import watch
from portal.dashboards.services.live.samples import SHOWN, Curve
from portal.dashboards.views.live_fragment import LiveFragment, Rendered, fragment_of, rendered
from portal.translation import gettext as _, number
from portal.ui.charts import Chart, Series, Sparkline
from portal.ui.pages import page
from portal.ui.states import HEALTH, health_header

_EVERY = timedelta(minutes=1)


def curve_charts(curve: Curve) -> list[Chart]:
    """Returns charts of participants and sessions by the minute, with gaps without samples."""
    taken = curve.samples
    people = [Series(_("Participants"), [one.participants for one in taken])]
    sessions = [
        Series(_("Meetings"), [one.meetings for one in taken]),
        Series(_("Webinars"), [one.webinars for one in taken]),
    ]
    return [
        _chart(curve, "live", _("Participants in the last hours"), people, _sentence(curve)),
        _chart(curve, "live-sessions", _("Sessions in the last hours"), sessions, _most(curve)),
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
    if curve.since is None:
        return _(
            "The service reports only what is live now. The curve starts with the first answer."
        )
    counts = [one.participants for one in curve.samples if one.participants is not None]
    since = formatted(timezone.localtime(curve.since), _("j M, H:i"))
    recorded = _("Recorded since %(since)s, for up to a day.") % {"since": since}
    if not counts:
        return recorded
    counted = _("Participants: %(now)s now, %(most)s at most.") % {
        "now": number(counts[-1]),
        "most": number(max(counts)),
    }
    return f"{recorded} {counted}"


def _most(curve: Curve) -> str:
    """Returns words for the sessions that were live at once; none before the first sample."""
    pairs = ((one.meetings, one.webinars) for one in curve.samples)
    counts = [sum(n for n in pair if n is not None) for pair in pairs]
    if not counts:
        return ""
    values = {"now": number(counts[-1]), "most": number(max(counts))}
    return _("Live at once: %(now)s now, %(most)s at most.") % values


FRAGMENT = "live"  # the id of the element that keeps itself fresh
AS_OF = "Switchboard-As-Of"
# Seconds: how old the figures are, and after how many there may be newer ones.
AGE, NEXT = "Switchboard-Age", "Switchboard-Next"


@require_safe
@connected(needs=Metrics.meetings)
def now(request: PortalRequest) -> HttpResponse:
    """Shows live meetings and webinars; `wall=1` is for a screen on a wall."""
    stored = stored_picture(request.scope)
    waiting_since = watch(request.connection, stored.asked_at)
    fragment = fragment_of(request, stored, chosen(request.GET.dict()), waiting_since)
    if request.htmx.target == FRAGMENT:
        return _fragment(request, stored, fragment)
    context = {
        "fragment": fragment,
        "live": _rendered(request, fragment).html,
        "as_of": as_of(stored),
        "wall_url": request.path + fragment.query_with(wall="1", open="", all=""),
        "filters": LiveFilter(fragment.chosen, scope=request.scope),
        "charts": curve_charts(samples.curve(request.connection)),
    }
    name = "wall" if fragment.is_wall else "now"
    return page(request, f"dashboards/{name}.html", context)


@require_safe
@connected(needs=Metrics.meetings)
def curve(request: PortalRequest) -> HttpResponse:
    """Shows the curves of the last hours, asked for once a minute by the page."""
    charts = curve_charts(samples.curve(request.connection))
    context = {"charts": charts, "is_wall": request.GET.get("wall") == "1"}
    return HttpResponse(render_to_string("dashboards/now_curve.html", context, request))


def as_of(stored: StoredPicture) -> str:
    """Returns the time of the picture on the viewer's clock; empty before the first one."""
    return formatted(timezone.localtime(stored.read_at), "H:i:s") if stored.read_at else ""


def _fragment(
    request: PortalRequest, stored: StoredPicture, fragment: LiveFragment
) -> HttpResponse:
    # Weak, since it stands for the fragment compressed and plain.
    etag = f'W/"{fragment.etag}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        answer = _answer(request, _rendered(request, fragment))
        answer["ETag"] = etag
    answer["Cache-Control"] = "no-cache, private"  # untranslated: a header
    answer[AS_OF] = as_of(stored)
    answer[AGE], answer[NEXT] = (
        f"{one.total_seconds():.2f}" for one in (fragment.age, fragment.next_in)
    )
    answer[HEALTH] = health_header(request.connection.health)
    if request.htmx.trigger == "live-filters":
        answer["HX-Push-Url"] = f"{request.path}{fragment.query}"
    patch_vary_headers(answer, ["HX-Request", "HX-Target", "Accept-Encoding"])
    return answer


def _answer(request: PortalRequest, shown: Rendered) -> HttpResponse:
    if not re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
        return HttpResponse(shown.html)
    return HttpResponse(shown.compressed, headers={"Content-Encoding": "gzip"})


def _rendered(request: PortalRequest, fragment: LiveFragment) -> Rendered:
    """Returns the fragment, rendered once for all viewers of this process who see the same."""

    def render() -> str:
        # The counts of each minute are of all sessions.
        counts = {} if request.scope.is_narrow else samples.sparks(request.connection)
        curves = {name: Sparkline(values, from_zero=True) for name, values in counts.items()}
        context = {**fragment.context(), "sparks": curves}
        return render_to_string("dashboards/now_live.html", context, request)

    return rendered((fragment.query, fragment.seen_by), fragment.etag, render)
