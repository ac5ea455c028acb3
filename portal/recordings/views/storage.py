"""The storage page: over time against the plan, by host and department, and what would be freed."""

from datetime import UTC, datetime, time
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.utils import dateformat

from portal.contract.recordings import Recordings
from portal.mirror.views.listing import MirroredView
from portal.recordings import mirror
from portal.recordings.filters import RecordingSelection, RecordingsFilter
from portal.recordings.labels import counted
from portal.recordings.services import storage
from portal.recordings.services.storage import Forecast, History
from portal.recordings.views.listing import RecordingsReadView
from portal.translation import gettext as _
from portal.translation import number
from portal.ui.charts import Chart, Series
from portal.ui.numbers import size_in_words
from portal.ui.pages import page

_MOST = 20


class StorageView(RecordingsReadView, MirroredView):
    """Size of recordings, and what could be freed."""

    needs = Recordings.of_user
    template_name = "recordings/storage.html"

    def url_name(self, part: str) -> str:
        return f"recordings:{_PARTS.get(part, part)}"

    def nouns(self) -> tuple[str, str]:
        return _("recording"), _("recordings")

    def total(self) -> int:
        return sum(mirror.counts_by_status(self.request.scope).values())

    def answer_page(self, *_args: Any, **_kwargs: Any) -> HttpResponse:
        self.state = self.look()
        scope = self.request.scope
        found = storage.history(self.request.api, scope.connection)
        outlook = storage.forecast(found.days)
        filters = RecordingsFilter(self.request.GET, scope)
        count, size = RecordingSelection(filters.wanted).count_and_size(scope)
        context = {
            **self.context(),
            "history": found,
            "chart": _chart(found),
            "outlook": _in_words(outlook, found),
            "hosts": storage.by_host(scope, _MOST),
            "departments": storage.by_department(scope, _MOST),
            "totals": storage.totals(scope),
            "filters": filters,
            "freed": f"{counted(count)}, {size_in_words(size)}",
            "list_query": urlencode(list(_pairs(self.request.GET, filters))),
        }
        return page(self.request, self.template_name, context)


_PARTS = {"page": "storage", "refresh": "storage-refresh", "freshness": "storage-freshness"}
_PARTS["list"] = "storage"


def _pairs(data: QueryDict, filters: RecordingsFilter) -> list[tuple[str, str]]:
    return [(name, str(data[name])) for name in filters.narrowing if name in data]


def _chart(found: History) -> Chart:
    moments = [datetime.combine(one.day, time.min, UTC) for one in found.days]
    series = [Series(_("Used"), [one.used for one in found.days])]
    chart = Chart("storage", _("Cloud storage"), moments, series, unit="GB", by="day")
    last = found.days[-1] if found.days else None
    if last and last.used is not None:
        chart.figure = size_in_words(last.used * 1e9)
        if last.allowed:  # beside it, since a line of the plan would leave the curve no height
            chart.trend = _("Included: %(size)s, %(share)s %% used") % {
                "size": size_in_words(last.allowed * 1e9),
                "share": number(last.used * 100 / last.allowed, 1),
            }
    return chart


def _in_words(outlook: Forecast | None, found: History) -> str:
    """The forecast in a sentence."""
    if outlook is None:
        return _("There are too few days for a forecast.")
    grows = _("%(size)s a day") % {"size": size_in_words(abs(outlook.per_day) * 1e9)}
    trend = (
        _("Storage grows by %(grows)s") % {"grows": grows}
        if outlook.per_day > 0
        else _("Storage shrinks by %(grows)s") % {"grows": grows}
    )
    if abs(outlook.per_day) < 0.005:
        trend = _("Storage stays as it is")
    if outlook.is_full:
        return _("%(trend)s. The storage of the plan is used up.") % {"trend": trend}
    if outlook.full_on:
        day = dateformat.format(outlook.full_on, _("j F Y"))
        return _("%(trend)s. At that rate the storage of the plan is used up on %(day)s.") % {
            "trend": trend,
            "day": day,
        }
    if found.last and found.last.allowed is None:
        return _("%(trend)s. The service does not report how much the plan includes.") % {
            "trend": trend
        }
    return _("%(trend)s. At that rate the plan is not used up within three years.") % {
        "trend": trend
    }
