"""The use of call-routing ports, hour by hour."""

from django.http import HttpResponse
from django.utils import dateformat

from portal.contract.metrics import Metrics
from portal.dashboards.past_filters import PortsFilter
from portal.dashboards.services.ports import HeatMap, heat_map
from portal.ui.pages import page
from portal.ui.ranges import Range
from portal.ui.views.connected import ConnectedView
from portal.ui.views.listing import RESULTS


class Ports(ConnectedView):
    """A heat map of the viewer's days, with the maximum of each."""

    needs = Metrics.ports
    http_method_names = ("get", "head", "options")

    def get(self, *_args: object, **_kwargs: object) -> HttpResponse:
        filters = PortsFilter(self.request.GET)
        chosen = filters.range
        found = heat_map(self.request.api, chosen)
        context = {
            "filters": filters,
            "range": chosen,
            "map": found,
            "hours": range(24),
            "sentence": _sentence(found, chosen),
            "past_the_hour": _past_the_hour(found, chosen),
        }
        is_results = self.request.htmx and self.request.htmx.target == RESULTS
        fragment = RESULTS if is_results else "content"
        return page(self.request, "dashboards/ports.html", context, fragment=fragment)


def _sentence(found: HeatMap, chosen: Range) -> str:
    """What the heat map shows, for those who do not see it."""
    if found.busiest is None:
        return ""
    if not found.most:
        return "No call-routing port was in use on these days."
    begin, end = (at.astimezone(chosen.zone) for at in (found.busiest.begin, found.busiest.end))
    ports = "1 port was" if found.most == 1 else f"{found.most:,} ports were"
    words = (
        f"At most {ports} in use at once, on {dateformat.format(begin, 'j F Y')} between"
        f" {begin:%H:%M} and {end:%H:%M} ({chosen.zone_name})."
    )
    if found.idle_days:
        words += f" On {found.idle_days} of {found.known_days} days no port was in use."
    return words


def _past_the_hour(found: HeatMap, chosen: Range) -> int:
    """The minutes past the hour at which the service's hours begin in the viewer's zone."""
    local = found.busiest.begin.astimezone(chosen.zone) if found.busiest else None
    return local.minute if local else 0
