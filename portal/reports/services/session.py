"""Reports on one past session: read whole, and final once it has long been over."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from portal.access.http import Origin
from portal.access.models import Connection
from portal.access.scope import Outside, Scope
from portal.client import Api, ApiError
from portal.config import clock
from portal.connections.api import api_for
from portal.contract.model import JsonDict
from portal.contract.path import NotAnId
from portal.contract.registrants import RegistrantsQuery, RegistrantStatus, WebinarRegistrants
from portal.contract.reports import Reports
from portal.directory.scope_rules import OUTSIDE, is_within
from portal.mirror.values import text
from portal.reports.models import StoredWindow
from portal.reports.services import storing
from portal.reports.services.attendance import (
    AttendanceStay,
    Attendee,
    merged,
    moment_of,
    only_waited,
    present,
    stay_of,
)
from portal.reports.services.fetching import ReportWindow, gather, whole
from portal.reports.services.registration import (
    SessionRegistrant,
    each_once,
    with_registration,
)
from portal.reports.services.rows import rows_of
from portal.reports.services.sources import OF_SESSION
from portal.sessions.attendance.people import Recognition
from portal.translation import gettext as _
from portal.ui.charts import Chart, Series
from portal.ui.error_messages import Fault

_FINAL_AFTER = timedelta(hours=48)
_MOST_MOMENTS = 240


@dataclass(frozen=True)
class SessionAnswer:
    """Answer of a participant to one question, or a question with its answer."""

    name: str
    email: str
    question: str
    answer: str


@dataclass(frozen=True)
class PollCounts:
    """The answers to one question of a poll: each with its count, the most frequent first."""

    question: str
    people: int
    answers: list[tuple[str, int]]


def poll_counts(answers: Iterable[SessionAnswer]) -> list[PollCounts]:
    """Counts the answers to each question. Several choices of one person are separated by
    semicolons."""
    people: Counter[str] = Counter()
    counts: dict[str, Counter[str]] = {}
    for one in answers:
        people[one.question] += 1
        chosen = (choice.strip() for choice in one.answer.split(";"))
        counts.setdefault(one.question, Counter()).update(set(filter(None, chosen)))
    return [
        PollCounts(question, people[question], counted.most_common())
        for question, counted in counts.items()
    ]


@dataclass
class AttendanceReport:
    """The report on one session; `fault` is why some of it could not be read.

    `waited` is the number of people who were in the waiting room and never admitted, `registered`
    that of the registrants.
    """

    family: str
    id: str
    details: JsonDict
    stays: list[AttendanceStay] = field(default_factory=list)
    attendees: list[Attendee] = field(default_factory=list)
    polls: list[SessionAnswer] = field(default_factory=list)
    questions: list[SessionAnswer] = field(default_factory=list)
    registered: int | None = None
    waited: int = 0
    fault: Fault | None = None

    @property
    def start(self) -> datetime | None:
        return moment_of(self.details.get("start_time"))

    @property
    def end(self) -> datetime | None:
        return moment_of(self.details.get("end_time"))

    @property
    def name(self) -> str:
        """Returns a name of the session, whatever the service leaves out."""
        number = text(self.details.get("id"))
        return text(self.details.get("topic")) or number or _("Without a topic")

    @property
    def came(self) -> list[Attendee]:
        """Returns those who were there."""
        return [one for one in self.attendees if one.stays]

    @property
    def came_registered(self) -> int | None:
        """Returns the number of registrants who are known to have come."""
        if self.registered is None:
            return None
        return self.registered - (len(self.attendees) - len(self.came))

    @property
    def not_compared(self) -> int:
        """Returns the number of those who came and cannot be compared with the registrants."""
        return sum(one.known_by == Recognition.NOT_COMPARED for one in self.came)

    @property
    def has_statuses(self) -> bool:
        """Returns whether the service tells stays in the waiting room from others."""
        return any(one.status for one in self.stays)

    def chart(self) -> Chart | None:
        """Returns a chart of the people present, minute by minute or at fewer moments of a long
        session."""
        admitted = [one for one in self.stays if not one.is_waiting]
        beginnings = [one.joined for one in admitted if one.joined]
        first = self.start or min(beginnings, default=None)
        ends = [one.left for one in admitted if one.left]
        last = self.end or max(ends, default=None)
        if first is None or last is None or last <= first or last - first > timedelta(days=3):
            return None
        minutes = int((last - first).total_seconds() // 60) + 1
        step = max(-(-minutes // _MOST_MOMENTS), 1)
        moments = [first + timedelta(minutes=at) for at in range(0, minutes, step)]
        series = Series(_("People"), list(present(self.stays, moments)), shape="steps")
        return Chart("attendance", _("Attendance"), moments, [series])


def read_session(scope: Scope, api: Api, family: str, session_id: str) -> AttendanceReport:
    """Returns the whole report. Raises `ApiError` only if not even the details can be read."""
    sources = OF_SESSION[family]
    wanted = {name: ReportWindow(source, None, session_id) for name, source in sources.items()}
    gathered = gather(scope, api, wanted.values(), Origin(scope.user))
    data = {name: _rows(scope, one) for name, one in wanted.items()}
    if scope.is_narrow:
        api = api_for(whole(scope.connection))
    if not data["details"]:
        # The page shows the words of the service itself.
        data["details"] = [getattr(api.reports, family)(session_id).model_dump(mode="json")]
    host = text(data["details"][0].get("user_email"))
    if not is_within(scope, host):
        raise Outside(getattr(Reports, family), OUTSIDE)
    report = AttendanceReport(family, session_id, data["details"][0], fault=gathered.fault)
    report.stays = [stay_of(row) for row in data["participants"]]
    report.attendees = merged(report.stays, report.end)
    report.waited = only_waited(report.stays)
    report.polls = list(_answers(data["polls"]))
    report.questions = list(_answers(data.get("questions", [])))
    if family == "webinar":
        _add_registration(report, scope, api)
    if gathered.fault is None:
        _store_for_good(scope.connection, report, sources.values())
    return report


def _add_registration(report: AttendanceReport, scope: Scope, api: Api) -> None:
    number = text(report.details.get("id"))
    if not number or not scope.can_call(WebinarRegistrants.list):
        return
    query = RegistrantsQuery(status=RegistrantStatus.APPROVED, page_size=300)
    try:
        registrants = each_once(
            SessionRegistrant(
                " ".join(filter(None, (one.first_name, one.last_name))),
                text(one.email),
                text(one.id),
            )
            for one in api.webinar_registrants.list.all(number, query)
        )
    except (ApiError, NotAnId):
        return  # without registration, or the webinar is gone: registrants are unknown
    report.registered = len(registrants)
    if registrants:
        answers = ((one.name, one.email) for one in (*report.polls, *report.questions))
        report.attendees = with_registration(report.attendees, registrants, answers)


def _store_for_good(connection: Connection, report: AttendanceReport, sources: Any) -> None:
    """Marks a report as final. A number may meet again, so only a session by its UUID is final."""
    is_over = report.end is not None and clock.now() - report.end > _FINAL_AFTER
    if is_over and not report.id.isdecimal():
        names = [source.name for source in sources]
        windows = StoredWindow.objects.filter(
            report__connection=connection,
            report__subject=report.id,
            report__source__in=names,
            is_whole=True,
            totals={},
        )
        windows.update(totals={storing.FINAL: True})


def _rows(scope: Scope, wanted: ReportWindow) -> list[JsonDict]:
    return [row.data for row in rows_of(scope, wanted).order_by("pk")]


def _answers(people: list[dict[str, object]]) -> Iterator[SessionAnswer]:
    for person in people:
        given = person.get("question_details")
        for one in given if isinstance(given, list) else ():
            if isinstance(one, dict):
                yield SessionAnswer(
                    text(person.get("name")),
                    text(person.get("email")),
                    text(one.get("question"), 4000),
                    text(one.get("answer"), 4000),
                )
