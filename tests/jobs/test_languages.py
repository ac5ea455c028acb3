"""Words of a job by itself are in the language of its owner."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override

from portal.access.http import Origin
from portal.audit.acts import Act
from portal.audit.trail import record
from portal.jobs.job_types import Done
from portal.jobs.models import UNDOES, ItemState, JobState, JobTitle, in_each_language
from portal.translation import gettext, gettext_lazy
from portal.translation.phrases import joined, remembered
from portal.ui.times import exact
from tests.support.html import text_of
from tests.support.job_runs import addresses, approved, drafted
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def german(connection):
    connection.owner.language = "de"
    connection.owner.save()
    return connection


def test_why_job_is_paused_is_said_in_language_of_its_owner(german, work):
    job = approved(german, addresses(2), work)
    german.owner.is_active = False
    german.owner.save()
    job = work(job)
    assert job.state == JobState.PAUSED
    assert job.reason == "Das Konto, das diesen Auftrag gestartet hat, ist deaktiviert."


def test_why_a_plan_failed_is_said_in_the_language_of_its_owner(german, work):
    job = drafted(german, addresses(1))
    job.parameters = {UNDOES: "gone"}
    job.save()
    job = work(job)
    assert job.state == JobState.UNPLANNABLE
    assert job.reason == "Den Auftrag, der rückgängig gemacht werden soll, gibt es nicht mehr."


def test_what_thread_of_job_says_is_in_language_of_its_owner(german, work, monkeypatch):
    said = []
    monkeypatch.setattr(
        "tests.support.job_types.CreatePeople.carry_out",
        lambda *_: said.append(get_language()) or Done(),
    )
    job = work(approved(german, addresses(2), work))
    assert job.items.filter(state=ItemState.DONE).count() == 2
    assert said == ["de", "de"]


def test_title_plan_and_state_are_in_language_of_the_reader(administrator, connection, work):
    job = drafted(connection, addresses(2))
    title = JobTitle(lambda who: gettext("Move %(who)s to Basic") % {"who": who}, lambda: "9")
    job.titles = in_each_language(title)
    job.save()
    work(job)
    url = f"/c/{connection.key}/jobs/{job.key}/"
    client = admin_client_for(administrator)
    english = client.get(url).text
    assert "Preview ready" in text_of(english)
    assert "Move 9 to Basic" in english
    assert ">Move 2 people to Basic</button>" in english
    german = text_of(client.get(url, HTTP_ACCEPT_LANGUAGE="de").text)
    assert "Vorschau fertig" in german
    assert "Preview ready" not in german
    assert "9 auf Basic umstellen" in german
    assert "2 people auf Basic umstellen" in german
    origin = Origin(administrator, request_id=job.request_id)
    record(origin, Act.JOB_DRAFTED, object_id=job.key, label="Move 9 to Basic")
    trail = text_of(client.get(reverse("audit:trail"), HTTP_ACCEPT_LANGUAGE="de").text)
    assert "9 auf Basic umstellen" in trail
    assert "Move 9 to Basic" not in trail


def test_words_of_a_row_are_in_language_and_zone_of_the_reader(connection, work):
    job = work(drafted(connection, addresses(2)))
    new, old = job.items.order_by("number")
    moment = datetime(2026, 12, 5, 14, tzinfo=UTC)
    with remembered():
        title = gettext("%(noun)s “%(topic)s”") % {"noun": gettext_lazy("Meeting"), "topic": "Sync"}
        new.changes = [[joined(", ", title, exact(moment)), "", gettext("Deleted")]]
    new.remember(*new.changes[0])
    new.save()
    old.changes = [["Status", "", "Deleted"]]  # as an earlier release stores it
    old.save()
    new, old = job.items.order_by("number")
    assert new.changes == [["Meeting “Sync”, 5 December 2026, 14:00:00 (UTC)", "", "Deleted"]]
    with override("de"), timezone.override("Europe/London"):
        title = "Meeting „Sync“, 5. Dezember 2026, 14:00:00 (Europe/London)"
        assert new.shown_changes == [(title, "", "Gelöscht")]
        assert old.shown_changes == [("Status", "", "Deleted")]
