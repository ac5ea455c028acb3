"""The quality board: streams of past sessions grouped, the worst group first."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, QueryDict
from typing_extensions import TypeVar

from portal.access.http import PortalRequest, origin_of
from portal.access.roles import Role
from portal.contract.metrics import Metrics
from portal.dashboards.filters import BoardFilter, ParticipantsFilter
from portal.dashboards.jobs import begin_by_itself, last_job, open_job, request_reading
from portal.dashboards.models import MeasuredSession, MeasuredStay
from portal.dashboards.quality_tables import BoardTable, ParticipantsTable, query_of, stay_url
from portal.dashboards.services.session.measures import Thresholds
from portal.dashboards.services.session.quality import thresholds
from portal.dashboards.services.streams import person
from portal.dashboards.services.streams.days import STORED_FOR, coverage
from portal.dashboards.services.streams.grouping import (
    DIMENSIONS,
    FEW,
    groups,
    stays,
    totals,
    unplaced,
)
from portal.dashboards.services.streams.storing import person_of_account
from portal.dashboards.views.session.quality import STATES
from portal.directory import users as directory
from portal.jobs.models import ItemState
from portal.translation import gettext as _, gettext_lazy, number
from portal.ui.charts import WORDS
from portal.ui.filters import FilterTab
from portal.ui.listing import ListSpec
from portal.ui.pages import go, page, toast, wants_fragment
from portal.ui.tables import Table
from portal.ui.views.connected import ConnectedView
from portal.ui.views.listing import ListView, RowsT

BoardFilterT = TypeVar("BoardFilterT", bound=BoardFilter)
_SORTS = {"session": "session__topic", "start": "session__start"}


class _StreamListView(ListView[BoardFilterT, RowsT]):
    """Base of the board and the list behind its rows."""

    needs = Metrics.meeting_qualities
    namespace = "dashboards"
    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD"),
        "export": ("GET", "HEAD"),
    }

    @cached_property
    def limits(self) -> Thresholds:
        return thresholds(self.request.connection)

    def page_context(self, filters: BoardFilterT, table: Table) -> dict[str, object]:
        counts = totals(self.request.connection, filters.wanted, self.limits)
        return {
            **_reading(self.request.connection, filters),
            "range": filters.range,
            "totals": [
                (
                    _("%(count)s of %(total)s")
                    % {"count": number(counts.poor), "total": number(counts.streams)},
                    _("poor streams"),
                ),
                (number(counts.fair), _("fair streams")),
                (number(counts.people), _("people affected")),
                (number(counts.sessions), _("sessions measured")),
            ]
            if counts.streams
            else [],
            "may_state": self.request.scope.role == Role.ADMINISTRATOR,
            "query": query_of(self.request.GET),
        }


class QualityBoardView(_StreamListView[BoardFilter, QuerySet[Any, Any]]):
    """Groups of streams, with the job that reads those of the shown days."""

    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        **_StreamListView.methods,
        "read": ("POST",),
        "reading": ("GET", "HEAD"),
    }
    template_name = "dashboards/quality.html"
    spec = ListSpec(
        "quality",
        gettext_lazy("group"),
        gettext_lazy("groups"),
        export_url_name="dashboards:quality-export",
    )

    def get_filters(self, data: QueryDict) -> BoardFilter:
        return BoardFilter(data, self.request.scope)

    def rows(self, filters: BoardFilter) -> QuerySet[Any, Any]:
        connection, wanted = self.request.connection, filters.wanted
        return groups(connection, wanted, filters.dimension, self.limits, filters.order)

    def get_table(self, rows: object, **options: object) -> BoardTable:
        filters = self.get_filters(self.request.GET)
        return BoardTable(rows, connection=self.request.connection, filters=filters, **options)

    def get_tabs(self, filters: BoardFilter) -> list[FilterTab]:
        first, *_rest = DIMENSIONS
        return [
            FilterTab("" if name == first else name, title, name == filters.dimension)
            for name, title in DIMENSIONS.items()
        ]

    def page_context(self, filters: BoardFilter, table: Table) -> dict[str, object]:
        if self.request.method == "GET":
            begin_by_itself(origin_of(self.request), self.request.connection, filters.range)
        context = super().page_context(filters, table)
        by_department = filters.dimension == "department"
        connection = self.request.connection
        return {
            **context,
            "few": FEW,
            "kept_days": STORED_FOR.days,
            "unplaced": unplaced(connection, filters.wanted) if by_department else 0,
            "knows_people": directory.state_of(connection).refreshed_at is not None,
        }

    def counted(self, rows: Iterable[object]) -> tuple[int, Iterable[object]]:
        listed = list(rows)
        return len(listed), listed

    def answer_read(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Begins a job that reads the shown days."""
        request = self.request
        chosen = self.get_filters(request.GET).range
        _job, is_new = request_reading(origin_of(request), request.connection, chosen)
        if not is_new:
            toast(
                request, "neutral", _("Quality is being loaded already. Try again when it is done.")
            )
        return go(request, f"{self.url('quality')}?{query_of(request.GET)}")

    def answer_reading(self, *_args: object, **_kwargs: object) -> HttpResponse:
        """Shows the progress of the reading, asked for by the page until it has ended."""
        if not wants_fragment(self.request):
            return go(self.request, f"{self.url('quality')}?{query_of(self.request.GET)}")
        context = _reading(self.request.connection, self.get_filters(self.request.GET))
        context["query"] = query_of(self.request.GET)
        answer = page(self.request, self.template_name, context, fragment="reading")
        # New results are shown while the rest is being read.
        if context["job"] is None or str(context["done"]) != self.request.GET.get("done"):
            answer["HX-Trigger"] = "mirror-refreshed"
        return answer

    def list_url(self) -> str:
        return self.url("quality")


