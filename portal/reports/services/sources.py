"""The reports of the service (spec 4.8): how each is fetched, and what identifies its records.

`SourceKind` says how a source is read: records of single days, which make up any range; sums of the
days of a request, which hold for exactly these; or all about one session.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any

from portal.client import Api
from portal.contract.model import Model
from portal.contract.operation import AnyOperation, Call
from portal.contract.reading import left_out_of
from portal.contract.reports import Reports
from portal.contract.usage import HostActivity, MonthQuery, StorageQuery
from portal.mirror.values import moment
from portal.reports.windows import Span
from portal.translation import gettext_lazy

PAGE = 300
_HOST = ("user_name", "email", "dept")
_USE = ("meetings", "participants", "meeting_minutes")


class SourceKind(Enum):
    DAYS = "days"
    SUMS = "sums"
    SESSION = "session"


@dataclass(frozen=True)
class SourcePage:
    """Some records of a reading; `reported` is the service's count of all of them."""

    records: Sequence[Model]
    reported: int | None = None


Fetch = Callable[[Api, str, Span | None], Iterator[SourcePage]]


@dataclass(frozen=True)
class ReportSource:
    """A report of the service: `key` are the fields that identify a record.

    `day` is the field with the day that a record counts for, `searched` are the fields that a
    search looks through, `numbers` the fields that are added up, `undeclared` those that only
    services of today have. With `is_recent_only` the service
    has only the most recent six months. If it `is_counted`, the service is asked for the number of
    records of some days first, so that many can be read at once, a few days each.
    """

    name: str
    title: str
    operation: AnyOperation
    kind: SourceKind
    fetch: Fetch
    key: tuple[str, ...]
    day: str = ""
    searched: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()
    is_recent_only: bool = False
    is_counted: bool = False

    def count(self, api: Api, subject: str, span: Span) -> int | None:
        """Returns the number of records of some days."""
        page = api.caller(_call(self.operation, subject, span, page_size=1))
        total: int | None = page.total_records
        return total


def _days(span: Span | None) -> dict[str, date]:
    assert span is not None  # noqa: S101 - only sessions have none
    return {"from": span.first, "to": span.last}


def _whole(report: Model, records: Sequence[Model]) -> SourcePage:
    """Returns all records of a report without pages; its count includes unreadable ones."""
    unread = len(left_out_of(report))
    return SourcePage(records, len(records) + unread if unread else None)


def _daily(api: Api, _subject: str, span: Span | None) -> Iterator[SourcePage]:
    """Fetches a whole month and yields its wanted days."""
    first = _days(span)["from"]
    report = api.reports.daily(MonthQuery(year=first.year, month=first.month))
    wanted_days = [one for one in report.dates or () if one.date and span and span.has(one.date)]
    yield _whole(report, wanted_days)


def _storage(api: Api, _subject: str, span: Span | None) -> Iterator[SourcePage]:
    report = api.reports.cloud_recording(StorageQuery(**_days(span)))
    yield _whole(report, report.cloud_recording_storage)


def _session(operation: AnyOperation) -> Fetch:
    def fetch(api: Api, subject: str, _span: Span | None) -> Iterator[SourcePage]:
        yield SourcePage([api.caller(operation.call(subject))])

    return fetch


def _answers(operation: AnyOperation) -> Fetch:
    def fetch(api: Api, subject: str, _span: Span | None) -> Iterator[SourcePage]:
        report = api.caller(operation.call(subject))
        yield _whole(report, report.questions)

    return fetch


def _call(operation: AnyOperation, subject: str, span: Span | None, **given: object) -> Call[Any]:
    """Returns the call of a paged operation, for some days or a session."""
    made: Any = operation.query
    days = _days(span) if span else {}
    return operation.call(*([subject] if subject else []), made(**days, **given))


def _pages(operation: AnyOperation, **given: object) -> Fetch:
    paging: Any = operation.pages

    def fetch(api: Api, subject: str, span: Span | None) -> Iterator[SourcePage]:
        for page in api.caller.pages(_call(operation, subject, span, page_size=PAGE, **given)):
            yield SourcePage(getattr(page, paging.records), page.total_records)

    return fetch


