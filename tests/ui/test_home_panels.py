"""The first page draws the account in use, from what is stored, and says what was never read."""

import re
from datetime import UTC, timedelta

import pytest
from django.utils import timezone

from portal.access.models import Connection
from portal.contract.users import LicenceType, User as Person, UserStatus
from portal.directory import users
from portal.jobs.models import JobState
from portal.recordings.models import MirroredRecording, StorageReading, StoredSharing
from portal.reports.models import StoredReport, StoredRow, StoredWindow
from portal.sessions import mirror
from portal.ui.home import HomeTile, _subjects, short
from tests.support.html import text_of
from tests.support.portal import admin_client_for
from tests.support.shares import share_with
from tests.ui.home_causes import job, live, meeting

pytestmark = pytest.mark.django_db


def page_of(client):
    return client.get("/").text.partition('id="home"')[2].partition("</main>")[0]


def read(connection, *kinds):
    for state in (users.state_of(connection), mirror.state_of(connection)):
        if state.kind in kinds or not kinds:
            state.refreshed_at = timezone.now()
            state.save()


def kept(connection, source, rows):
    report = StoredReport.objects.create(connection=connection, source=source)
    window = StoredWindow.objects.create(
        report=report,
        first=min(rows),
        last=max(rows),
        read_at=timezone.now(),
        reader="x",
        is_whole=True,
    )
    for day, data in rows.items():
        StoredRow.objects.create(window=window, key=str(day), day=day, data=data)


def test_account_never_read_has_no_figure_but_first_steps(client, connection):
    text = text_of(page_of(client))
    for words in (
        "Live now \N{EN DASH} Open Live to start watching",
        "People \N{EN DASH} Load people",
        "Licences in use \N{EN DASH} Load people",
        "Cloud storage \N{EN DASH} Load storage",
        "Load the last 30 days",
        "Load sessions",
    ):
        assert words in text


def test_figures_and_panels_show_what_is_stored(client, connection):
    person = Person(id="ada", email="ada@example.com", type=LicenceType.PRO)
    users.put(connection, person, UserStatus.ACTIVE)
    live(connection)
    meeting(connection, 7, "secret")
    read(connection)
    today = timezone.now().astimezone(UTC).date()
    days = [today - timedelta(days=back) for back in range(60)]
    kept(connection, "daily", {day: {"meetings": 30 if day >= days[29] else 20} for day in days})
    kept(connection, "storage", {day: {"usage": f"{60 - at} GB"} for at, day in enumerate(days)})
    StorageReading.objects.create(
        connection=connection, day=today, used=60.0, allowed=120.0, read_at=timezone.now()
    )
    job(connection, JobState.RUNNING, title="Move them", approved_at=timezone.now())
    page = page_of(client)
    text = text_of(page)
    for words in (
        "Live now 1 session under way 7 people in",
        "People 1 1 active",
        "Licences in use 1 Pro 1",
        "Cloud storage 60.0 of 120 GB 50.0 %",
        "Held 870 \N{BLACK UP-POINTING TRIANGLE} 50 %",
        "No 7",
        "Move them",
    ):
        assert words in text, words
    assert page.count('<rect class="home-bar') - page.count("home-bars-weekend") == 30
    assert page.count("home-bar-today") == 1
    assert page.count("<polyline") == 1, "of storage; one person is no curve"
    assert "style=" not in page


def test_recordings_open_to_anyone_are_a_need(client, connection):
    for number, password in ((1, False), (2, True)):
        one = MirroredRecording.objects.create(
            connection=connection, uuid=str(number), topic="x", status="available"
        )
        StoredSharing.objects.create(
            recording=one, sharing="publicly", has_password=password, read_at=timezone.now()
        )
    page = page_of(client)
    assert "1 recording is open to anyone with the link" in text_of(page)
    link = re.findall(r'<a[^>]* href="([^"]+)">1 recording is open', page)[0]
    assert client.get(link).status_code == 200


def test_of_many_needs_four_are_shown_and_the_rest_folded(client, connection):
    Connection.objects.update(hides_steps=True)
    for state in (JobState.PLANNED, JobState.UNPLANNABLE, JobState.PAUSED):
        job(connection, state)
    StorageReading.objects.create(
        connection=connection,
        day=timezone.now().date(),
        used=9.0,
        allowed=8.0,
        read_at=timezone.now(),
    )
    meeting(connection)
    page = page_of(client)
    count = page.count("list-group-item home-need")
    assert count > 4
    first, _, rest = page.partition("<details")
    assert (first.count("home-need"), rest.partition("</details>")[0].count("home-need")) == (
        4,
        count - 4,
    )
    assert f"{count - 4} more" in text_of(rest)


def test_limited_share_sees_figures_of_its_part_alone(connection, operator):
    for name, dept in (("ada", "Sales"), ("bob", "Legal")):
        person = Person(id=name, email=f"{name}@example.com", dept=dept, type=LicenceType.PRO)
        users.put(connection, person, UserStatus.ACTIVE)
    read(connection)
    share_with(connection, operator, departments=["Sales"])
    theirs = admin_client_for(operator)
    assert "Times are in UTC Limited to Sales" in text_of(theirs.get("/").text)
    text = text_of(page_of(theirs))
    assert "People 1 1 active" in text
    assert "Set the total" not in text
    assert "Cloud storage" not in text
    assert "last 30 days" not in text


def test_figure_that_fails_leaves_the_others(client, connection, monkeypatch):
    def fail(_scope):
        raise RuntimeError("A figure that cannot be made")

    subjects = [*_subjects, HomeTile("Weather", 5, fail)]
    monkeypatch.setattr("portal.ui.home._subjects", subjects)
    text = text_of(page_of(client))
    assert "Weather \N{EN DASH} This could not be loaded." in text
    assert "Live now" in text


@pytest.mark.parametrize(("count", "words"), [(9_999, "9,999"), (52_430, "52.4k")])
def test_large_figure_is_shortened(count, words):
    assert short(count) == words
