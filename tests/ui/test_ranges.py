"""Ranges: a day is the viewer's; the days of GMT that are asked for cover it, on odd days too."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from django.http import QueryDict
from django.utils import timezone
from hypothesis import HealthCheck, given, settings, strategies as st

from portal.ui.ranges import MOST_DAYS, Period, Range, RangeFilter

# Clocks change at midnight in Cairo, Havana and Asuncion, a minute past it in St John's of old, by
# half an hour on Lord Howe Island; Apia once left out a whole day.
ODD = (
    *("Pacific/Auckland", "America/New_York", "Europe/Berlin", "Africa/Cairo", "America/Havana"),
    *("America/Asuncion", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Beirut"),
    *("Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"),
)
zones = st.sampled_from([ZoneInfo(name) for name in (*ODD, *sorted(available_timezones()))])
days = st.dates(date(2000, 1, 1), date(2040, 12, 31))
spans = st.integers(0, 100).map(lambda number: timedelta(days=number))
HOUR = timedelta(hours=1)
# The first values take long where the machine has much to do.
patient = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
NOW = datetime(2026, 11, 22, 18, 30, tzinfo=UTC)


def covered(chosen):
    return [
        window.from_ + timedelta(days=number)
        for window in reversed(chosen.windows())
        for number in range((window.to - window.from_).days + 1)
    ]


@patient
@given(days, spans, zones)
def test_windows_join_without_gap_or_double(first, span, zone):
    asked = covered(Range(first, first + span, zone))
    assert asked == [asked[0] + timedelta(days=number) for number in range(len(asked))]


@patient
@given(days, spans, zones)
def test_a_window_is_a_month_at_most(first, span, zone):
    for window in Range(first, first + span, zone).windows():
        assert (window.from_.year, window.from_.month) == (window.to.year, window.to.month)


@patient
@given(days, spans, zones, st.timedeltas(timedelta(days=-3), timedelta(days=105)))
def test_every_moment_of_the_days_is_asked_for(first, span, zone, off):
    chosen = Range(first, first + span, zone)
    moment = chosen.begin + off
    is_on_a_day = first <= moment.astimezone(zone).date() <= first + span
    assert chosen.has(moment) == is_on_a_day
    if is_on_a_day:
        assert moment.date() in covered(chosen)
        assert chosen.begin <= moment < chosen.end


@patient
@given(days, spans, zones)
def test_no_more_days_are_asked_for_than_cover_them(first, span, zone):
    asked = covered(Range(first, first + span, zone))
    assert len(asked) <= span.days + 2


@patient
@given(days, zones)
def test_days_follow_one_another(first, zone):
    today = Range(first, first, zone)
    tomorrow = Range(first + timedelta(days=1), first + timedelta(days=1), zone)
    assert not any(today.has(at) and tomorrow.has(at) for at in (today.begin, tomorrow.begin))
    assert tomorrow.begin <= today.end <= tomorrow.begin + HOUR


@pytest.mark.parametrize("name", [*ODD, "America/Santiago"])
def test_moment_around_clock_change_is_in_range_of_its_day(name):
    """Holds for clocks that leave midnight out and for those that strike it twice."""
    zone = ZoneInfo(name)
    for number in range(20 * 366):
        day = date(2015, 1, 1) + timedelta(days=number)
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone)
        if noon.utcoffset() == (noon + timedelta(days=1)).utcoffset():
            continue
        for first in (day - timedelta(days=1), day, day + timedelta(days=1)):
            chosen = Range(first, first, zone)
            for minutes in range(-180, 29 * 60, 20):
                moment = chosen.begin + timedelta(minutes=minutes)
                assert (chosen.begin <= moment < chosen.end) == chosen.has(moment), (first, moment)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("America/Santiago", date(2026, 9, 5), 24),
        ("America/Santiago", date(2026, 9, 6), 23),
        ("America/Havana", date(2026, 10, 31), 24),
        ("America/Havana", date(2026, 11, 1), 25),
        ("Pacific/Auckland", date(2026, 9, 27), 23),
        ("Pacific/Auckland", date(2026, 4, 5), 25),
        ("America/New_York", date(2026, 3, 8), 23),
        ("America/New_York", date(2026, 11, 1), 25),
        ("America/New_York", date(2026, 11, 2), 24),
        ("Pacific/Apia", date(2011, 12, 30), 0),
    ],
)
def test_a_day_has_as_many_hours_as_its_clocks_give_it(zone, day, hours):
    chosen = Range(day, day, ZoneInfo(zone))
    assert chosen.end - chosen.begin == hours * HOUR


@pytest.mark.parametrize(
    ("zone", "asked"),
    [
        ("Pacific/Auckland", (date(2026, 11, 21), date(2026, 11, 22))),
        ("America/New_York", (date(2026, 11, 22), date(2026, 11, 23))),
        ("UTC", (date(2026, 11, 22), date(2026, 11, 22))),
    ],
)
def test_the_days_asked_for_are_those_of_gmt(zone, asked):
    day = date(2026, 11, 22)
    assert Range(day, day, ZoneInfo(zone)).gmt_days == asked


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        (Period.TODAY, date(2026, 11, 23), date(2026, 11, 23)),
        (Period.YESTERDAY, date(2026, 11, 22), date(2026, 11, 22)),
        (Period.LAST_7_DAYS, date(2026, 11, 17), date(2026, 11, 23)),
        (Period.LAST_30_DAYS, date(2026, 10, 25), date(2026, 11, 23)),
        (Period.THIS_MONTH, date(2026, 11, 1), date(2026, 11, 23)),
        (Period.LAST_MONTH, date(2026, 10, 1), date(2026, 10, 31)),
    ],
)
def test_a_period_is_of_the_viewers_today(period, first, last):
    chosen = Range.of(period, NOW, ZoneInfo("Pacific/Auckland"))
    assert (chosen.first, chosen.last) == (first, last)


def filtered(query):
    class Filter(RangeFilter):
        sorts = ("name",)

    return Filter(QueryDict(query))


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("period=custom&from_date=2026-03-01&to_date=2026-03-04", (2026, 3, 1), (2026, 3, 4)),
        ("period=custom&from_date=2026-03-04&to_date=2026-03-01", (2026, 3, 1), (2026, 3, 4)),
        ("from_date=2026-03-01&to_date=2026-03-04", (2026, 3, 1), (2026, 3, 4)),
        ("period=custom&to_date=2026-03-04", (2026, 3, 4), (2026, 3, 4)),
        ("period=custom&from_date=1890-01-01&to_date=0007-01-01", (2000, 1, 1), (2000, 1, 1)),
        ("period=custom&from_date=2020-01-01&to_date=2026-03-04", (2025, 3, 4), (2026, 3, 4)),
    ],
)
def test_two_days_of_ones_own_are_a_range(query, first, last):
    with timezone.override("Europe/Berlin"):
        chosen = filtered(query).range
    assert (chosen.first, chosen.last) == (date(*first), date(*last))


def test_too_many_days_are_cut_and_that_is_known():
    assert filtered("period=custom&from_date=2020-01-01&to_date=2026-03-04").is_cut
    assert not filtered("period=custom&from_date=2026-01-01&to_date=2026-03-04").is_cut
    assert len(Range.between(date(2020, 1, 1), date(2026, 1, 1), UTC).days()) == MOST_DAYS


@pytest.mark.parametrize(
    "query", ["", "period=ever", "period=custom", "period=custom&from_date=soon", "period=%00"]
)
def test_what_cannot_be_understood_is_the_usual_period(query):
    with timezone.override("UTC"):
        assert filtered(query).range.first == filtered("").range.first
        assert len(filtered(query).range.days()) == 7


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (date(2026, 11, 22), date(2026, 11, 22), "22 November 2026"),
        (date(2026, 11, 16), date(2026, 11, 22), "16 to 22 November 2026"),
        (date(2026, 10, 24), date(2026, 11, 22), "24 October to 22 November 2026"),
        (date(2025, 12, 24), date(2026, 1, 2), "24 December 2025 to 2 January 2026"),
    ],
)
def test_a_range_is_said_in_words(first, last, words):
    assert Range(first, last, UTC).in_words == words
