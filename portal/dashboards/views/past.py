"""Meetings and webinars that ended, by the viewer's days."""

from collections.abc import Sequence
from operator import attrgetter
from typing import ClassVar

from django.http import QueryDict

from portal.contract.dashboards import ImUse, SessionMetric, SessionsShown
from portal.contract.metrics import Metrics
from portal.contract.operation import AnyOperation
from portal.dashboards.filters import MessagesFilter, PastFilter
from portal.dashboards.services.live.picture import MEETINGS, WEBINARS
from portal.dashboards.services.past import (
    COUNTS,
    DashboardSession,
    PastList,
    PersonUse,
    past_list,
    total,
    use_by_person,
)
from portal.dashboards.tables import MessagesTable, PastTable, duration
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui.filters import FilterTab
from portal.ui.listing import ListSpec
from portal.ui.range_reading import RangeReader
from portal.ui.tables import Table
from portal.ui.views.ranged import RangeListView, SortKeys, has_words

_TITLES = {MEETINGS: gettext_lazy("Meetings"), WEBINARS: gettext_lazy("Webinars")}
_AT_ONCE = 10_000


class PastSessionsView(RangeListView[PastFilter, SessionMetric, DashboardSession]):
    """Past meetings, or past webinars, with links to their participants and quality."""

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

    def operation(self) -> AnyOperation:
        return getattr(Metrics, self._family)  # type: ignore[no-any-return]

    @property
    def _family(self) -> str:
        return WEBINARS if self.request.GET.get("type") == WEBINARS else MEETINGS

    def get_spec(self) -> ListSpec:
        family = self._family
        return ListSpec(
            f"past-{family}",
            _counted(family, 1),
            _counted(family, 2),
            export_url_name="dashboards:past-export",
        )

    def file_title(self, _table: object) -> str:
        return _("Past webinars") if self._family == WEBINARS else _("Past meetings")

    def get_filters(self, data: QueryDict) -> PastFilter:
        return PastFilter(data, self.request.scope)

    def reader(self, filters: PastFilter) -> RangeReader[SessionMetric]:
        one_only = filters.cleaned_data.get("people") == "one"
        return RangeReader(
            self.request.scope,
            getattr(self.request.api.metrics, filters.family),
            filters.range,
            type=SessionsShown.PAST_ONE if one_only else SessionsShown.PAST,
        )

    def make_rows(
        self, records: Sequence[SessionMetric], filters: PastFilter
    ) -> list[DashboardSession]:
        self.listed = past_list(self.request.scope, records, filters.range)
        return self.listed.sessions

    def matching(self, rows: list[DashboardSession], filters: PastFilter) -> list[DashboardSession]:
        search = filters.search
        department = filters.cleaned_data.get("department") or ""
        return [
            one
            for one in rows
            if (not department or one.department == department)
            and has_words(search, (one.topic, one.host, one.email, one.number, one.uuid))
        ]

    def totals(self, rows: list[DashboardSession], filters: PastFilter) -> list[tuple[str, str]]:
        people = total(one.participants for one in rows)
        seconds = total(one.seconds for one in rows)
        recorded = sum("has_recording" in one.features for one in rows)
        return [
            (number(len(rows)), _counted(filters.family, len(rows))),
            (_("Unknown") if people is None else number(people), _("participants")),
            (_("Unknown") if seconds is None else duration(seconds), _("total duration")),
            (number(recorded), _("recorded")),
        ]

    def get_table(self, rows: object, **options: object) -> PastTable:
        return PastTable(rows, connection=self.request.connection, family=self._family, **options)

    def get_tabs(self, filters: PastFilter) -> list[FilterTab]:
        return [
            FilterTab("" if family == MEETINGS else family, _TITLES[family], family == self._family)
            for family in (MEETINGS, WEBINARS)
            if self.request.scope.may(getattr(Metrics, family))
        ]

    def page_context(self, filters: PastFilter, table: Table) -> dict[str, object]:
        left_out = left_out_in_words(filters.family, self.listed.odd)
        return {"left_out": left_out, "family": filters.family}


def _counted(family: str, count: int) -> str:
    if family == WEBINARS:
        return ngettext("webinar", "webinars", count)
    return ngettext("meeting", "meetings", count)


def left_out_in_words(family: str, count: int) -> str:
    """Returns words for the listed sessions that did not start on these days; empty if none."""
    if not count:
        return ""
    if family == WEBINARS:
        words = ngettext(
            "%(count)s webinar with a start outside these days",
            "%(count)s webinars with a start outside these days",
            count,
        )
    else:
        words = ngettext(
            "%(count)s meeting with a start outside these days",
            "%(count)s meetings with a start outside these days",
            count,
        )
    return words % {"count": number(count)}


class MessagesView(RangeListView[MessagesFilter, ImUse, PersonUse]):
    """List of people, with the number of messages that they sent and received."""

    needs = Metrics.im
    template_name = "dashboards/messages.html"
    spec = ListSpec(
        "messages",
        gettext_lazy("person"),
        gettext_lazy("people"),
        export_url_name="dashboards:messages-export",
    )
    keys: ClassVar[SortKeys] = {
        "name": attrgetter("name"),
        "department": attrgetter("department"),
        **COUNTS,
    }

    def get_filters(self, data: QueryDict) -> MessagesFilter:
        return MessagesFilter(data, self.request.scope)

    def reader(self, filters: MessagesFilter) -> RangeReader[ImUse]:
        operation = self.request.api.metrics.im
        scope = self.request.scope
        return RangeReader(scope, operation, filters.range, at_once=_AT_ONCE, by_window=True)

    def make_rows(self, records: Sequence[ImUse], filters: MessagesFilter) -> list[PersonUse]:
        return use_by_person(self.request.scope, records)

    def matching(self, rows: list[PersonUse], filters: MessagesFilter) -> list[PersonUse]:
        search = filters.search
        department = filters.cleaned_data.get("department") or ""
        return [
            one
            for one in rows
            if (not department or one.department == department)
            and has_words(search, (one.name, one.email, one.department))
        ]

    def totals(self, rows: list[PersonUse], filters: MessagesFilter) -> list[tuple[str, str]]:
        writing = sum((one.counts["total_send"] or 0) > 0 for one in rows)
        sums = [
            (_("sent"), total(one.counts["total_send"] for one in rows)),
            (_("received"), total(one.counts["total_receive"] for one in rows)),
            (_("calls made"), total(one.counts["calls_send"] for one in rows)),
            (_("files sent"), total(one.counts["files_send"] for one in rows)),
        ]
        return [
            (
                _("%(count)s of %(total)s")
                % {"count": number(writing), "total": number(len(rows))},
                _("people who wrote"),
            ),
            *((_("Unknown") if one is None else number(one), words) for words, one in sums),
        ]

    def get_table(self, rows: object, **options: object) -> MessagesTable:
        return MessagesTable(rows, connection=self.request.connection, **options)

    def page_context(self, filters: MessagesFilter, table: Table) -> dict[str, object]:
        return {
            "incomplete": (
                _(
                    "Not all of these days are loaded yet, so people may be missing "
                    "and numbers too low. An export has all of them."
                )
            ),
        }
