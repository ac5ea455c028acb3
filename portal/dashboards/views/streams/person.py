"""Streams of one person in their last sessions, on a page and on a tab."""

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse

from portal.access.http import PortalRequest
from portal.contract.metrics import Metrics
from portal.dashboards.models import MeasuredSession
from portal.dashboards.quality_tables import stay_url
from portal.dashboards.services.session.thresholds import thresholds
from portal.dashboards.services.streams import person
from portal.dashboards.services.streams.days import KEPT_FOR
from portal.dashboards.services.streams.storing import person_of_account
from portal.dashboards.views.session.quality import STATES
from portal.translation import gettext as _
from portal.ui.charts import WORDS
from portal.ui.pages import page
from portal.ui.views.connected import ConnectedView


class PersonBoardView(ConnectedView):
    """One person's quality over all their sessions, twenty at a time."""

    needs = Metrics.meeting_qualities
    http_method_names = ("get", "head", "options")

    def get(self, *_args: object, person: str, **_kwargs: object) -> HttpResponse:
        context = quality_of(self.request, person)
        if context["measured"] is None:
            raise Http404(_("Nothing was measured of this person."))
        return page(self.request, "dashboards/quality_person.html", context)


def quality_of(request: PortalRequest, key: str) -> dict[str, Any]:
    """Returns the context of `dashboards/quality_person_sessions.html`."""
    connection = request.connection
    found = person.find(connection, key)
    if found is None:
        return {"measured": None, "kept_days": KEPT_FOR.days}
    limits = thresholds(connection)
    paginator = Paginator(person.sessions(connection, key, limits), person.AT_ONCE)
    shown = paginator.get_page(request.GET.get("page"))
    listed = list(shown.object_list)
    rows = [_row(request, one) for one in listed]
    return {
        "measured": found,
        "page": shown,
        "rows": rows,
        "charts": person.charts(listed, limits),
        "poor": sum(row["level"] == "poor" for row in rows),
        "kept_days": KEPT_FOR.days,
    }


def quality_tab(request: PortalRequest, user_id: str) -> dict[str, Any]:
    """Returns the context of the tab on the page about a person."""
    return quality_of(request, person_of_account(user_id))


def _row(request: PortalRequest, one: MeasuredSession) -> dict[str, Any]:
    level = person.level(one)
    participant: str = one.participant  # type: ignore[attr-defined]
    return {
        "session": one,
        "url": stay_url(request.connection, one, participant),
        "level": level,
        "state": STATES[level],
        "word": WORDS[level],
    }
