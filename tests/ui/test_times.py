"""Times are shown as how long ago, with the exact time and its zone at hand."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.ui.times import in_words, relative

NOW = datetime(2026, 11, 21, 14, 2, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(0), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(days=1), "1 day ago"),
        (timedelta(days=6), "6 days ago"),
        (timedelta(days=7), "14 Nov"),
        (timedelta(days=365), "21 Nov 2025"),
        (-timedelta(seconds=30), "in a moment"),
        (-timedelta(minutes=5), "in 5 minutes"),
        (-timedelta(days=30), "21 Dec"),
    ],
)
def test_how_long_ago(ago, words):
    assert in_words(NOW - ago, NOW) == words


@time_machine.travel(NOW, tick=False)
def test_the_exact_time_names_its_zone():
    with timezone.override("Europe/Berlin"):
        html = relative(NOW - timedelta(hours=3))
    assert ">3 hours ago<" in html
    assert 'title="21 November 2026, 12:02:05 (Europe/Berlin)"' in html
    assert 'datetime="2026-11-21T11:02:05+00:00"' in html
