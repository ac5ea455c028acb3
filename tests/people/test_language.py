"""People in the language of the viewer, and jobs on them in that of their owner."""

import pytest
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import User
from portal.directory.users import USERS
from portal.jobs import undoing
from portal.jobs.models import JobState
from portal.mirror.refresh import refresh
from tests.people.offboarding import make_leaving, offboarding
from tests.support.html import text_of
from tests.support.jobs import approve

pytestmark = pytest.mark.django_db

GERMAN = {"Accept-Language": "de"}


@pytest.fixture
def leaving(sandbox, connection, make_person, make_group):
    return make_leaving(sandbox, connection, make_person, make_group)


@pytest.mark.parametrize(
    ("page", "words"),
    [("list", "Letzte Anmeldung"), ("licences", "Nicht genutzt"), ("create", "Person hinzufügen")],
)
def test_pages_are_in_the_language_of_the_browser(client, connection, page, words):
    refresh(USERS.request(connection).pk)
    url = reverse(f"people:{page}", args=[connection.key])
    assert words in text_of(client.get(url, headers=GERMAN).content.decode())
    assert words not in text_of(client.get(url).content.decode())


def test_why_there_is_no_way_back_is_said_in_language_of_browser(client, connection, leaving):
    url = reverse("people:picture", args=[connection.key, leaving.person.id])
    said = text_of(client.get(url, headers=GERMAN).content.decode())
    assert "rückgängig" in said
    assert "earlier picture" not in said


def speak(user, language):
    User.objects.filter(pk=user and user.pk).update(language=language)


def run(work, job):
    job = work(job)
    assert job.state == JobState.PLANNED, job.reason
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE, job.reason
    return job


def test_what_was_done_in_one_language_is_undone_in_another(client, connection, leaving, work):
    speak(connection.owner, "de")
    job = run(work, offboarding(client, connection, leaving.person, ending="deactivate"))
    left = job.items.get(action="group.leave")
    assert left.changes[0][1:] == ["In der Gruppe", "Nicht in der Gruppe"]
    speak(connection.owner, "en")
    back = run(work, undoing.undo(job, Origin(connection.owner)))
    assert set(back.items.values_list("state", flat=True)) == {"done"}
    assert leaving.person.id in leaving.group.members()
    assert leaving.has_assistant(leaving.person, leaving.assistant)
    assert leaving.person.now()["type"] == 2
