"""The report on one past session: attendance, raw rows, polls, questions and answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

from django.http import HttpResponse, QueryDict
from django.urls import reverse

from portal.audit.wording import length
from portal.contract.operation import AnyOperation
from portal.contract.reports import Reports
from portal.reports.filters import AnswerFilter, AttendanceFilter, StayFilter
from portal.reports.services.attendance import Attendee
from portal.reports.services.session import AttendanceReport, poll_counts, read_session
from portal.reports.tables import AnswerTable, AttendanceTable, StayTable
from portal.translation import gettext as _, gettext_lazy, ngettext, number
from portal.ui import exports
from portal.ui.filters import ListFilter
from portal.ui.listing import ListSpec
from portal.ui.numbers import spaced
from portal.ui.pages import page
from portal.ui.tables import ConnectedTable, Table
from portal.ui.tabs import PageTab, wants_panel
from portal.ui.views.ranged import SortKeys, has_words
from portal.ui.views.service_listing import WholeListView


@dataclass(frozen=True)
class SessionReportTab:
    """A tab of the report: the rows of its list, its filters and its table."""

    name: str
    label: str
    one: str
    many: str
    filter_class: type[ListFilter]
    table_class: type[ConnectedTable]
    rows: Callable[[AttendanceReport], Sequence[Any]]
    searched: tuple[str, ...]
    operation: str = "participants"


_NAMED = ("name", "email")
ATTENDANCE = SessionReportTab(
    "",
    gettext_lazy("Attendance"),
    gettext_lazy("person"),
    gettext_lazy("people"),
    AttendanceFilter,
    AttendanceTable,
    attrgetter("attendees"),
    _NAMED,
)
_TABS = (
    ATTENDANCE,
    SessionReportTab(
        "participants",
        gettext_lazy("Participants"),
        gettext_lazy("row"),
        gettext_lazy("rows"),
        StayFilter,
        StayTable,
        attrgetter("stays"),
        _NAMED,
    ),
    SessionReportTab(
        "polls",
        gettext_lazy("Polls"),
        gettext_lazy("answer"),
        gettext_lazy("answers"),
        AnswerFilter,
        AnswerTable,
        attrgetter("polls"),
        (*_NAMED, "question", "answer"),
        "polls",
    ),
    SessionReportTab(
        "questions",
        gettext_lazy("Questions and answers"),
        gettext_lazy("question"),
        gettext_lazy("questions"),
        AnswerFilter,
        AnswerTable,
        attrgetter("questions"),
        (*_NAMED, "question", "answer"),
        "questions",
    ),
)


def tabs_of(family: str) -> tuple[SessionReportTab, ...]:
    """Meetings have no questions and answers."""
    return _TABS if family == "webinar" else _TABS[:-1]


class SessionReportView(WholeListView[ListFilter, Any]):
    """One of the tabs, or its file. `family` is `meeting` or `webinar`."""

    family: str = "meeting"
    tab: SessionReportTab = ATTENDANCE
    template_name = "reports/session.html"
    methods: ClassVar[dict[str, tuple[str, ...]]] = {
        "page": ("GET", "HEAD"),
        "export": ("GET", "HEAD"),
    }

    def operation(self) -> AnyOperation:
        operation: AnyOperation = getattr(Reports, f"{self.family}_{self.tab.operation}")
        return operation

    def url_name(self, endpoint: str) -> str:
        tab = f"reports:{self.family}-{self.tab.name}".rstrip("-")
        return tab if endpoint == "list" else f"{tab}-{endpoint}"

    def prepare(self) -> None:
        request, self.session_id = self.request, str(self.kwargs["instance"])
        self.report = read_session(request.scope, request.api, self.family, self.session_id)

    def get_spec(self) -> ListSpec:
        tab = self.tab
        name = f"report-{tab.name or 'attendance'}"
        return ListSpec(
            name,
            tab.one,
            tab.many,
            export_url_name=self.url_name("export"),
            args=(self.session_id,),
            file=f"{name} of {self.family} {self.session_id}",
            keeps_views=False,
        )

    @property
    def keys(self) -> SortKeys:
        return {name: attrgetter(name) for name in self.tab.filter_class.sorts}

    def get_filters(self, data: QueryDict) -> ListFilter:
        return self.tab.filter_class(data)

    def read(self) -> Sequence[Any]:
        return self.tab.rows(self.report)

    def matching(self, rows: Sequence[Any], filters: ListFilter) -> list[Any]:
        came = filters.cleaned_data.get("came") or ""
        return [
            row
            for row in rows
            if has_words(filters.search, (getattr(row, name) for name in self.tab.searched))
            and _has_come(row, came)
        ]

    def get_table(self, rows: object, **options: object) -> ConnectedTable:
        table = self.tab.table_class(rows, connection=self.request.connection, **options)
        is_page = self.endpoint == "page"
        if is_page and self.tab is ATTENDANCE and self.report.registered is None:
            for name in ("registered", "came", "answered"):
                table.columns.hide(name)
        if is_page and self.tab.table_class is StayTable and not self.report.has_statuses:
            table.columns.hide("status")
        return table

    def page_context(self, filters: ListFilter, table: Table) -> dict[str, object]:
        is_attendance = self.tab is ATTENDANCE
        key = self.request.connection.key
        return {
            "report": self.report,
            "facts": _facts(self.report),
            "tracking": _tracking(self.report),
            "tab_label": self.tab.label,
            "chart": self.report.chart() if is_attendance else None,
            "figures": _figures(self.report) if is_attendance else [],
            "remarks": _remarks(self.report) if is_attendance else [],
            "polls": poll_counts(self.report.polls) if self.tab.name == "polls" else [],
            "tabs": [
                PageTab(
                    one.name or "attendance",
                    one.label,
                    reverse(
                        f"reports:{self.family}-{one.name}".rstrip("-"), args=[key, self.session_id]
                    ),
                    one is self.tab,
                )
                for one in tabs_of(self.family)
            ],
        }

    def show(self, context: Mapping[str, object]) -> HttpResponse:
        fragment = "panel" if wants_panel(self.request) else "content"
        return page(self.request, self.template_name, context, fragment=fragment)

    def file_title(self, table: Table) -> str:
        return f"{self.tab.label}: {self.report.name}"

    def file_name(self, title: str, days: object) -> str:
        day = exports.day_of(self.report.start)
        return exports.file_name(str(self.tab.label), self.report.name, day)

    def unread(self) -> list[str]:
        return []


def _has_come(row: object, came: str) -> bool:
    if not isinstance(row, Attendee) or not came:
        return True
    return bool(
        {
            "came": row.stays > 0,
            "absent": row.came is False,
            "left": row.left_early,
            "answered": row.answered,
        }.get(came, True)
    )


def _facts(report: AttendanceReport) -> list[tuple[str, str]]:
    details = report.details
    return [
        (_("Host"), str(details.get("user_name") or "")),
        (_("Host's email"), str(details.get("user_email") or "")),
        (_("Meeting ID"), spaced(str(details.get("id") or ""))),
        (_("Duration"), _minutes(details.get("duration"))),
        (_("Participants"), _number(details.get("participants_count"))),
        (_("Participant time"), _minutes(details.get("total_minutes"))),
    ]


def _tracking(report: AttendanceReport) -> list[tuple[str, str]]:
    fields = report.details.get("tracking_fields")
    return [
        (str(one.get("field") or ""), str(one.get("value") or ""))
        for one in (fields if isinstance(fields, list) else [])
        if isinstance(one, dict)
    ]


def _figures(report: AttendanceReport) -> list[tuple[str, str]]:
    figures = [(_("People"), number(len(report.came)))]
    if report.registered is not None:
        answered = sum(bool(one.answered) for one in report.attendees)
        figures += [
            (_("Registered"), number(report.registered)),
            (_("Registered and came"), number(report.came_registered or 0)),
            (_("Answered or asked"), number(answered)),
        ]
    left_early = sum(bool(one.left_early) for one in report.came)
    figures.append((_("Left early"), number(left_early)))
    return figures


def _remarks(report: AttendanceReport) -> list[str]:
    """Returns sentences on those who are not counted, or not compared."""
    remarks = []
    if report.waited:
        words = ngettext(
            "%(count)s person was in the waiting room only, was not admitted and does not count.",
            "%(count)s people were in the waiting room only, were not admitted and do not count.",
            report.waited,
        )
        remarks.append(words % {"count": number(report.waited)})
    if report.not_compared:
        words = ngettext(
            "%(count)s person who came is not compared with the registrants: the service reports "
            "no email, and the name is not that of one registrant alone.",
            "%(count)s people who came are not compared with the registrants: the service reports "
            "no email, and their names are not those of one registrant alone.",
            report.not_compared,
        )
        remarks.append(words % {"count": number(report.not_compared)})
    return remarks


def _minutes(value: object) -> str:
    return length(value) if isinstance(value, int) else _("Unknown")


def _number(value: object) -> str:
    return number(value) if isinstance(value, int) else _("Unknown")
