"""What happened, on the first page and in the trail: one line a job or act, with its outcome."""

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.audit import chain
from portal.audit.models import Outcome
from portal.audit.trail import begun, ended
from portal.jobs.models import ItemState, Job, JobItem, JobState
from tests.support.html import text_of
from tests.support.portal import admin_client_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(faulty):
    return admin_client_for(faulty.owner)


def write(connection, operation, outcome, *, request_id, **fields):
    """The intent and the end of a call, as if it had been made."""
    origin = Origin(connection.owner, request_id=request_id)
    intent = begun(
        origin,
        connection,
        operation=operation,
        family="users",
        object_id="ada",
        object_label="Ada",
        outcome=Outcome.BEGUN,
        **fields,
    )
    chain.append(intent)
    chain.append(ended(intent, outcome))
    return intent


def imported(connection):
    """A job that is done, with three changes."""
    now = timezone.now()
    job = Job.objects.create(
        connection=connection,
        owner=connection.owner,
        kind="import-people",
        title="Import staff.csv",
        state=JobState.DONE,
        approved_at=now,
        finished_at=now,
        request_id="of-the-job",
    )
    entries = []
    for number, (operation, action) in enumerate(
        (("users.update", "change"), ("users.create", "create"), ("users.update", "change"))
    ):
        JobItem.objects.create(
            job=job, number=number, label="Ada", action=action, state=ItemState.DONE
        )
        fields = {"sent": {"dept": "Ops"}, "before": {"dept": ""}, "path": "PATCH /users/ada"}
        one = write(connection, operation, Outcome.DONE, request_id=job.request_id, **fields)
        entries.append(one)
    return entries


def happened(client):
    page = client.get("/").text
    return text_of(page.partition("What happened")[2].partition("</ul>")[0])


def test_home_tells_a_job_in_one_line_and_failures_as_failed(client, faulty):
    imported(faulty)
    for outcome in (Outcome.FAILED, Outcome.FAILED, Outcome.DONE):
        write(faulty, "recordings.delete", outcome, request_id=f"single-{outcome}")
    text = happened(client)
    assert text.count("Import staff.csv") - text.count("Undo Import staff.csv") == 1
    assert "2 changed, 1 created" in text or "1 created, 2 changed" in text
    assert "profile" not in text
    assert "Move a meeting's recordings to trash: failed 2 times" in text
    assert text.count("Moved a meeting's recordings to trash") == 1
    assert "Delete" not in text


def test_trail_leads_to_the_job_and_has_no_undo_of_its_rows(client, faulty):
    entry, *_ = imported(faulty)
    single = write(
        faulty,
        "users.update",
        Outcome.DONE,
        request_id="by-hand",
        sent={"dept": "Ops"},
        before={"dept": ""},
        path="PATCH /users/ada",
    )
    undo = [reverse("changes:undo", args=[faulty.key, one.sequence]) for one in (entry, single)]
    for page in (
        reverse("audit:trail"),
        reverse("audit:entry", args=[entry.sequence]),
        reverse("audit:entry", args=[single.sequence]),
    ):
        text = client.get(page).text
        assert undo[0] not in text
        if page != reverse("audit:entry", args=[entry.sequence]):
            assert undo[1] in text
        if page != reverse("audit:entry", args=[single.sequence]):
            assert "Import staff.csv" in text_of(text)
