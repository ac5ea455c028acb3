"""One failure does not stop the others; prevailing ones do, and the service's own word."""

import time
from datetime import timedelta
from http import HTTPMethod

import pytest
from django.utils import timezone

from portal.access.http import Origin
from portal.audit.models import AuditEntry, Outcome
from portal.client import Api
from portal.jobs import job_types, outcomes, running, services
from portal.jobs.job_types import ItemVerdict, Resolution
from portal.jobs.leases import JOBS
from portal.jobs.models import ItemState, Job, JobItem, JobState
from tests.support.fault_server import (
    answer,
    depending,
    no_answer,
    throttled,
)
from tests.support.job_pages import shown, url
from tests.support.job_runs import addresses, approved, states
from tests.support.job_types import ChangeDepartment, CreatePeople, DeletePeople
from tests.support.jobs import approve

pytestmark = pytest.mark.django_db

BUSY = answer(503, {"code": 503, "message": "Busy."})
LIMITED = throttled("100")
UNKNOWN = answer(404, {"code": 1001, "message": "No such user."})
CREATED = answer(201, {"id": "u1", "email": "x@example.com", "type": 1})
PERSON = depending(
    lambda seen: answer(
        200, {"id": seen.path.rpartition("/")[2], "email": "x@example.com", "dept": "Old"}
    )
)


class Twice(CreatePeople):
    """Its requests make two where they come twice."""

    name = "tests.twice"

    def resolve(self, api: Api, item: JobItem) -> Resolution:
        found = super().resolve(api, item)
        return Resolution(ItemVerdict.NOT_SEEN) if found.verdict is ItemVerdict.NOT_DONE else found


@pytest.fixture(autouse=True)
def known_kinds():
    job_types.register(Twice())
    yield
    job_types._JOB_TYPES.pop(Twice.name)


def posts(server):
    """The addresses that were to be created, in the order in which they came."""
    return [
        seen.json["user_info"]["email"]
        for seen in server.requests
        if seen.method == HTTPMethod.POST
    ]


def first_posts_fail(addresses, how):
    """The first creation of each of these fails, all others are carried out."""
    failed: set[str] = set()

    def choose(seen):
        if seen.method != HTTPMethod.POST:
            return UNKNOWN
        email = seen.json["user_info"]["email"]
        if email in addresses - failed:
            failed.add(email)
            return how
        return CREATED

    return depending(choose)


@pytest.fixture
def one_thread(settings, monkeypatch):
    """One request at a time, and rows that wait longer than a busy machine takes for the next."""
    settings.JOB_THREADS = 1
    monkeypatch.setattr(outcomes, "_FIRST_WAIT", 3.0)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("how", [BUSY, no_answer(), answer(200, body=b"<html>Hotel</html>")])
def test_a_row_that_failed_waits_by_itself_and_holds_no_thread(how, faulty, fault_server, work):
    emails = addresses(20)
    job = approved(faulty, emails, work)
    fault_server.always(first_posts_fail({emails[1]}, how))
    job = work(job)
    assert states(job) == {"done": 20}
    sent = posts(fault_server)
    assert sent.count(emails[1]) == 2
    first, second = (index for index, email in enumerate(sent) if email == emails[1])
    assert second - first > 1
    assert sorted(set(sent)) == emails
    assert len(sent) == 21


def test_a_few_failures_among_many_rows_never_stop_the_job(faulty, fault_server, work):
    emails = addresses(100)
    job = approved(faulty, emails, work)
    fault_server.always(first_posts_fail(set(emails[::8]), BUSY))
    noted: list[int] = []
    renew = running.Run._renew_lease

    def renewing(run):
        renew(run)
        noted.append(run._breaker.openings)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running.Run, "_renew_lease", renewing)
        job = work(job)
    assert states(job) == {"done": 100}
    assert set(noted) == {0}


def planned(kind, connection, work, **values):
    """An approved job of this kind."""
    origin = Origin(connection.owner)
    job = work(services.draft(origin, connection, kind.name, "A job", parameters=values))
    approve(job)
    return job


def stretch(job, seconds):
    """Runs the job as a worker does in so many seconds."""
    taken = JOBS.acquire(job.pk)
    assert taken
    running.run(taken, seconds)
    return Job.objects.get(pk=job.pk)


@pytest.mark.parametrize("how", [BUSY, no_answer()])
def test_dead_service_is_called_ever_less_by_next_worker(how, faulty, fault_server, work):
    job = approved(faulty, addresses(100), work)
    fault_server.always(how)
    job = stretch(job, 3)
    assert job.openings >= 2
    assert job.trouble
    assert len(fault_server.requests) <= 45
    fault_server.requests.clear()
    job = stretch(job, 1.5)
    assert len(fault_server.requests) <= 2
    assert not states(job).keys() - {"pending", "unknown"}
    fault_server.always(first_posts_fail(set(), BUSY))
    Job.objects.update(waits_until=None)
    assert states(work(job)) == {"done": 100}
    assert Job.objects.get(pk=job.pk).openings == 0


