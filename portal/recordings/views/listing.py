"""The lists of recordings, and of the storage that they take."""

from collections.abc import Collection
from datetime import UTC, datetime, time
from functools import cached_property
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.utils import dateformat

from portal.contract.recordings import Recordings
from portal.directory.groups import GROUPS
from portal.directory.users import USERS
from portal.mirror.models import MirrorState
from portal.mirror.views.listing import MirroredListView, MirroredView
from portal.recordings import mirror, sharing, storage
from portal.recordings.filters import RecordingSelection, RecordingsFilter, Shown
from portal.recordings.jobs.reading import READING, request_reading
from portal.recordings.mirror import RecordingFilter
from portal.recordings.models import MirroredRecording, RecordingStatus, counted
from portal.recordings.storage import Forecast, History
from portal.recordings.tables import RECORDINGS, TRASHED, RecordingsTable
from portal.translation import gettext as _, number
from portal.ui.charts import Chart, Series
from portal.ui.filters import FilterTab
from portal.ui.listing import ListSpec
from portal.ui.numbers import size_in_words
from portal.ui.pages import page
from portal.ui.tables import Table

_MOST = 20
_STORAGE_NAMES = {"page": "storage", "refresh": "storage-refresh", "freshness": "storage-freshness"}
_STORAGE_NAMES["list"] = "storage"


class RecordingsReadView(MirroredView):
    """A page that says how far the reading of recordings has come, and has all of them read
    again."""

    mirrored = READING

    def refresh_if_old(self) -> MirrorState:
        for mirrored in (USERS, GROUPS):  # whom recordings are of, which the filters show
            self.mark_viewed(mirrored)
        return super().refresh_if_old()

    def refresh(self) -> MirrorState:
        return request_reading(self.request.connection)


class RecordingListView(
    RecordingsReadView, MirroredListView[RecordingsFilter, QuerySet[MirroredRecording]]
):
    """All recordings of the account, by search, host, department, time, size, status and more."""

    needs = Recordings.of_user
    spec = RECORDINGS
    namespace = "recordings"
    template_name = "recordings/list.html"

    def get_spec(self) -> ListSpec:
        return TRASHED if self.request.GET.get("status") == Shown.TRASH else self.spec

    def get_filters(self, data: QueryDict) -> RecordingsFilter:
        return RecordingsFilter(data, self.request.scope)

    def rows(self, filters: RecordingsFilter) -> QuerySet[MirroredRecording]:
        recordings = mirror.find(self.request.scope, filters.wanted, filters.order)
        return mirror.with_holds(recordings)

    def rows_of(self, ids: Collection[str]) -> QuerySet[MirroredRecording]:
        recordings = mirror.find(self.request.scope, RecordingFilter(ids=list(ids)))
        return mirror.with_holds(recordings)

    def get_table(self, rows: object, **options: object) -> RecordingsTable:
        return RecordingsTable(rows, connection=self.request.connection, **options)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Returns the counts on the tabs, if the mirror has them."""
        counts = mirror.counts_by_status(self.request.scope)
        partly = counts[RecordingStatus.PARTLY]
        return {
            "": sum(counts.values()),
            Shown.AVAILABLE.value: counts[RecordingStatus.AVAILABLE] + partly,
            Shown.TRASH.value: counts[RecordingStatus.TRASHED] + partly,
        }

    def get_tabs(self, filters: RecordingsFilter) -> list[FilterTab]:
        tabs = [("", _("All")), *Shown.choices]
        return [
            FilterTab(value, label, value == filters.shown, self.counts.get(value))
            for value, label in tabs
        ]

    def precounted(self, filters: RecordingsFilter) -> int | None:
        """Returns the count on the open tab, unless other filters narrow the list."""
        return None if filters.chips else self.counts.get(filters.shown)

    def total(self) -> int:
        return self.counts[""]

    def page_context(self, filters: RecordingsFilter, table: Table) -> dict[str, object]:
        context = super().page_context(filters, table)
        if filters.shown == Shown.EXPOSED or filters.narrowing.keys() & {"password", "sharing"}:
            context |= {
                "about": "recordings/list_sharing.html",
                "unknown": sharing.unread_count(self.request.scope),
            }
        return context


class StorageView(RecordingsReadView, MirroredView):
    """Size of recordings, and what could be freed."""

    needs = Recordings.of_user
    template_name = "recordings/storage.html"

    def url_name(self, endpoint: str) -> str:
        return f"recordings:{_STORAGE_NAMES.get(endpoint, endpoint)}"

    def nouns(self) -> tuple[str, str]:
        return _("recording"), _("recordings")

    def total(self) -> int:
        return sum(mirror.counts_by_status(self.request.scope).values())

    def answer_page(self, *_args: object, **_kwargs: object) -> HttpResponse:
        self.state = self.refresh_if_old()
        scope = self.request.scope
        history = storage.history(self.request.api, scope.connection)
        outlook = storage.forecast(history.days)
        filters = RecordingsFilter(self.request.GET, scope)
        count, size = RecordingSelection(filters.wanted).count_and_size(scope)
        given = self.request.GET
        narrowing = {name: given[name] for name in filters.narrowing if name in given}
        context = {
            **self.context(),
            "history": history,
            "chart": _chart(history),
            "headline": _headline(history),
            "outlook": _in_words(outlook, history),
            "hosts": storage.by_host(scope, _MOST),
            "departments": storage.by_department(scope, _MOST),
            "totals": storage.totals(scope),
            "filters": filters,
            "freed": f"{counted(count)}, {size_in_words(size)}",
            "list_query": urlencode(narrowing),
        }
        return page(self.request, self.template_name, context)


def _chart(history: History) -> Chart:
    moments = [datetime.combine(one.day, time.min, UTC) for one in history.days]
    series = [Series(_("Used"), [one.used for one in history.days])]
    return Chart("storage", _("Cloud storage"), moments, series, unit="GB", by="day")


def _headline(history: History) -> tuple[str, float | None]:
    """Returns how much is used of how much, and the share in per cent where that is reported."""
    last = history.last
    if last is None or last.used is None:
        return "", None
    used = size_in_words(last.used * 1e9)
    if not last.allowed:
        return _("%(used)s used") % {"used": used}, None
    share = last.used * 100 / last.allowed
    words = _("%(used)s of %(allowed)s used, %(share)s %%") % {
        "used": used,
        "allowed": size_in_words(last.allowed * 1e9),
        "share": number(share, 1),
    }
    return words, min(share, 100)


def _in_words(outlook: Forecast | None, history: History) -> str:
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
    if history.last and history.last.allowed is None:
        return _("%(trend)s. The service does not report how much the plan includes.") % {
            "trend": trend
        }
    return _("%(trend)s. At that rate the plan is not used up within three years.") % {
        "trend": trend
    }
