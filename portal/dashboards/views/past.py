"""Meetings and webinars that ended, by the viewer's days."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, ClassVar

from django.http import QueryDict

from portal.access.roles import may
from portal.contract.dashboards import SessionMetric, SessionsShown
from portal.contract.metrics import Metrics
from portal.contract.operation import Operation
from portal.dashboards.past_filters import MEETINGS, WEBINARS, PastFilter
from portal.dashboards.services.past import PastList, PastSession, past_list, total
from portal.dashboards.tables import PastTable, duration
from portal.ui.listing import ListSpec
from portal.ui.range_reading import RangeReader
from portal.ui.tabs import Tab
from portal.ui.views.ranged import RangeListView, SortKeys, has_words


class PastSessions(RangeListView):
    """Past meetings, or past webinars, each of which leads to its participants and quality."""

    needs = Metrics.meetings
    template_name = "dashboards/past.html"
    keys: ClassVar[SortKeys] = {
        "start": attrgetter("start"),
        "topic": attrgetter("name"),
        "host": lambda one: one.host or one.email,
        "seconds": attrgetter("seconds"),
        "participants": attrgetter("participants"),
        "department": attrgetter("department"),
    }

    listed: PastList

    def operation(self) -> Operation[Any, Any]:
        return getattr(Metrics, self._family)  # type: ignore[no-any-return]

    @property
    def _family(self) -> str:
        return WEBINARS if self.request.GET.get("type") == WEBINARS else MEETINGS

    def get_spec(self) -> ListSpec:
        family = self._family
        return ListSpec(
            f"past-{family}",
            family.removesuffix("s"),
            family,
            export_url_name="dashboards:past-export",
        )

    def get_filters(self, data: QueryDict) -> PastFilter:
        return PastFilter(data, self.request.connection)

    def reader(self, filters: PastFilter) -> RangeReader[SessionMetric]:
        one_only = filters.cleaned_data.get("people") == "one"
        return RangeReader(
            self.request.connection,
            getattr(self.request.api.metrics, filters.family),
            filters.range,
            type=SessionsShown.PAST_ONE if one_only else SessionsShown.PAST,
        )

    def make_rows(self, records: Sequence[SessionMetric], filters: PastFilter) -> list[PastSession]:
        self.listed = past_list(self.request.connection, records, filters.range)
        return self.listed.sessions

    def matching(self, rows: list[PastSession], filters: PastFilter) -> list[PastSession]:
        search = filters.cleaned_data.get("q") or ""
        department = filters.cleaned_data.get("department") or ""
        return [
            one
            for one in rows
            if (not department or one.department == department)
            and has_words(search, (one.topic, one.host, one.email, one.number, one.uuid))
        ]

    def totals(self, rows: list[PastSession], filters: PastFilter) -> list[tuple[str, str]]:
        people = total(one.participants for one in rows)
        seconds = total(one.seconds for one in rows)
        recorded = sum("has_recording" in one.features for one in rows)
        return [
            (f"{len(rows):,}", filters.family if len(rows) != 1 else filters.family[:-1]),
            ("Unknown" if people is None else f"{people:,}", "participants"),
            ("Unknown" if seconds is None else duration(seconds), "total duration"),
            (f"{recorded:,}", "recorded"),
        ]

    def get_table(self, rows: Any, **options: Any) -> PastTable:
        return PastTable(rows, connection=self.request.connection, family=self._family, **options)

    def get_tabs(self, filters: PastFilter) -> list[Tab]:
        return [
            Tab("" if family == MEETINGS else family, family.capitalize(), family == self._family)
            for family in (MEETINGS, WEBINARS)
            if may(self.request.user.role, getattr(Metrics, family))
        ]

    def page_context(self, filters: PastFilter, table: Any) -> dict[str, Any]:
        odd = self.listed.odd
        which = filters.family if odd != 1 else filters.family[:-1]
        left_out = f"{odd:,} {which} with a start outside these days" if odd else ""
        return {"left_out": left_out, "family": filters.family}