def _paged(
    name: str, title: str, operation: AnyOperation, kind: SourceKind, fetch: Fetch, **more: Any
) -> ReportSource:
    """Returns a source of a paged operation, which says by its paging what identifies a record."""
    paging: Any = operation.pages
    return ReportSource(name, title, operation, kind, fetch, paging.key, **more)


DAILY = ReportSource(
    "daily",
    gettext_lazy("Daily use"),
    Reports.daily,
    SourceKind.DAYS,
    _daily,
    ("date",),
    day="date",
    numbers=("new_users", *_USE),
    is_recent_only=True,
)
STORAGE = ReportSource(
    "storage",
    gettext_lazy("Cloud recording storage"),
    Reports.cloud_recording,
    SourceKind.DAYS,
    _storage,
    ("date",),
    day="date",
    is_recent_only=True,
)
TELEPHONE = _paged(
    "telephone",
    gettext_lazy("Telephone calls"),
    Reports.telephone,
    SourceKind.DAYS,
    _pages(Reports.telephone),
    day="start_time",
    searched=(
        "host_name",
        "host_email",
        "dept",
        "phone_number",
        "call_in_number",
        "country_name",
        "meeting_id",
    ),
    numbers=("duration",),
    is_counted=True,
)
PERSON = _paged(
    "person",
    gettext_lazy("Meetings of a person"),
    Reports.user_meetings,
    SourceKind.DAYS,
    _pages(Reports.user_meetings),
    day="start_time",
    searched=("topic", "user_name", "user_email", "id", "uuid"),
    numbers=("duration", "total_minutes", "participants_count"),
    is_counted=True,
)
HOSTS = _paged(
    "hosts",
    gettext_lazy("Active hosts"),
    Reports.users,
    SourceKind.SUMS,
    _pages(Reports.users, type=HostActivity.ACTIVE),
    searched=_HOST,
    numbers=_USE,
)
INACTIVE = _paged(
    "inactive",
    gettext_lazy("Inactive hosts"),
    Reports.users,
    SourceKind.SUMS,
    _pages(Reports.users, type=HostActivity.INACTIVE),
    searched=_HOST,
)


def _of_session(family: str) -> dict[str, ReportSource]:
    kind, answered = SourceKind.SESSION, ("name", "email")
    details: AnyOperation = getattr(Reports, family)
    people: AnyOperation = getattr(Reports, f"{family}_participants")
    polls: AnyOperation = getattr(Reports, f"{family}_polls")
    sources = {
        "details": ReportSource(
            f"{family}-details",
            gettext_lazy("Details"),
            details,
            kind,
            _session(details),
            ("uuid", "id"),
        ),
        "participants": _paged(
            f"{family}-people",
            gettext_lazy("Participants"),
            people,
            kind,
            _pages(people),
            day="join_time",
            searched=("name", "user_email"),
            numbers=("duration",),
            undeclared=("status", "registrant_id"),
        ),
        "polls": ReportSource(
            f"{family}-polls", gettext_lazy("Polls"), polls, kind, _answers(polls), answered
        ),
    }
    if family == "webinar":
        questions = Reports.webinar_questions
        sources["questions"] = ReportSource(
            f"{family}-questions",
            gettext_lazy("Questions and answers"),
            questions,
            kind,
            _answers(questions),
            answered,
        )
    return sources


OF_SESSION = {family: _of_session(family) for family in ("meeting", "webinar")}
SOURCES = {
    source.name: source
    for source in (
        DAILY,
        STORAGE,
        TELEPHONE,
        PERSON,
        HOSTS,
        INACTIVE,
        *(source for sources in OF_SESSION.values() for source in sources.values()),
    )
}


def day_of(source: ReportSource, record: Model) -> date | None:
    """Returns the day of GMT that a record counts for; None if it does not say."""
    value = getattr(record, source.day, None) if source.day else None
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    at = moment(value)
    return at.date() if at else None


def moment_of(source: ReportSource, record: Model) -> datetime | None:
    """Returns the beginning of the record's subject."""
    value = getattr(record, source.day, None) if source.day else None
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return moment(value)