class QualityParticipantsView(_StreamListView[ParticipantsFilter, QuerySet[MeasuredStay]]):
    """The participants behind a row of the board, each with what was poor."""

    template_name = "dashboards/quality_participants.html"
    spec = ListSpec(
        "quality-participants",
        gettext_lazy("participant"),
        gettext_lazy("participants"),
        export_url_name="dashboards:quality-participants-export",
    )

    def get_filters(self, data: QueryDict) -> ParticipantsFilter:
        return ParticipantsFilter(data, self.request.scope)

    def rows(self, filters: ParticipantsFilter) -> QuerySet[MeasuredStay]:
        which = filters.cleaned_data.get("of") or "poor"
        stays_found = stays(self.request.connection, filters.wanted, self.limits, which)
        sign = "-" if filters.order.startswith("-") else ""
        name = filters.order.removeprefix("-")
        order = f"{sign}{_SORTS.get(name, name)}"
        ordered = stays_found.order_by(order, "-session__start", "pk")
        return ordered.select_related("session").prefetch_related("streams")

    def get_table(self, rows: object, **options: object) -> ParticipantsTable:
        return ParticipantsTable(
            rows, connection=self.request.connection, thresholds=self.limits, **options
        )

    def list_url(self) -> str:
        return self.url("quality-participants")


def _reading(connection: Any, filters: BoardFilter) -> dict[str, Any]:
    """Returns the state of the shown days, and the reading that is under way, or failed."""
    job, last = open_job(connection), last_job(connection)
    done = expected = failed = 0
    if job:
        expected = job.items.count()
        done = job.items.exclude(state__in=(ItemState.PENDING, ItemState.SENDING)).count()
    elif last:
        failed = last.items.filter(state=ItemState.FAILED).count()
    return {
        "coverage": coverage(connection, filters.range),
        "job": job,
        "last_job": last,
        "done": done,
        "expected": expected,
        "failed": failed,
    }


class PersonBoardView(ConnectedView):
    """One person's quality over all their sessions, twenty at a time."""

    needs = Metrics.meeting_qualities
    http_method_names = ("get", "head", "options")

    def get(self, *_args: object, person: str, **_kwargs: object) -> HttpResponse:
        context = quality_of(self.request, person)
        if context["measured"] is None:
            raise Http404(_("Nothing was measured of this person."))
        return page(self.request, "dashboards/quality_person.html", context)


def quality_of(request: PortalRequest, key: str) -> dict[str, object]:
    """Returns the context of `dashboards/quality_person_sessions.html`."""
    connection = request.connection
    measured = person.find(connection, key)
    if measured is None:
        return {"measured": None, "kept_days": STORED_FOR.days}
    limits = thresholds(connection)
    paginator = Paginator(person.sessions(connection, key, limits), person.AT_ONCE)
    shown = paginator.get_page(request.GET.get("page"))
    listed = list(shown.object_list)
    rows = [_row(request, one) for one in listed]
    return {
        "measured": measured,
        "page": shown,
        "rows": rows,
        "charts": person.charts(listed, limits),
        "poor": sum(row["level"] == "poor" for row in rows),
        "kept_days": STORED_FOR.days,
    }


def quality_tab(request: PortalRequest, user_id: str) -> dict[str, object]:
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
