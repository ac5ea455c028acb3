"""Jobs against a running service, carried out as a worker does."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import User
from portal.access.roles import Role
from portal.audit.models import AuditEntry, Outcome
from portal.audit.verifying import verify
from portal.jobs import job_types, services
from portal.jobs.leases import JOBS
from portal.jobs.models import ItemState, Job, JobItem, JobState
from tests.support.job_runs import addresses, approved, drafted, on_the_account, states
from tests.support.job_types import CreatePeople

pytestmark = pytest.mark.django_db


def test_a_job_waits_for_approval_before_it_sends_anything(connection, sandbox, work):
    emails = addresses(3)
    job = work(drafted(connection, emails))
    assert job.state == JobState.PLANNED
    assert states(job) == {"pending": 3}
    assert on_the_account(sandbox, emails) == []


def test_an_approved_job_creates_everybody_once_and_says_so(connection, sandbox, work):
    emails = addresses(120)
    job = work(approved(connection, emails, work))
    assert job.state == JobState.DONE
    assert states(job) == {"done": 120}
    assert sorted(on_the_account(sandbox, emails)) == emails
    assert all(job.items.values_list("object_id", flat=True))


def test_every_item_has_its_two_entries_in_an_unbroken_trail(connection, work):
    work(approved(connection, addresses(40), work))
    entries = AuditEntry.objects.filter(operation="users.create")
    assert entries.filter(outcome=Outcome.BEGUN).count() == 40
    assert entries.filter(outcome=Outcome.DONE, intent__isnull=False).count() == 40
    assert verify().problem == ""


def test_failed_row_has_reason_of_service_and_others_are_done(connection, work):
    taken, *others = addresses(5)
    work(approved(connection, [taken], work))
    job = work(approved(connection, [taken, *others], work))
    assert job.state == JobState.DONE
    assert states(job) == {"failed": 1, "done": 4}
    failed = job.items.get(state=ItemState.FAILED)
    assert (failed.number, failed.label) == (2, taken)
    assert "exist" in failed.message.lower()


def test_a_worker_that_died_after_sending_is_found_out_by_asking(connection, sandbox, work):
    emails = addresses(6)
    job = approved(connection, emails, work)
    sent, unsent = emails[:3], emails[3:5]
    for email in sent:
        body = {"action": "custCreate", "user_info": {"email": email, "type": 1}}
        assert sandbox.client.post("/users", json=body).status_code == 201
    job.items.filter(label__in=sent + unsent).update(
        state=ItemState.SENDING, attempts=1, first_sent_at=timezone.now()
    )
    job = work(job)
    assert job.state == JobState.DONE
    assert states(job) == {"done": 6}
    assert sorted(on_the_account(sandbox, emails)) == emails
    found = job.items.filter(message="Found on the service.")
    assert sorted(found.values_list("label", flat=True)) == sent


def test_one_worker_at_a_time_has_a_job(connection, work):
    job = approved(connection, addresses(1), work)
    first = JOBS.acquire(job.pk)
    assert first is not None
    assert JOBS.acquire(job.pk) is None
    Job.objects.filter(pk=job.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    assert JOBS.acquire(job.pk) is not None


def test_a_paused_job_sends_nothing_until_it_is_resumed(connection, sandbox, work):
    emails = addresses(4)
    job = approved(connection, emails, work)
    services.pause(job, Origin(connection.owner))
    assert work(job).state == JobState.PAUSED
    assert on_the_account(sandbox, emails) == []
    services.resume(job, Origin(connection.owner))
    assert work(job).state == JobState.DONE
    assert sorted(on_the_account(sandbox, emails)) == emails


@pytest.mark.parametrize("act", [services.pause, services.cancel])
def test_job_stopped_at_its_last_item_is_finished_once(connection, work, monkeypatch, act):
    values: list[str] = []

    class Stopped(CreatePeople):
        def ended(self, job: Job, items: Sequence[JobItem]) -> None:  # noqa: ARG002
            act(Job.objects.get(pk=job.pk), Origin(connection.owner))

        def finished(self, job: Job) -> None:
            values.append(Job.objects.get(pk=job.pk).state)

    job = approved(connection, addresses(1), work)
    monkeypatch.setitem(job_types._JOB_TYPES, CreatePeople.name, Stopped())
    job = work(job)
    assert states(job) == {"done": 1}
    ends_as = JobState.DONE if act is services.pause else JobState.CANCELLED
    assert job.state == ends_as
    assert job.finished_at is not None
    assert values == [ends_as]


def test_a_job_that_is_paused_with_items_left_is_not_finished(connection, work, monkeypatch):
    values: list[Job] = []
    monkeypatch.setattr(CreatePeople, "finished", lambda _kind, job: values.append(job))
    job = approved(connection, addresses(2), work)
    job.items.filter(number=2).update(state=ItemState.SENDING, attempts=1)
    services.pause(job, Origin(connection.owner))
    assert work(job).state == JobState.PAUSED
    assert values == []


def test_cancelled_job_sends_nothing_more_and_cannot_be_resumed(connection, sandbox, work):
    emails = addresses(4)
    job = approved(connection, emails, work)
    services.cancel(job, Origin(connection.owner))
    assert work(job).state == JobState.CANCELLED
    assert on_the_account(sandbox, emails) == []
    with pytest.raises(services.JobRefused):
        services.resume(job, Origin(connection.owner))


def test_failed_rows_are_sent_again_when_asked(connection, sandbox, work):
    [email] = addresses(1)
    work(approved(connection, [email], work))
    job = work(approved(connection, [email], work))
    assert states(job) == {"failed": 1}
    person = sandbox.client.get(f"/users/{email}").json()["id"]
    sandbox.client.delete(f"/users/{person}", params={"action": "delete"})
    assert services.retry_failed(job, Origin(connection.owner)) == 1
    assert states(work(job)) == {"done": 1}


def test_who_may_not_write_any_more_stops_their_job(connection, administrator, work):
    job = approved(connection, addresses(2), work)
    User.objects.filter(pk=administrator.pk).update(role=Role.VIEWER)
    job = work(job)
    assert job.state == JobState.PAUSED
    assert "no longer allowed" in job.reason
    assert states(job) == {"pending": 2}
