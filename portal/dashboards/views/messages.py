"""The use of instant messages, by person and period."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar

from django.http import QueryDict

from portal.contract.dashboards import ImUse
from portal.contract.metrics import Metrics
from portal.dashboards.past_filters import MessagesFilter
from portal.dashboards.services.messages import IM_COUNTS, PersonUse, use_by_person
from portal.dashboards.services.past import total
from portal.dashboards.tables import MessagesTable
from portal.translation import gettext as _
from portal.translation import gettext_lazy, number
from portal.ui.listing import ListSpec
from portal.ui.range_reading import RangeReader
from portal.ui.views.ranged import RangeListView, SortKeys, has_words

_AT_ONCE = 10_000


def _count(name: str, use: PersonUse) -> int | None:
    return use.counts[name]


_BY_COUNT: dict[str, Callable[[Any], Any]] = {name: partial(_count, name) for name in IM_COUNTS}


class MessagesView(RangeListView):
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
        **_BY_COUNT,
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
        search = filters.cleaned_data.get("q") or ""
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

    def get_table(self, rows: Any, **options: Any) -> MessagesTable:
        return MessagesTable(rows, connection=self.request.connection, **options)

    def page_context(self, filters: MessagesFilter, table: Any) -> dict[str, Any]:
        return {
            "incomplete": (
                _(
                    "Not all of these days are loaded yet, so people may be missing "
                    "and numbers too low. An export has all of them."
                )
            ),
        }
