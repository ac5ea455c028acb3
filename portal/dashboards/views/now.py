"""The page of live sessions, and its fragment that refreshes itself."""

from django.http import HttpResponse
from django.middleware.gzip import re_accepts_gzip
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.dateformat import format as formatted
from django.views.decorators.http import require_safe

from portal.access.http import PortalRequest
from portal.connections.connected import connected
from portal.contract.metrics import Metrics
from portal.dashboards.filters import LiveFilter, chosen
from portal.dashboards.services.live import samples
from portal.dashboards.services.live.picture import StoredPicture, stored_picture
from portal.dashboards.services.live.reader import measure, watch
from portal.dashboards.views.live_fragment import LiveFragment, Rendered, fragment_of, rendered
from portal.ui.charts import Sparkline
from portal.ui.pages import page
from portal.ui.states import HEALTH, health_header

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
    if fragment.opened and not fragment.opened.quality:
        measure(request.connection, fragment.opened)
    if request.htmx.target == FRAGMENT:
        return _fragment(request, stored, fragment)
    context = {
        "fragment": fragment,
        "live": _rendered(request, fragment).html,
        "as_of": as_of(stored),
        "wall_url": request.path + fragment.query_with(wall="1", open="", all=""),
        "filters": LiveFilter(fragment.chosen, scope=request.scope),
    }
    name = "wall" if fragment.is_wall else "now"
    return page(request, f"dashboards/{name}.html", context)


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
        curves = {name: Sparkline(values[:-1], from_zero=True) for name, values in counts.items()}
        peaks = {name: values[-1] for name, values in counts.items()}
        context = {**fragment.context(), "sparks": curves, "peaks": peaks}
        return render_to_string("dashboards/now_live.html", context, request)

    return rendered((fragment.query, fragment.seen_by), fragment.etag, render)