def test_no_row_is_given_up_while_the_service_is_away(faulty, fault_server, work):
    """A change reads first, so what fails is known not to have happened."""
    fault_server.always(PERSON)
    job = planned(ChangeDepartment, faulty, work, ids=list("abc"), dept="New")
    job.items.update(attempts=outcomes._ATTEMPTS - 1)
    Job.objects.update(openings=1, trouble="Busy.")
    fault_server.always(BUSY)
    job = stretch(job, 2.0)
    assert states(job) == {"pending": 3}
    Job.objects.update(waits_until=None)
    fault_server.always(
        depending(lambda seen: PERSON if seen.method == HTTPMethod.GET else answer(204))
    )
    assert states(work(job)) == {"done": 3}


def test_row_failing_alone_is_given_up_in_words_of_service(faulty, fault_server, work):
    fault_server.always(PERSON)
    job = planned(ChangeDepartment, faulty, work, ids=["a"], dept="New")
    job.items.update(attempts=outcomes._ATTEMPTS - 1)
    fault_server.always(BUSY)
    job = work(job)
    assert job.items.get().message == "Busy."
    assert states(job) == {"failed": 1}


@pytest.mark.parametrize(
    "how", [answer(503, {"message": "Busy."}, headers={"Retry-After": "100"}), LIMITED]
)
def test_a_time_that_the_service_names_holds_the_whole_job(
    how, faulty, fault_server, work, settings
):
    settings.JOB_THREADS = 1
    job = approved(faulty, addresses(30), work)
    fault_server.always(first_posts_fail({job.items.all()[3].label}, how))
    job = stretch(job, 1.5)
    assert len(fault_server.requests) <= 5
    assert job.waits_until
    assert job.waits_until > timezone.now() + timedelta(seconds=90)
    assert job.trouble == ("Too many requests." if how is LIMITED else "")
    fault_server.requests.clear()
    stretch(job, 0.5)
    assert fault_server.requests == []


def test_a_limit_of_one_user_holds_that_users_rows_alone(faulty, fault_server, work, client):
    emails = addresses(30)
    job = approved(faulty, emails, work)
    words = "You have reached the limit of 100 requests for this particular user."
    headers = {"Retry-After": "3900", "X-RateLimit-Type": "Daily-limit", "X-RateLimit-Limit": "100"}
    refusal = answer(429, {"message": words}, headers=headers)
    fault_server.always(first_posts_fail({emails[3], emails[7]}, refusal))
    job = stretch(job, 5)
    assert states(job) == {"done": 28, "pending": 2}
    assert job.waits_until is None
    held = list(job.items.filter(state=ItemState.PENDING))
    assert {item.label for item in held} == {emails[3], emails[7]}
    assert {item.message for item in held} == {f"{words} (Daily-limit: 100)"}
    assert all(item.due_at > timezone.now() + timedelta(hours=1) for item in held if item.due_at)
    assert len(posts(fault_server)) == 30
    page = shown(client, url(job))
    assert page.count(f">{words} (Daily-limit: 100) Continues at") == 2
    job.items.update(due_at=None)
    assert states(work(job)) == {"done": 30}


def test_call_that_waited_when_job_paused_is_not_sent(faulty, fault_server, work):
    job = approved(faulty, addresses(200), work)
    fault_server.always(answer(503, {"message": "Busy."}, headers={"Retry-After": "100"}))
    job = stretch(job, 1.5)
    sent = len(fault_server.requests)
    assert sent < 40
    assert states(job) == {"pending": 200 - sent, "unknown": sent}
    ends = AuditEntry.objects.filter(intent__isnull=False, operation="users.create")
    held_back = ends.filter(message="Not sent. Waiting for the service.")
    assert ends.count() - held_back.count() == sent
    assert not held_back.exclude(outcome=Outcome.FAILED).exists()
    assert ends.count() == AuditEntry.objects.filter(outcome=Outcome.BEGUN).count()


def test_possible_double_is_resent_once_first_has_ended(faulty, fault_server, work, settings):
    settings.API_TIMEOUT = 1.5
    [email] = addresses(1)
    job = planned(Twice, faulty, work, emails=[email])
    came: list[float] = []
    sent = first_posts_fail({email}, no_answer())

    def behave(exchange):
        sent(exchange)
        if exchange.seen[-1].method == HTTPMethod.POST:
            came.append(time.monotonic())

    fault_server.always(behave)
    assert states(work(job)) == {"done": 1}
    first, second = came
    assert second - first >= 1.5


def test_who_was_removed_by_request_without_answer_is_no_failure(faulty, fault_server, work):
    job = planned(DeletePeople, faulty, work, ids=["u1", "u2"])
    removed: set[str] = set()

    def choose(seen):
        if seen.method == HTTPMethod.GET:
            return PERSON
        if seen.path.endswith("u2"):
            return UNKNOWN
        gone = "u1" in removed
        removed.add("u1")
        return UNKNOWN if gone else no_answer()

    fault_server.always(depending(choose))
    job = work(job)
    assert job.items.get(object_id="u1").state == ItemState.DONE
    assert job.items.get(object_id="u2").state == ItemState.FAILED
    assert job.state == JobState.DONE
