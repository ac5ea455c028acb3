"""Stores the rows of reports, by windows of days.

A window is filled page by page, in little memory, while no page shows it. When it is whole it
replaces the rows of its days, in one transaction: no row is stored twice, none is lost.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from hashlib import blake2b
from math import isfinite

from django.db import transaction
from django.db.models import F, QuerySet

from portal.access.models import Connection
from portal.client import Api
from portal.config import clock
from portal.config.celery import app
from portal.config.database import insert_rows, writing
from portal.connections.calls import require_whole
from portal.contract.model import JsonDict, Model
from portal.mirror.values import integer, text
from portal.reports.models import StoredReport, StoredRow, StoredWindow
from portal.reports.services.sources import (
    SOURCES,
    ReportSource,
    SourceKind,
    SourcePage,
    day_of,
    moment_of,
)
from portal.reports.windows import Span, final_day, half_a_year_before
from portal.translation import folded

FRESH = timedelta(minutes=5)  # rows that may still change are not read again so soon
FINAL = "final"  # among the totals of a session that does not change any more
_ABANDONED = timedelta(hours=6)  # after which the reader of a window has died
_PASSING = timedelta(days=1)  # for which sums up to days not over yet are stored
_BATCH = 1000
_LONGEST_TEXT = 4000
_READINGS = 2  # of a window that lists other than it says


def report_of(connection: Connection, source: ReportSource, subject: str = "") -> StoredReport:
    """Returns the report, to store windows of it."""
    report, _ = StoredReport.objects.get_or_create(
        connection=connection, source=source.name, subject=subject
    )
    return report


def stored(connection: Connection, source: ReportSource, subject: str = "") -> StoredReport | None:
    """Returns the report if any window of it was stored: a viewer writes nothing."""
    reports = StoredReport.objects.filter(
        connection=connection, source=source.name, subject=subject
    )
    return reports.first()


def windows_of(
    report: StoredReport | None, source: ReportSource, span: Span | None
) -> QuerySet[StoredWindow, StoredWindow]:
    """Returns the stored windows of these days, the earliest first.

    Sums are of exactly the days of a request, so only those of the range's months count.
    """
    windows = StoredWindow.objects.filter(is_whole=True).order_by("first", "pk")
    windows = windows.filter(report=report) if report else windows.none()
    if span is None:
        return windows
    windows = windows.filter(first__lte=span.last, last__gte=span.first)
    if source.kind is not SourceKind.SUMS:
        return windows
    months = set(span.months())
    exact = [window.pk for window in windows if window.span in months]
    return windows.filter(pk__in=exact)


def stored_days(
    report: StoredReport | None, source: ReportSource, span: Span, now: datetime
) -> list[Span]:
    """Returns the days that need no request: those that were over when read, and fresh ones."""
    spans = []
    for window in windows_of(report, source, span):
        is_fresh = now - window.read_at < FRESH
        days = window.span
        if days is None or (window.failure and not is_fresh):
            continue
        end = days.last if is_fresh else min(days.last, final_day(window.read_at))
        if end == days.last or (end >= days.first and source.kind is not SourceKind.SUMS):
            spans.append(Span(days.first, end))
    return spans


def forget_freshness(report: StoredReport, span: Span | None) -> None:
    """Makes days that may have changed due for reading, however lately they were read."""
    past = F("read_at") - FRESH
    windows = StoredWindow.objects.filter(report=report, is_whole=True)
    if span is not None:
        windows = windows.filter(first__lte=span.last, last__gte=span.first)
    windows.filter(read_at__gt=clock.now() - FRESH).update(read_at=past)


def begin(
    report: StoredReport, reader: str, span: Span | None, *, now: datetime | None = None
) -> StoredWindow:
    """Returns a window to fill; deletes what the same reader began before and did not end."""
    first, last = (span.first, span.last) if span else (None, None)
    own = StoredWindow.objects.filter(report=report, reader=reader, is_whole=False)
    with writing():
        own.filter(first=first, last=last).delete()
        return StoredWindow.objects.create(
            report=report, first=first, last=last, read_at=now or clock.now(), reader=reader
        )


class TooLong(Exception):
    """More rows than may be read within a request."""


def read(
    api: Api, source: ReportSource, window: StoredWindow, subject: str, most: int | None = None
) -> None:
    """Fills a window that was just begun. Raises `ApiError`, `TooLong` beyond `most` rows, and
    `NotWhole` for an api that does not show the whole account.

    A list that has changed while it was read is read once more.
    """
    require_whole(api)
    span = window.span
    for reading in range(_READINGS):
        if reading:
            window.rows.all().delete()
        window.read_at = clock.now()
        window.reported, window.totals, window.listed = None, {}, 0
        for page in source.fetch(api, subject, span):
            if most is not None and max(page.reported or 0, window.listed) > most:
                raise TooLong
            _add(source, window, page)
        if window.reported is None or window.listed == window.reported:
            return


def refuse(report: StoredReport, reader: str, span: Span | None, failure: str) -> StoredWindow:
    """Stores that a window could not be read, and why; no stored rows are replaced."""
    earlier = StoredWindow.objects.filter(report=report, is_whole=True).exclude(failure="")
    if span is not None:
        earlier = earlier.filter(first__gte=span.first, last__lte=span.last)
    earlier.delete()
    window = begin(report, reader, span)
    window.failure, window.is_whole = text(failure, 1000), True
    window.save()
    return window


def finish(window: StoredWindow, source: ReportSource) -> None:
    """Replaces the stored rows of a window's days by those of the window."""
    with transaction.atomic():
        # If two end at once, one waits for the other.
        StoredReport.objects.select_for_update().get(pk=window.report_id)
        others = StoredWindow.objects.filter(report_id=window.report_id, is_whole=True)
        _make_room(others.exclude(pk=window.pk), window, source)
        window.is_whole = True
        window.save()


