"""The storage page: over time against the plan, by host and department, and what would be freed."""

from datetime import UTC, datetime, time
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.utils import dateformat

from portal.contract.recordings import Recordings
from portal.mirror.views.listing import MirroredView
from portal.recordings import mirror
from portal.recordings.filters import RecordingsFilter
from portal.recordings.labels import counted, size_label
from portal.recordings.services import storage
from portal.recordings.services.choosing import Chosen
from portal.recordings.services.storage import Forecast, History
from portal.recordings.views.listing import RecordingsReadView
from portal.ui.charts import Chart, Series
from portal.ui.pages import page

_MOST = 20


class Storage(RecordingsReadView, MirroredView):
    """How much recordings take, and what would be freed."""

    needs = Recordings.of_user
    template_name = "recordings/storage.html"

    def url_name(self, part: str) -> str:
        return f"recordings:{_PARTS.get(part, part)}"

    def nouns(self) -> tuple[str, str]:
        return "recording", "recordings"

    def total(self) -> int:
        return sum(mirror.counts_by_status(self.request.connection).values())

    def answer_page(self, *_args: Any, **_kwargs: Any) -> HttpResponse:
        self.state = self.look()
        connection = self.request.connection
        found = storage.history(self.request.api, connection)
        outlook = storage.forecast(found.days)
        filters = RecordingsFilter(self.request.GET, connection)
        count, size = Chosen(filters.wanted).count_and_size(connection)
        context = {
            **self.context(),
            "history": found,
            "chart": _chart(found),
            "outlook": _in_words(outlook, found),
            "hosts": storage.by_host(connection, _MOST),
            "departments": storage.by_department(connection, _MOST),
            "totals": storage.totals(connection),
            "filters": filters,
            "freed": f"{counted(count)}, {size_label(size)}",
            "list_query": urlencode(list(_pairs(self.request.GET, filters))),
        }
        return page(self.request, self.template_name, context)


_PARTS = {"page": "storage", "refresh": "storage-refresh", "freshness": "storage-freshness"}
_PARTS["list"] = "storage"


def _pairs(data: QueryDict, filters: RecordingsFilter) -> list[tuple[str, str]]:
    return [(name, str(data[name])) for name in filters.narrowing if name in data]


def _chart(found: History) -> Chart:
    moments = [datetime.combine(one.day, time.min, UTC) for one in found.days]
    series = [Series("Used", [one.used for one in found.days])]
    if any(one.allowed is not None for one in found.days):
        series.append(Series("Included in the plan", [one.allowed for one in found.days]))
    return Chart("storage", "Cloud storage", moments, series, unit="GB", by="day")


def _in_words(outlook: Forecast | None, found: History) -> str:
    """The forecast in a sentence."""
    if outlook is None:
        return "There are too few days for a forecast."
    grows = f"{abs(outlook.per_day):,.2f} GB a day"
    trend = f"Storage grows by {grows}" if outlook.per_day > 0 else f"Storage shrinks by {grows}"
    if abs(outlook.per_day) < 0.005:
        trend = "Storage stays as it is"
    if outlook.is_full:
        return f"{trend}. The storage of the plan is used up."
    if outlook.full_on:
        day = dateformat.format(outlook.full_on, "j F Y")
        return f"{trend}. At that rate the storage of the plan is used up on {day}."
    if found.last and found.last.allowed is None:
        return f"{trend}. The service does not report how much the plan includes."
    return f"{trend}. At that rate the plan is not used up within three years."
