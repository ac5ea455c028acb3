"""Ranges split into windows: every day exactly once, and no window longer than is allowed."""

from datetime import date, timedelta

from hypothesis import example, given, strategies as st

from portal.reports.windows import Span, half_a_year_before, missing

DAYS = st.dates(date(2019, 1, 1), date(2031, 12, 31))
LENGTHS = st.integers(1, 800)
BEGINNING_AND_LENGTH = st.tuples(DAYS, LENGTHS)


def span(first, length):
    return Span(first, first + timedelta(days=length - 1))


SPANS = BEGINNING_AND_LENGTH.map(lambda both: span(*both))


@given(SPANS)
@example(Span(date(2024, 2, 29), date(2024, 2, 29)))
@example(Span(date(2023, 12, 31), date(2024, 3, 1)))
def test_months_have_every_day_once(wanted):
    months = list(wanted.months())
    assert [day for month in months for day in month.each()] == wanted.each()
    assert all(
        (month.first.year, month.first.month) == (month.last.year, month.last.month)
        for month in months
    )
    assert all((month.last - month.first).days <= 30 for month in months)


@given(SPANS, st.integers(0, 1000))
def test_parts_have_every_day_once(wanted, count):
    parts = list(wanted.split(count))
    assert [day for part in parts for day in part.each()] == wanted.each()
    sizes = [part.days for part in parts]
    assert max(sizes) - min(sizes) <= 1


@given(SPANS, st.lists(SPANS, max_size=6))
def test_what_is_missing_and_what_is_known_are_all_days(wanted, known):
    found = missing(wanted, known)
    days = [day for each in found for day in each.each()]
    there = {day for each in known for day in each.each()}
    assert days == [day for day in wanted.each() if day not in there]


@given(DAYS)
def test_half_a_year_ago_is_in_the_month_six_before(day):
    before = half_a_year_before(day)
    assert (day.year * 12 + day.month) - (before.year * 12 + before.month) == 6
    assert before.day == day.day or (before + timedelta(days=1)).day == 1