@app.task(name="reports.prune")
def prune() -> int:
    """Deletes windows that are not used any more. Returns the number of deleted rows."""
    now = clock.now()
    old = now - _ABANDONED
    gone, _ = StoredWindow.objects.filter(is_whole=False, read_at__lt=old).delete()
    sums = [source.name for source in SOURCES.values() if source.kind is SourceKind.SUMS]
    windows = StoredWindow.objects.filter(
        is_whole=True, report__source__in=sums, read_at__lt=now - _PASSING
    )
    # Sums up to days that were not over when they were read.
    early = [one.pk for one in windows if one.last and one.last > final_day(one.read_at)]
    unused = [*early, *_rolling(windows, half_a_year_before(now.date()))]
    for start in range(0, len(unused), _BATCH):
        some, _ = StoredWindow.objects.filter(pk__in=unused[start : start + _BATCH]).delete()
        gone += some
    return gone


def _rolling(windows: QuerySet[StoredWindow], reported_since: date) -> Iterator[int]:
    """Yields windows of sums of the end of a month, which each begin of a rolling range leaves
    behind. Of days that the service does not report any more, the longest end of each month
    stays."""
    longest: set[tuple[int, date]] = set()
    for window in windows.filter(first__day__gt=1).order_by("first").iterator():
        days = window.span
        if days is None or (days.last + timedelta(days=1)).day > 1:
            continue
        if days.first > reported_since or (window.report_id, days.last) in longest:
            yield window.pk
        else:
            longest.add((window.report_id, days.last))


def _make_room(others: QuerySet[StoredWindow], window: StoredWindow, source: ReportSource) -> None:
    span = window.span
    if span is None:
        others.delete()
        return
    overlapping = others.filter(first__lte=span.last, last__gte=span.first)
    if source.kind is SourceKind.SUMS:
        overlapping.filter(first=span.first, last=span.last).delete()
        overlapping.exclude(failure="").delete()
        return
    day = timedelta(days=1)
    for other in overlapping:
        days = other.span
        if days is None or (span.first <= days.first and days.last <= span.last):
            other.delete()
            continue
        other.rows.filter(day__range=(span.first, span.last)).delete()
        if days.first < span.first and days.last > span.last:
            after = StoredWindow.objects.get(pk=other.pk)
            after.pk, after.first = None, span.last + day
            after.save(force_insert=True)
            other.rows.filter(day__gt=span.last).update(window=after)
        if days.first < span.first:
            other.last = span.first - day
        else:
            other.first = span.last + day
        other.save(update_fields=["first", "last"])


def _add(source: ReportSource, window: StoredWindow, page: SourcePage) -> None:
    window.reported = page.reported if page.reported is not None else window.reported
    rows = list(_rows(source, window, page))
    window.listed += len({row.key for row in rows})
    # Rows of days beside those of the request belong to other windows.
    span = window.span
    rows = [row for row in rows if span is None or (row.day and span.has(row.day))]
    with writing():
        insert_rows(rows, ignore_conflicts=True)


def _rows(source: ReportSource, window: StoredWindow, page: SourcePage) -> Iterator[StoredRow]:
    for record in page.records or ():
        day = day_of(source, record)
        if window.first and day is None:
            day = window.first
        yield StoredRow(
            window=window,
            key=_key(source, record),
            day=day,
            moment=moment_of(source, record),
            search=_search(source, record),
            data=_data(source, record),
        )


def _key(source: ReportSource, record: Model) -> str:
    values = [getattr(record, name, None) for name in source.key]
    identity = repr(values) if any(values) else record.model_dump_json(warnings=False)
    return blake2b(identity.encode(errors="replace"), digest_size=16).hexdigest()


def _search(source: ReportSource, record: Model) -> str:
    values = (text(getattr(record, name, None)) for name in source.searched)
    return folded("\n".join(value for value in values if value))


def _data(source: ReportSource, record: Model) -> JsonDict:
    fields = set(type(record).model_fields)
    dumped = record.model_dump(mode="json", by_alias=True, include=fields, warnings=False)
    made: dict[str, object] = {name: _stored(value) for name, value in dumped.items()}
    for name in source.numbers:
        value = made.get(name)
        made[name] = integer(value) if not isinstance(value, bool) else None
    extra = {name: record.undeclared(name) for name in source.undeclared}
    return made | {name: text(value) for name, value in extra.items() if value is not None}


def _stored(value: object) -> object:
    """Returns a value that a database can store as JSON."""
    match value:
        case str():
            return text(value, _LONGEST_TEXT)
        case bool() | None:
            return value
        case int():
            return value if abs(value) < 2**63 else str(value)[:40]
        case float():
            return value if isfinite(value) else None
        case list():
            return [_stored(one) for one in value]
        case dict():
            return {text(name): _stored(one) for name, one in value.items()}
        case _:
            return text(value)
