"""Removals at a service of today take along all that it knows of, from each way to remove."""

from urllib.parse import parse_qs

import pytest
from django.urls import reverse

from portal.access.http import Origin
from portal.access.models import Connection, Way
from portal.connections.services import connections
from portal.jobs.models import Job, JobState
from tests.people.offboarding import offboarding
from tests.support.html import form_with, text_of
from tests.support.jobs import approve
from tests.support.sandbox import Sandbox

pytestmark = [pytest.mark.django_db, pytest.mark.deep]  # a sandbox of its own
COUNTED = {"transfer_meeting", "transfer_webinar", "transfer_recording"}
BESIDE = {
    "transfer_whiteboard",
    "transfer_clipfiles",
    "transfer_notes",
    "transfer_docs",
    "transfer_visitors",
}


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    running = Sandbox(
        tmp_path_factory.mktemp("sandbox"), "--profile=current", "--frozen", "--users=9"
    )
    running.start()
    yield running
    running.client.close()
    running.stop()


@pytest.fixture
def connection(administrator, sandbox, faulty_proxy):
    made = Connection(
        owner=administrator,
        name="Real",
        base_url=faulty_proxy.url,
        way=Way.BEARER,
        dialect="current",
    )
    connections.save(Origin(administrator), made, sandbox.token)
    return made


@pytest.fixture
def pair(make_person):
    return make_person(first_name="Ada"), make_person(first_name="Grace")


def done(work, job):
    """Carries a job out, and returns the plan's changes in words."""
    job = work(job)
    assert job.state == JobState.PLANNED, job.reason
    changes = " ".join(
        " ".join(filter(None, each)) for item in job.items.all() for each in item.changes
    )
    notes = " ".join(words for _tone, words in job.notes)
    approve(job)
    job = work(job)
    assert job.state == JobState.DONE, job.reason
    return f"{changes} {notes}"


def removal(faulty_proxy):
    """Returns what was sent with the removal of the one person."""
    [path] = [path for how, path in faulty_proxy.arrived if how == "DELETE" and "action=" in path]
    return {name: values[0] for name, values in parse_qs(path.partition("?")[2]).items()}


def removed_in_bulk(client, connection, leaver, **given):
    url = reverse("people:chosen-remove", args=[connection.key])
    form = form_with(client.post(url, {"chosen": [leaver.id], "matching": ""}).text, "confirmed")
    answer = client.post(form.action, {**form.values, **given})
    assert answer.status_code == 303, text_of(answer.text)
    return Job.objects.get(key=answer["Location"].rstrip("/").rpartition("/")[2])


def test_several_leave_all_to_their_colleague(client, connection, pair, faulty_proxy, work):
    leaver, heir = pair
    given = {"action": "disassociate", "transfer_email": heir.email}
    words = done(work, removed_in_bulk(client, connection, leaver, **given))
    sent = removal(faulty_proxy)
    assert {name for name in sent if sent[name] == "true"} == COUNTED | BESIDE
    assert "Meetings, webinars, recordings, whiteboards, clips, notes, docs" in words


def test_several_who_leave_nothing_are_said_to_take_it_along(
    client, connection, pair, faulty_proxy, work
):
    given = {"action": "delete", "confirmation": "delete"}
    words = done(work, removed_in_bulk(client, connection, pair[0], **given))
    assert removal(faulty_proxy) == {"action": "delete"}
    assert "notes, docs and visitor invitations are not transferred" in words
    assert not pair[0].now()


def test_offboarding_leaves_all_to_the_recipient(client, connection, pair, faulty_proxy, work):
    leaver, heir = pair
    given = {"ending": "delete", "confirmation": "delete", "recipient": heir.id}
    chosen = {"meetings": "transfer", "webinars": "leave", "recordings": "leave"}
    words = done(work, offboarding(client, connection, leaver, **given, **chosen))
    sent = removal(faulty_proxy)
    assert sent["transfer_email"] == heir.email
    assert {name for name in sent if sent[name] == "true"} >= BESIDE
    assert "Whiteboards, clips, notes, docs and visitor invitations Transferred to Grace" in words


@pytest.mark.parametrize("transfers", [True, False])
def test_row_of_an_import_leaves_what_services_of_today_know(
    pair, faulty_proxy, plan_of, work, transfers
):
    leaver, heir = pair
    row = {"email": leaver.email, "action": "delete"}
    words = done(work, plan_of({**row, "transfer_email": heir.email} if transfers else row))
    sent = removal(faulty_proxy)
    assert {name for name in sent if sent[name] == "true"} == (
        COUNTED | BESIDE if transfers else set()
    )
    assert "whiteboards, clips, notes, docs" in words
