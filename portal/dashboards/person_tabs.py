"""Tabs of the dashboards on the page about a person."""

from typing import Any

from django.urls import reverse

from portal.access.http import PortalRequest
from portal.access.scope import Scope
from portal.contract.metrics import Metrics
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number
from portal.ui.tabs import PersonFigure, PersonTab, ShownFigure


def _quality(request: PortalRequest, user_id: str) -> dict[str, Any]:
    from portal.dashboards.views.streams.person import (  # noqa: PLC0415 - no worker needs pages
        quality_tab,
    )

    return quality_tab(request, user_id)


def _poor(scope: Scope, user_id: str) -> ShownFigure | None:
    from portal.dashboards.services.streams.person import (  # noqa: PLC0415 - no worker needs it
        poor_share,
    )

    share = poor_share(scope.connection, user_id)
    if share is None:
        return None
    url = reverse("people:tab", args=[scope.connection.key, user_id, "quality"])
    about = _("of %(count)s streams measured") % {"count": number(share.streams)}
    return ShownFigure(f"{number(share.percent, 1)} %", about, url)


POOR_STREAMS = PersonFigure(gettext_lazy("Poor streams"), 30, Metrics.meeting_qualities, _poor)
QUALITY = PersonTab(
    name="quality",
    label=gettext_lazy("Quality"),
    place=40,
    needs=Metrics.meeting_qualities,
    template="dashboards/quality_person_sessions.html",
    read=_quality,
)
