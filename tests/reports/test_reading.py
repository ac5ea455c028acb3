"""A report of any range: every row of the service exactly once, by any reader and whatever
happens while it is read."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from portal.access.http import Origin
from portal.connections.api import api_for
from portal.jobs.leases import JOBS, release
from portal.jobs.models import Job, JobItem, JobState
from portal.jobs.planner import plan
from portal.reports.models import StoredRow, StoredWindow
from portal.reports.services import fetching, storing
from portal.reports.services.fetching import ReportWindow, gather, lacking, request_reading
from portal.reports.services.rows import gaps, rows_of, span_of
from portal.reports.services.sources import DAILY, HOSTS, INACTIVE, PERSON, STORAGE, TELEPHONE
from portal.reports.windows import Span
from portal.ui.ranges import Range
from tests.support import report_truth as truth
from tests.support.clock import today
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db(transaction=True)

TODAY = datetime.now(UTC).date()
HALF_A_YEAR = Span(TODAY - timedelta(days=175), TODAY)
DAY = timedelta(days=1)
# Days on which clocks change, in zones that do so, some of them at midnight or by half an hour.
CHANGES = (
    (date(2027, 3, 14), "America/New_York"),
    (date(2027, 3, 28), "Europe/Berlin"),
    (date(2027, 4, 4), "Pacific/Auckland"),
    (date(2027, 4, 4), "Australia/Lord_Howe"),
    (date(2027, 9, 5), "America/Santiago"),
    (date(2027, 10, 31), "Europe/Berlin"),
    (date(2027, 11, 7), "America/New_York"),
    (date(2027, 11, 7), "America/Los_Angeles"),
)
ZONES = ("UTC", "Pacific/Auckland", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati")


def clock_changes(span):
    """The days of the span on which the clocks of a zone change; half a year has one of each."""
    for zone in sorted({zone for _, zone in CHANGES}):
        place = ZoneInfo(zone)
        offsets = [datetime(day.year, day.month, day.day, tzinfo=place) for day in span.each()]
        for before, after in pairwise(offsets):
            if before.utcoffset() != after.utcoffset():
                yield before.date(), zone


def read(connection, work, *wanted):
    return work(request_reading(connection, Origin(connection.owner), wanted))


def identified(rows):
    key = ("meeting_id", "phone_number", "call_in_number", "start_time")
    return Counter(repr([row[name] for name in key]) for row in rows)


def kept(connection, wanted, chosen=None):
    return [row.data for row in rows_of(whole(connection), wanted, chosen)]


def test_half_a_year_of_calls_is_read_by_a_job(connection, sandbox, work):
    wanted = ReportWindow(TELEPHONE, HALF_A_YEAR)
    job = read(connection, work, wanted)
    assert job.state == JobState.DONE
    assert identified(kept(connection, wanted)) == identified(truth.calls(sandbox, HALF_A_YEAR))
    assert not gaps(connection, wanted)
    assert set(StoredRow.objects.values_list("data__country_name", flat=True)) != {None}


def test_the_sums_of_hosts_are_those_of_the_service(connection, sandbox, work):
    span = Span(TODAY - timedelta(days=100), TODAY - timedelta(days=3))
    read(connection, work, ReportWindow(HOSTS, span))
    expected, page = truth.hosts(sandbox, span)
    rows = kept(connection, ReportWindow(HOSTS, span))
    for name in ("meetings", "participants", "meeting_minutes"):
        assert sum(row[name] for row in rows) == page[f"total_{name}"]
    assert {row["id"] for row in rows} == {one["id"] for one in expected}


def test_days_are_those_of_the_service(connection, sandbox, work):
    wanted = ReportWindow(DAILY, HALF_A_YEAR)
    read(connection, work, wanted)
    expected = truth.daily(sandbox, HALF_A_YEAR)
    rows = sorted(kept(connection, wanted), key=lambda row: row["date"])
    assert rows == sorted(expected, key=lambda one: one["date"])
    assert len(rows) == HALF_A_YEAR.days


def test_storage_is_asked_for_in_windows_that_are_allowed(connection, sandbox, work):
    wanted = ReportWindow(STORAGE, HALF_A_YEAR)
    job = read(connection, work, wanted)
    assert not job.items.exclude(state="done").exists()
    assert len(kept(connection, wanted)) == HALF_A_YEAR.days


def test_what_the_service_has_no_more_is_named(connection, work):
    first = TODAY - timedelta(days=300)
    wanted = ReportWindow(STORAGE, Span(first, TODAY))
    read(connection, work, wanted)
    [gap] = gaps(connection, wanted)
    assert gap.reason == fetching.TOO_OLD
    assert gap.span.first == first
    assert gap.span.last == min(row.day for row in rows_of(whole(connection), wanted)) - timedelta(
        days=1
    )


def test_days_that_are_over_are_not_asked_for_again(connection, work):
    wanted = ReportWindow(TELEPHONE, HALF_A_YEAR)
    read(connection, work, wanted)
    assert lacking(connection, wanted) == []
    StoredWindow.objects.update(read_at=datetime.now(UTC) - timedelta(minutes=10))
    lack = lacking(connection, wanted)
    assert lack
    days = [day for each in lack for day in each.span.each()]
    # A run that lasts beyond midnight asks for the range of the day on which it began.
    assert days == Span(today() - timedelta(days=2), min(today(), HALF_A_YEAR.last)).each()


def test_what_is_kept_outlives_the_service(connection, work):
    """The service may forget what it likes: a final day is there without it."""
    wanted = ReportWindow(STORAGE, HALF_A_YEAR)
    read(connection, work, wanted)
    later = datetime.now(UTC) + timedelta(days=400)
    assert lacking(connection, wanted, later) == []
    assert rows_of(whole(connection), wanted).count() == HALF_A_YEAR.days


@pytest.fixture
def half_a_year(connection, sandbox, work):
    """Calls and a busy host's meetings, read, and as the service has them."""
    wide = Span(HALF_A_YEAR.first - timedelta(days=3), TODAY)
    person = truth.busiest_host(sandbox, wide)
    read(connection, work, ReportWindow(TELEPHONE, wide))
    read(connection, work, ReportWindow(PERSON, wide, person))
    return person, truth.calls(sandbox, wide), truth.meetings_of(sandbox, person, wide)


