"""The first sync of an account as a job: a row for each list, its progress, and its end."""

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.jobs import running, services
from portal.jobs.job_types import Done, ItemRefusal, NotEndedYet
from portal.jobs.leases import JOBS
from portal.jobs.models import ItemState, Job, JobState
from portal.jobs.planner import plan
from portal.mirror import loading
from portal.mirror.loading import FirstSyncJob
from portal.mirror.models import MirrorState
from portal.sessions.jobs.reading import READING
from tests.support.html import text_of
from tests.support.loaded import all_loaded

LOADED = ("groups", "recordings", "storage", "usage", "live")


def begun(connection):
    """The job once it is planned: of people and of sessions, the other lists are loaded."""
    all_loaded(connection)
    MirrorState.objects.filter(kind__in=("users", "sessions")).update(refreshed_at=None)
    loading.begin(connection)
    job = JOBS.acquire(Job.objects.get(kind=FirstSyncJob.name).pk)
    assert job is not None
    plan(job)
    return Job.objects.get(pk=job.pk)


def of_people(job):
    return job.items.get(object_id="users")


def people(**values):
    MirrorState.objects.filter(kind="users").update(**values)


def look(job, item):
    return FirstSyncJob().carry_out(None, item)  # type: ignore[arg-type] - it calls no service


@pytest.mark.django_db
def test_first_sync_is_listed_among_jobs_and_in_the_bar(client, connection):
    job = begun(connection)
    assert job.state == JobState.RUNNING
    assert [item.label for item in job.items.all()] == ["People", "Meetings and webinars"]
    listed = text_of(client.get(reverse("jobs:list", args=[connection.key])).text)
    assert f"Load {connection.name}" in listed
    bar = client.get(reverse("jobs:running", args=[connection.key]), headers={"HX-Request": "true"})
    assert "job running" in text_of(bar.text)
    page = client.get(reverse("jobs:job", args=[connection.key, job.key])).text
    assert "Cancel job" in page
    assert 'id="act-pause"' not in page
    assert reverse("people:list", args=[connection.key]) in page


@pytest.mark.django_db
def test_first_sync_asked_for_twice_is_one_job(connection):
    begun(connection)
    loading.begin(connection)
    assert Job.objects.filter(kind=FirstSyncJob.name).count() == 1
    assert Job.objects.filter(kind=READING.job_type).count() == 1


@pytest.mark.django_db
def test_list_being_loaded_says_how_far_it_is(connection):
    job = begun(connection)
    people(read=120, expected=250)
    with pytest.raises(NotEndedYet, match="120 of 250 people"):
        look(job, of_people(job))


@pytest.mark.django_db
def test_list_that_failed_fails_its_row_and_is_retried(connection):
    job = begun(connection)
    item = of_people(job)
    with pytest.raises(NotEndedYet):
        look(job, item)
    people(requested_at=None, failure="No.")
    with pytest.raises(ItemRefusal, match="No"):
        look(job, item)
    with pytest.raises(NotEndedYet):
        look(job, item)
    assert MirrorState.objects.get(kind="users").is_wanted
    people(requested_at=None, failure="", refreshed_at=timezone.now())
    assert look(job, item) == Done()


@pytest.mark.django_db
def test_cancelled_first_sync_loads_no_further_list(connection):
    job = begun(connection)
    services.cancel(job, Origin(connection.owner))
    assert not MirrorState.objects.exclude(requested_at=None).exists()
    reading = Job.objects.get(kind=READING.job_type)
    assert reading.state == JobState.CANCELLED


@pytest.mark.django_db(transaction=True)
def test_worker_leaves_a_list_that_is_loaded_elsewhere(connection):
    job = begun(connection)
    people(read=120, expected=250)
    taken = JOBS.acquire(job.pk)
    assert taken is not None
    assert running.run(taken, 0.3)
    item = of_people(job)
    assert item.state == ItemState.PENDING
    assert item.due_at is not None
    assert "120 of 250" in item.message
    MirrorState.objects.update(requested_at=None, refreshed_at=timezone.now())
    job.items.update(due_at=None)
    taken = JOBS.acquire(job.pk)
    assert taken is not None
    assert not running.run(taken, 5.0)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert not job.items.exclude(state=ItemState.DONE).exists()
