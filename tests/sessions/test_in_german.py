"""Sessions as they are said, and as tables of them are read, in German."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone, translation

from portal.contract.meetings import MeetingDetails
from portal.contract.recurrence import Recurrence
from portal.meetings.spec import MEETINGS
from portal.mirror.models import MirrorState
from portal.sessions import mirror
from portal.sessions.imports.registrants import reading_of
from portal.sessions.imports.session_columns import columns_for, recognised
from portal.sessions.imports.session_values import week_in
from portal.sessions.recurrence import in_words
from portal.translation import catalogues
from tests.sessions.importing import as_csv, row_of, send
from tests.support.html import text_of
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db

MONDAY = datetime(2026, 12, 7, 8, tzinfo=UTC)


@pytest.fixture(autouse=True, scope="module")
def _compiled():
    catalogues.compile_all()


@pytest.fixture
def client(administrator, connection):
    """A user of the language German; one coming meeting may start before its host."""
    administrator.language = "de"
    administrator.save()
    state = mirror.state_of(connection)
    MirrorState.objects.filter(pk=state.pk).update(refreshed_at=timezone.now())
    starts = (timezone.now() + timedelta(days=1)).isoformat()
    data = {"id": 111222333, "topic": "Budget", "type": 2, "host_id": "h", "start_time": starts}
    data |= {"settings": {"join_before_host": True}, "password": "s3cret"}
    mirror.put(connection, "meetings", MeetingDetails.model_validate(data))
    return admin_client_for(administrator)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"type": 1, "end_times": 1}, "Jeden Tag, einmal"),
        ({"type": 1, "repeat_interval": 3, "end_times": 4}, "Alle 3 Tage, 4 Einzeltermine"),
        (
            {"type": 2, "weekly_days": "2,6", "end_date_time": "2027-05-01T00:00:00Z"},
            "Jede Woche am Montag und Freitag, bis 1. Mai 2027",
        ),
        (
            {"type": 3, "monthly_week": 2, "monthly_week_day": 2, "end_times": 3},
            "Jeden Monat am zweiten Montag, 3 Einzeltermine",
        ),
        ({"type": 3, "monthly_day": 31, "end_times": 3}, "Jeden Monat am 31., 3 Einzeltermine"),
    ],
)
def test_a_recurrence_is_said_in_one_sentence(rule, words):
    with translation.override("de"):
        assert in_words(MONDAY, "Europe/Berlin", Recurrence.model_validate(rule)) == words


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("", "Dezember 2026"),
        ("view=week", "7. bis 13. Dezember 2026"),
        ("view=list&days=1", "Mo, 7. Dezember 2026"),
        ("view=list&days=31", "7. Dezember 2026 bis 6. Januar 2027"),
    ],
)
def test_the_days_of_a_calendar_are_said(client, connection, query, title):
    page = client.get(f"/c/{connection.key}/calendar/?day=2026-12-07&{query}").text
    assert f'<h2 class="cal-title h3 m-0">{title}</h2>' in page


def test_the_first_page_says_what_breaks_a_rule(client):
    assert "1 bevorstehendes Meeting kann vor dem Host beginnen" in text_of(client.get("/").text)


@pytest.mark.parametrize("language", ["en-gb", "de"])
def test_headings_and_choices_are_read_in_either_language(language):
    columns = columns_for(MEETINGS)
    with translation.override(language):
        names = recognised(["Topic", "Dauer", "Thema", "Days of the week"], MEETINGS, ())
        assert names == ("topic", "duration", "", "weekly_days")
        assert reading_of(["Email", "Vorname", "Nachname"]).problems() == []
        for words in ("Recurring at fixed times", "Wiederkehrend zu festen Zeiten"):
            assert columns["type"].value(words) == 8
        assert week_in("zweiter Montag") == week_in("second Monday")


def test_planned_table_is_in_language_of_its_reader(planner, host, work):
    row = row_of(host, duration="8", recurrence_type="weekly", end_times="3", weekly_days="Mon")
    job = work(send(planner, MEETINGS, text=as_csv(row, row_of(host, duration="0"))))
    new, wrong = job.items.order_by("number")
    with translation.override("de"):
        assert wrong.shown_problems == [("duration", "Dies muss mindestens 1 sein.")]
        changes = {title: after for title, _before, after in new.shown_changes}
        assert changes["Beginn"] == "Mo, 1. Mär 2038, 09:00, Europe/Berlin"
        assert changes["Wiederholung"] == "Jede Woche am Montag, 3 Einzeltermine"
        assert {"Thema", "Typ", "Dauer"} < set(changes)
        [(_tone, notice)] = job.shown_notes
        assert notice.startswith("Spalten getrennt durch Kommas. Spalten: host als Host, topic als")