def test_any_range_in_any_zone_has_every_row_once(connection, half_a_year):
    """Ranges that begin, end or lie on a day whose clocks change are always among them."""
    person, calls, meetings = half_a_year

    def holds(first, last, zone):
        chosen = Range(first, last, ZoneInfo(zone))
        expected = truth.on_days(calls, first, last, zone)
        found = kept(connection, ReportWindow(TELEPHONE, span_of(chosen)), chosen)
        assert identified(found) == identified(expected)
        held = truth.on_days(meetings, first, last, zone)
        rows = kept(connection, ReportWindow(PERSON, span_of(chosen), person), chosen)
        assert sorted(row["uuid"] for row in rows) == sorted(one["uuid"] for one in held)

    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(1, 174), st.integers(1, 174), st.sampled_from(ZONES))
    def any_range(one, other, zone):
        first, last = sorted(TODAY - timedelta(days=days) for days in (one, other))
        holds(first, last, zone)

    any_range()
    for day, zone in clock_changes(HALF_A_YEAR):
        for first, last in ((-1, -1), (0, 0), (1, 1), (-1, 0), (0, 1), (-1, 1)):
            holds(day + first * DAY, day + last * DAY, zone)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(CHANGES),
    st.lists(st.integers(-36 * 60, 36 * 60), min_size=1, max_size=60),
    st.tuples(st.integers(-2, 2), st.integers(-2, 2)),
)
def test_record_around_clock_change_counts_for_its_day(connection, change, minutes, ends):
    """In spring and autumn, in the north and the south, whatever day it is today."""
    day, zone = change
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    report = storing.report_of(connection, TELEPHONE)
    StoredWindow.objects.filter(report=report).delete()
    moments = sorted(midnight + timedelta(minutes=each) for each in set(minutes))
    for month in Span(day - 4 * DAY, day + 4 * DAY).months():
        window = storing.begin(report, "test", month)
        StoredRow.objects.bulk_create(
            StoredRow(window=window, key=str(at), day=at.date(), moment=at, data={"at": str(at)})
            for at in moments
            if month.has(at.date())
        )
        storing.finish(window, TELEPHONE)
    first, last = (day + end * DAY for end in sorted(ends))
    chosen = Range(first, last, ZoneInfo(zone))
    found = kept(connection, ReportWindow(TELEPHONE, Span(*chosen.gmt_days)), chosen)
    inside = [at for at in moments if first <= at.astimezone(ZoneInfo(zone)).date() <= last]
    assert Counter(row["at"] for row in found) == Counter(map(str, inside))


