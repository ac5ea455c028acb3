"""The portal's URLs, but for live sessions: each viewer has the service asked, and waits for it.

What `bench.dashboard` compares the portal with.
"""

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone

from portal.access.http import PortalRequest
from portal.config import urls
from portal.connections.connected import connected
from portal.contract.metrics import Metrics
from portal.dashboards.filters import chosen
from portal.dashboards.services.live.picture import LivePicture, StoredPicture
from portal.dashboards.services.live.reader import fetched
from portal.dashboards.views.live_fragment import fragment_of


@connected(needs=Metrics.meetings)
def now(request: PortalRequest) -> HttpResponse:
    at = timezone.now()
    picture = LivePicture("", fetched(request.scope, LivePicture().lists, at))
    fragment = fragment_of(request, StoredPicture(picture, at), chosen(request.GET.dict()), None)
    return HttpResponse(render_to_string("dashboards/now_live.html", fragment.context(), request))


urlpatterns: list[URLPattern | URLResolver] = [
    path("c/<str:connection>/dashboards/", now),
    *urls.urlpatterns,
]
handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500
