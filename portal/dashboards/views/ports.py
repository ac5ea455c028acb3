"""The use of call-routing ports, hour by hour."""

from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import dateformat

from portal.config import clock
from portal.contract.metrics import Metrics
from portal.dashboards.past_filters import PortsFilter
from portal.dashboards.services.ports import HeatMap, heat_map
from portal.translation import gettext as _
from portal.translation import gettext_lazy, ngettext, number
from portal.translation.stored import in_english
from portal.ui import exports
from portal.ui.exports import ExportColumn, of
from portal.ui.pages import go, page, toast
from portal.ui.ranges import Range
from portal.ui.views.connected import ConnectedView
from portal.ui.views.listing import RESULTS

_COLUMNS = (
    of("begin", gettext_lazy("Hour"), is_moment=True),
    ExportColumn("max_usage", lambda hour: hour.most, gettext_lazy("At most at once")),
    ExportColumn("total_usage", lambda hour: hour.total, gettext_lazy("Total use")),
)


class PortsView(ConnectedView):
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
            "csv_url": self._file("csv"),
            "xlsx_url": self._file("xlsx"),
        }
        is_results = self.request.htmx and self.request.htmx.target == RESULTS
        fragment = RESULTS if is_results else "content"
        return page(self.request, "dashboards/ports.html", context, fragment=fragment)

    def _file(self, kind: str) -> str:
        page = reverse("dashboards:ports-export", args=[self.request.connection.key, kind])
        return f"{page}?{self.request.GET.urlencode()}"


class PortsFileView(ConnectedView):
    """The hours as a file; all of them or none, since what is missing would look idle."""

    needs = Metrics.ports
    http_method_names = ("get", "head", "options")

    def get(self, *_args: object, file: str, **_kwargs: object) -> HttpResponseBase:
        if file not in exports.KINDS:
            raise Http404
        filters = PortsFilter(self.request.GET)
        found = heat_map(self.request.api, filters.range)
        if found.fault:
            toast(
                self.request, "warning", _("Not exported: %(title)s") % {"title": found.fault.title}
            )
            page = reverse("dashboards:ports", args=[self.request.connection.key])
            return go(self.request, f"{page}?{self.request.GET.urlencode()}")
        with in_english():
            by = filters.range.in_words
        export = exports.Export(
            title=_("Call-routing ports"),
            name=exports.file_name(_("Call-routing ports"), filters.range.in_name),
            what="ports",
            columns=_COLUMNS,
            rows=found.hours,
            count=len(found.hours),
            by=by,
            days=filters.range,
            read_at=clock.now(),
        )
        return exports.send(self.request, file, export)


def _sentence(found: HeatMap, chosen: Range) -> str:
    """Returns words for the heat map, for people who do not see it."""
    if found.busiest is None:
        return ""
    if not found.most:
        return _("No call-routing port was in use on these days.")
    begin, end = (at.astimezone(chosen.zone) for at in (found.busiest.begin, found.busiest.end))
    words = ngettext(
        "At most %(count)s port was in use at once, on %(day)s between %(from)s and %(to)s"
        " (%(zone)s).",
        "At most %(count)s ports were in use at once, on %(day)s between %(from)s and %(to)s"
        " (%(zone)s).",
        found.most,
    ) % {
        "count": number(found.most),
        "day": dateformat.format(begin, _("j F Y")),
        "from": f"{begin:%H:%M}",
        "to": f"{end:%H:%M}",
        "zone": chosen.zone_name,
    }
    if not found.idle_days:
        return words
    idle = _("On %(idle)s of %(known)s days no port was in use.") % {
        "idle": found.idle_days,
        "known": found.known_days,
    }
    return f"{words} {idle}"


def _past_the_hour(found: HeatMap, chosen: Range) -> int:
    """The minutes past the hour at which the service's hours begin in the viewer's zone."""
    local = found.busiest.begin.astimezone(chosen.zone) if found.busiest else None
    return local.minute if local else 0
