"""The reports of the service (spec 4.8): how each is fetched, and what identifies its records.

`SourceKind` says how a source is read: records of single days, which make up any range; sums of the
days of a request, which hold for exactly these; or all about one session.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any

from portal.client import Api
from portal.contract.model import JsonDict, Model
from portal.contract.operation import AnyOperation
from portal.contract.paging import TokenDaysQuery, TokenQuery
from portal.contract.reading import left_out_of
from portal.contract.reports import Reports
from portal.contract.usage import HostActivity, HostsQuery, MonthQuery, StorageQuery, TelephoneQuery
from portal.mirror.values import moment
from portal.reports.services.windows import Span
from portal.translation import gettext_lazy

PAGE = 300
Count = Callable[[Api, str, Span], int | None]
_HOST = ("user_name", "email", "dept")
_USE = ("meetings", "participants", "meeting_minutes")
_ENDED = ("topic", "user_name", "user_email", "id", "uuid")
_PRESENT = ("name", "user_email")


class SourceKind(Enum):
    DAYS = "days"
    SUMS = "sums"
    SESSION = "session"


@dataclass(frozen=True)
class SourcePage:
    """Some records of a reading; `reported` is the service's count of all of them."""

    records: Sequence[Model]
    reported: int | None = None
    totals: JsonDict = field(default_factory=dict)


Fetch = Callable[[Api, str, Span | None], Iterator[SourcePage]]


@dataclass(frozen=True)
class ReportSource:
    """A report of the service: `key` are the fields that identify a record.

    `day` is the field with the day that a record counts for, `searched` are the fields that a
    search looks through, `numbers` the fields that are added up. With `is_recent_only` the service
    has only the most recent six months. `count` asks for the number of records of some days, so
    that many can be read at once, a few days each.
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
    is_recent_only: bool = False
    count: Count | None = None


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


def _telephone(api: Api, _subject: str, span: Span | None) -> Iterator[SourcePage]:
    query = TelephoneQuery(page_size=PAGE, **_days(span))
    for page in api.reports.telephone.pages(query):
        yield SourcePage(page.telephony_usage, page.total_records)


def _person(api: Api, subject: str, span: Span | None) -> Iterator[SourcePage]:
    query = TokenDaysQuery(page_size=PAGE, **_days(span))
    for page in api.reports.user_meetings.pages(subject, query):
        yield SourcePage(page.meetings, page.total_records)


def _hosts(activity: HostActivity) -> Fetch:
    def fetch(api: Api, _subject: str, span: Span | None) -> Iterator[SourcePage]:
        query = HostsQuery(page_size=PAGE, type=activity, **_days(span))
        for page in api.reports.users.pages(query):
            totals = {name: getattr(page, f"total_{name}") for name in _USE}
            yield SourcePage(page.users, page.total_records, totals)

    return fetch


def _session(family: str) -> Fetch:
    def fetch(api: Api, subject: str, _span: Span | None) -> Iterator[SourcePage]:
        yield SourcePage([getattr(api.reports, family)(subject)])

    return fetch


def _participants(family: str) -> Fetch:
    def fetch(api: Api, subject: str, _span: Span | None) -> Iterator[SourcePage]:
        operation = getattr(api.reports, f"{family}_participants")
        for page in operation.pages(subject, TokenQuery(page_size=PAGE)):
            yield SourcePage(page.participants, page.total_records)

    return fetch


def _answers(family: str, what: str) -> Fetch:
    def fetch(api: Api, subject: str, _span: Span | None) -> Iterator[SourcePage]:
        report = getattr(api.reports, f"{family}_{what}")(subject)
        yield _whole(report, report.questions)

    return fetch


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


TELEPHONE = ReportSource(
    "telephone",
    gettext_lazy("Telephone calls"),
    Reports.telephone,
    SourceKind.DAYS,
    _telephone,
    ("meeting_id", "phone_number", "call_in_number", "start_time"),
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
    count=lambda api, _subject, span: (
        api.reports.telephone(TelephoneQuery(page_size=1, **_days(span))).total_records
    ),
)


PERSON = ReportSource(
    "person",
    gettext_lazy("Meetings of a person"),
    Reports.user_meetings,
    SourceKind.DAYS,
    _person,
    ("uuid",),
    day="start_time",
    searched=_ENDED,
    numbers=("duration", "total_minutes", "participants_count"),
    count=lambda api, subject, span: (
        api.reports.user_meetings(subject, TokenDaysQuery(page_size=1, **_days(span))).total_records
    ),
)


HOSTS = ReportSource(
    "hosts",
    gettext_lazy("Active hosts"),
    Reports.users,
    SourceKind.SUMS,
    _hosts(HostActivity.ACTIVE),
    ("id",),
    searched=_HOST,
    numbers=_USE,
)


INACTIVE = ReportSource(
    "inactive",
    gettext_lazy("Inactive hosts"),
    Reports.users,
    SourceKind.SUMS,
    _hosts(HostActivity.INACTIVE),
    ("id",),
    searched=_HOST,
)


def _of_session(family: str) -> dict[str, ReportSource]:
    def made(
        name: str, title: str, operation: Any, fetch: Fetch, *key: str, **more: Any
    ) -> ReportSource:
        return ReportSource(
            f"{family}-{name}", title, operation, SourceKind.SESSION, fetch, key, **more
        )

    sources = {
        "details": made(
            "details",
            gettext_lazy("Details"),
            getattr(Reports, family),
            _session(family),
            "uuid",
            "id",
        ),
        "participants": made(
            "people",
            gettext_lazy("Participants"),
            getattr(Reports, f"{family}_participants"),
            _participants(family),
            *("id", "user_id", "join_time"),
            day="join_time",
            searched=_PRESENT,
            numbers=("duration",),
        ),
        "polls": made(
            "polls",
            gettext_lazy("Polls"),
            getattr(Reports, f"{family}_polls"),
            _answers(family, "polls"),
            *("name", "email"),
        ),
    }
    if family == "webinar":
        sources["questions"] = made(
            "questions",
            gettext_lazy("Questions and answers"),
            Reports.webinar_questions,
            _answers(family, "questions"),
            *("name", "email"),
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
