"""Storage that recordings take, and storage that would be freed."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import settings
from django.urls import reverse

from portal.connections.api import api_for
from portal.recordings import storage
from portal.recordings.storage import StorageDay, forecast
from portal.reports.definitions.days import StorageOfDay
from portal.ui.numbers import gigabytes, size_in_words
from tests.recordings.made import file, mirrored
from tests.support.fault_server import answer
from tests.support.html import text_of
from tests.support.scopes import whole

pytestmark = pytest.mark.django_db


def _line(per_day, allowed=100.0):
    first = date(2026, 1, 1)
    return [StorageDay(first + timedelta(days=at), 10 + per_day * at, allowed) for at in range(31)]


def test_half_year_is_read_by_windows_without_gap_or_day_twice(connection, sandbox):
    found = storage.history(api_for(whole(connection)), connection)
    days = [one.day for one in found.days]
    assert days == [days[0] + timedelta(days=at) for at in range(len(days))]
    assert len(days) > 175
    assert found.last
    today = str(found.last.day)
    report = sandbox.client.get("/report/cloud_recording", params={"from": today, "to": today})
    [shown] = report.json()["cloud_recording_storage"]
    assert gigabytes(shown["usage"]) == found.last.used
    assert found.last.allowed
    reported = StorageOfDay.of(found.last.day, shown)
    assert (reported.used, reported.included) == (found.last.used, found.last.allowed)


@pytest.mark.parametrize(
    ("per_day", "allowed", "full_on"),
    [
        (1.0, 100.0, date(2026, 4, 1)),
        (0.0, 100.0, None),
        (-1.0, 100.0, None),
        (0.01, 100.0, None),
        (1.0, None, None),
    ],
)
def test_a_forecast_goes_on_as_the_last_days_did(per_day, allowed, full_on):
    outlook = forecast(_line(per_day, allowed))
    assert outlook
    assert outlook.per_day == pytest.approx(per_day)
    assert outlook.full_on == full_on
    assert forecast([]) is None


def test_a_plan_that_is_used_up_is_said():
    outlook = forecast(_line(1.0, 20.0))
    assert outlook
    assert outlook.is_full


@pytest.mark.parametrize(
    ("text", "expected"),
    [("12.5", 12.5), ("12.5 GB", 12.5), ("1,024 MB", 1.024), ("2 TB", 2000.0), ("a lot", None)],
)
def test_sizes_are_read_as_services_write_them(text, expected):
    assert gigabytes(text) == expected


@pytest.mark.parametrize(
    ("size", "words"),
    [(None, ""), (0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (35_870_000_000, "35.9 GB")],
)
def test_sizes_are_shown_in_units_of_a_thousand(size, words):
    assert size_in_words(size) == words


def test_no_page_counts_sizes_in_other_units():
    templates = (settings.BASE_DIR / "templates").rglob("*.html")
    assert [one.name for one in templates if "filesizeformat" in one.read_text("utf-8")] == []
    python = (settings.BASE_DIR / "portal").rglob("*.py")
    assert [one.name for one in python if "filesizeformat" in one.read_text("utf-8")] == []


def test_hosts_and_departments_are_shown_by_what_they_store(client, connection):
    old = datetime.now(UTC) - timedelta(days=200)
    for number, (name, dept) in enumerate(
        [("Ada <b>", "Legal"), ("Ada <b>", "Legal"), ("Grace", "Sales")]
    ):
        files = [file(size=3_000_000_000), file(2, size=1, deleted="2026-11-01T10:00:00Z")]
        mirrored(
            connection,
            f"r{number}",
            host_id=name,
            host_name=name,
            dept=dept,
            files=files,
            start_time=old if number else None,
        )
    hosts = storage.by_host(whole(connection), 10)
    assert [(one.name, one.count) for one in hosts] == [("Ada <b>", 2), ("Grace", 1)]
    assert sum(one.percent for one in hosts) == pytest.approx(100)
    url = reverse("recordings:storage", args=[connection.key])
    page = client.get(url, {"age": "over-180"})
    assert "Ada &lt;b&gt;" in page.text
    text = text_of(page.text)
    assert "2 recordings, 6.0 GB" in text
    assert "Legal" in text
    assert re.search(r"[\d.]+ GB of [\d.]+ GB used, [\d.]+ %", text)
    assert "age=over-180" in page.text


def test_a_report_that_cannot_be_read_spoils_nothing_else(client, faulty, fault_server):
    mirrored(faulty, "a", host_name="Ada", host_id="h")
    fault_server.always(answer(400, {"message": "Not today."}))
    page = client.get(reverse("recordings:storage", args=[faulty.key]))
    assert page.status_code == 200
    assert "Not today" in page.text
    assert "Ada" in text_of(page.text)