def test_readings_that_overlap_leave_every_row_once(connection, sandbox, work):
    """In whatever order days are read, alone or within others."""
    api = api_for(whole(connection))
    for first, last in ((60, 20), (40, 30), (90, 50), (25, 0), (35, 34), (100, 10)):
        span = Span(TODAY - timedelta(days=first), TODAY - timedelta(days=last))
        for month in span.months():
            fetching.read_window(connection, api, ReportWindow(TELEPHONE, month), "test")
    every = Span(TODAY - timedelta(days=100), TODAY)
    expected = identified(truth.calls(sandbox, every))
    assert identified(kept(connection, ReportWindow(TELEPHONE, every))) == expected
    assert StoredRow.objects.count() == sum(expected.values())


def test_reading_that_was_killed_shows_nothing_and_is_done_again(connection, sandbox, work):
    """Half a window is in the table when the worker dies, and its item stands as being sent."""
    wanted = ReportWindow(TELEPHONE, HALF_A_YEAR)
    job = request_reading(connection, Origin(connection.owner), [wanted])

    taken = JOBS.acquire(job.pk)
    assert taken is not None
    plan(taken)
    item = JobItem.objects.filter(job=job).earliest("number")
    report = storing.report_of(connection, TELEPHONE)
    half = storing.begin(report, f"item {item.pk}", ReportWindow.loaded(item.data).span)
    StoredRow.objects.create(window=half, key="half", day=half.first, data={"country_name": "Half"})
    JobItem.objects.filter(pk=item.pk).update(state="sending")
    assert kept(connection, wanted) == []
    held = JOBS.acquire(job.pk)
    if held:
        release(held)
    done = work(job)
    assert done.state == JobState.DONE
    assert identified(kept(connection, wanted)) == identified(truth.calls(sandbox, HALF_A_YEAR))
    assert not StoredRow.objects.filter(key="half").exists()


def test_a_short_range_is_read_at_once(connection, sandbox):
    span = Span(TODAY - timedelta(days=6), TODAY)
    wanted = ReportWindow(TELEPHONE, span)
    found = gather(
        whole(connection), api_for(whole(connection)), [wanted], Origin(connection.owner)
    )
    assert (found.job, found.fault) == (None, None)
    assert identified(kept(connection, wanted)) == identified(truth.calls(sandbox, span))


def test_a_long_range_begins_one_job(connection, sandbox):
    wanted = ReportWindow(TELEPHONE, HALF_A_YEAR)
    for _ in range(2):
        found = gather(
            whole(connection), api_for(whole(connection)), [wanted], Origin(connection.owner)
        )
        assert found.job is not None
    assert Job.objects.filter(connection=connection).count() == 1


def test_inactive_people_are_read_as_a_list(connection, sandbox):
    span = Span(date(TODAY.year, TODAY.month, 1), TODAY)
    gather(
        whole(connection),
        api_for(whole(connection)),
        [ReportWindow(INACTIVE, span)],
        Origin(connection.owner),
    )
    expected, _ = truth.hosts(sandbox, span, "inactive")
    found = {row["id"] for row in kept(connection, ReportWindow(INACTIVE, span))}
    assert found == {one["id"] for one in expected}
