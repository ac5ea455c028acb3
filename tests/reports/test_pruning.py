"""Stored reports are pruned: windows that are not read again."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from portal.reports.models import StoredWindow
from portal.reports.services import storing
from portal.reports.services.sources import HOSTS, TELEPHONE
from portal.reports.windows import Span

pytestmark = pytest.mark.django_db


def stored(connection, first, last, source=HOSTS):
    """As it was read two days ago."""
    report = storing.report_of(connection, source)
    window = storing.begin(report, "test", Span(first, last))
    read_at = datetime(2026, 5, 18, tzinfo=UTC)
    StoredWindow.objects.filter(pk=window.pk).update(is_whole=True, read_at=read_at)


def left():
    with time_machine.travel(datetime(2026, 5, 20, 12, tzinfo=UTC), tick=False):
        storing.prune()
    return list(StoredWindow.objects.order_by("first").values_list("first", "last"))


def test_beginnings_of_rolling_range_are_not_stored_for_ever(connection):
    whole = [(date(2026, 3, 1), date(2026, 3, 31)), (date(2026, 4, 1), date(2026, 4, 30))]
    for first, last in whole:
        stored(connection, first, last)
    for number in range(20):
        stored(connection, date(2026, 2, 5) + timedelta(days=number), date(2026, 2, 28))
    assert left() == whole


def test_of_days_that_cannot_be_read_again_the_most_stays(connection):
    end = date(2025, 9, 30)
    for day in (12, 14, 13):
        stored(connection, date(2025, 9, day), end)
    stored(connection, date(2025, 8, 20), date(2025, 8, 31))
    assert left() == [(date(2025, 8, 20), date(2025, 8, 31)), (date(2025, 9, 12), end)]


def test_days_within_a_month_and_rows_of_days_stay(connection):
    stored(connection, date(2026, 3, 5), date(2026, 3, 9))
    stored(connection, date(2026, 3, 7), date(2026, 3, 31), TELEPHONE)
    assert len(left()) == 2


def test_what_was_read_today_stays(connection):
    stored(connection, date(2026, 2, 5), date(2026, 2, 28))
    read_at = datetime(2026, 5, 20, 3, tzinfo=UTC)
    StoredWindow.objects.update(read_at=read_at)
    assert len(left()) == 1
