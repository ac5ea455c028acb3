"""Tabs of the dashboards on the page about a person."""

from typing import Any

from portal.access.http import PortalRequest
from portal.contract.metrics import Metrics
from portal.translation import gettext_lazy
from portal.ui.person_tabs import PersonTab


def _quality(request: PortalRequest, user_id: str) -> dict[str, Any]:
    from portal.dashboards.views.streams.person import (  # noqa: PLC0415 - no worker needs pages
        quality_tab,
    )

    return quality_tab(request, user_id)


QUALITY = PersonTab(
    name="quality",
    label=gettext_lazy("Quality"),
    place=40,
    needs=Metrics.meeting_qualities,
    template="dashboards/quality_person_sessions.html",
    read=_quality,
)
