"""Troubles that stop a job or only delay it, and the secrets that stay in between."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.access import tokens
from portal.access.http import Origin
from portal.access.models import ServiceToken, Way
from portal.client import Api, ClientCredentials, Secret
from portal.connections.services import connections
from portal.connections.services.reopening import reopen
from portal.contract.groups import Groups, NewMembers
from portal.contract.operation import Operation
from portal.contract.problems import PersonReference
from portal.jobs import export, job_types, outcomes, running, services
from portal.jobs.counts import counts_by_job
from portal.jobs.job_summary import JobSummary
from portal.jobs.job_types import BatchJobType, ItemVerdict, Resolution
from portal.jobs.leases import JOBS
from portal.jobs.models import ItemState, Job, JobFile, JobItem, JobState
from portal.jobs.planner import plan
from portal.jobs.planning import NewItem, Planning, Unplannable
from tests.support.fault_server import answer, depending
from tests.support.job_pages import url
from tests.support.job_runs import addresses, approved, drafted, states
from tests.support.job_types import CreatePeople
from tests.support.jobs import approve

pytestmark = pytest.mark.django_db

UNAUTHORIZED = answer(401, {"code": 124, "message": "Invalid access token."})
CREATED = answer(201, {"id": "u1", "email": "x@example.com", "type": 1})


class AddMembers(BatchJobType):
    """Adds people to a group, several by one request."""

    name = "tests.members"
    noun = ("person", "people")
    batch = 30

    def needs(self, job: Job) -> Sequence[Operation[Any, Any]]:  # noqa: ARG002
        return [Groups.add_members]

    def plan(self, planning: Planning) -> None:
        parameters = planning.job.parameters
        if not parameters["people"]:
            raise Unplannable("Nobody is chosen.")
        for number, person in enumerate(parameters["people"], start=1):
            planning.add(NewItem(number, person, object_id=person, batch_key=parameters["group"]))

    def carry_out(self, api: Api, item: JobItem) -> None:
        self._add(api, item.job.parameters["group"], [item])

    def carry_out_together(self, api: Api, items: Sequence[JobItem]) -> None:
        self._add(api, items[0].batch_key, items)

    def _add(self, api: Api, group: str, items: Sequence[JobItem]) -> None:
        members = [PersonReference(id=item.object_id) for item in items]
        api.groups.add_members(group, NewMembers(members=members))


class NoNaturalKey(CreatePeople):
    """The service cannot be asked what became of an item."""

    name = "tests.unknowable"

    def resolve(self, api: Api, item: JobItem) -> Resolution:  # noqa: ARG002
        return Resolution(ItemVerdict.UNCERTAIN, message="Look at the service.")


class WithPassword(CreatePeople):
    """Its items have secrets, and its plan a file."""

    name = "tests.secret"

    def plan(self, planning: Planning) -> None:
        for number, line in enumerate(planning.file().decode().split(), start=2):
            email, password = line.split(",")
            planning.add(NewItem(number, email, "create", secret={"password": password}))


@pytest.fixture(autouse=True)
def known_kinds():
    added = [AddMembers(), NoNaturalKey(), WithPassword(), ReadsGroup()]
    for kind in added:
        job_types.register(kind)
    yield
    for kind in added:
        job_types._JOB_TYPES.pop(kind.name)


def draft(connection, kind, **values):
    return services.draft(Origin(connection.owner), connection, kind.name, "A job", **values)


def test_token_refused_pauses_job_instead_of_failing_its_rows(faulty, fault_server, work):
    job = approved(faulty, addresses(30), work)
    fault_server.always(UNAUTHORIZED)
    job = work(job)
    assert job.state == JobState.PAUSED
    assert "Invalid access token" in job.reason
    assert states(job) == {"pending": 30}
    paused_by_somebody = approved(faulty, addresses(1), work)
    services.pause(paused_by_somebody, Origin(faulty.owner))
    fault_server.always(CREATED)
    connections.save(Origin(faulty.owner), faulty, "a-token-that-is-not-refused")
    assert states(work(job)) == {"done": 30}
    paused_by_somebody.refresh_from_db()
    assert paused_by_somebody.state == JobState.PAUSED


@pytest.mark.deep
@pytest.mark.whole_pages
@pytest.mark.django_db(transaction=True)  # its threads renew the token
def test_revoked_client_secret_pauses_job_until_new_credentials(faulty, fault_server, work, client):
    issued = {"access_token": "an-issued-token-0123456789", "expires_in": 3600}
    token = answer(200, issued)
    fault_server.always(depending(lambda seen: token if "/token" in seen.path else CREATED))
    asked_with = ClientCredentials(f"{fault_server.url}/token", "id", Secret("first"), "A1")
    faulty.way = Way.RENEWING
    connections.save(Origin(faulty.owner), faulty, "first", client=asked_with)
    job = approved(faulty, addresses(3), work)
    ServiceToken.objects.all().delete()
    token = answer(400, {"error": "invalid_client", "reason": "Invalid client_id or client_secret"})
    job = work(job)
    assert job.state == JobState.PAUSED
    assert "could not be renewed: Invalid client_id" in job.reason
    assert states(job) == {"pending": 3}
    assert "Sign-in failed" in client.get(url(job)).content.decode()

    token = answer(200, issued)
    renewed = replace(asked_with, secret=Secret("second"))
    connections.save(Origin(faulty.owner), faulty, "second", client=renewed)
    assert states(work(job)) == {"done": 3}


def test_failing_service_has_its_words_shown_after_attempts(faulty, fault_server, work, settings):
    settings.API_TIMEOUT = 1.0
    fault_server.always(answer(500, {"code": 500, "message": "The disk is full."}))
    job = work(drafted(faulty, addresses(1)))
    assert job.state == JobState.PLANNED
    job.items.update(attempts=outcomes._ATTEMPTS - 1)
    approve(job)
    fault_server.then(answer(500, {"code": 500, "message": "The disk is full."}))
    fault_server.always(answer(404, {"code": 404, "message": "No such user."}))
    job = work(job)
    assert states(job) == {"failed": 1}
    assert job.items.get().message == "The disk is full."


def test_members_are_added_many_by_one_request(connection, sandbox, work):
    group = sandbox.client.post("/groups", json={"name": addresses(1)[0][:40]}).json()["id"]
    people = [user["id"] for user in sandbox.client.get("/users").json()["users"][:25]]
    job = work(draft(connection, AddMembers, parameters={"people": people, "group": group}))
    approve(job)
    assert states(work(job)) == {"done": 25}
    members = sandbox.client.get(f"/groups/{group}/members", params={"page_size": 300}).json()
    assert {member["id"] for member in members["members"]} == set(people)


def test_one_who_is_refused_does_not_keep_the_others_out(connection, sandbox, work):
    group = sandbox.client.post("/groups", json={"name": addresses(1)[0][:40]}).json()["id"]
    people = [user["id"] for user in sandbox.client.get("/users").json()["users"][:6]]
    data = {"people": [*people[:3], "nobody-like-this", *people[3:]], "group": group}
    job = work(draft(connection, AddMembers, parameters=data))
    approve(job)
    job = work(job)
    assert states(job) == {"done": 6, "failed": 1}
    assert job.items.get(state=ItemState.FAILED).label == "nobody-like-this"


def test_where_no_plan_can_be_made_the_reason_is_reported(connection, work):
    job = work(draft(connection, AddMembers, parameters={"people": [], "group": "g"}))
    assert job.state == JobState.UNPLANNABLE
    assert job.reason == "Nobody is chosen."


class ReadsGroup(AddMembers):
    """Its plan reads the group."""

    name = "tests.reads_group"

    def plan(self, planning: Planning) -> None:
        planning.api.groups.members(planning.job.parameters["group"])


def test_plan_that_waits_for_limit_says_until_when_and_goes_on(faulty, fault_server):
    words = "No more lists in this quarter of an hour."
    fault_server.then(answer(429, {"message": words}, headers={"Retry-After": "900"}))
    fault_server.always(answer(200, {"members": [], "total_records": 0}))
    job = draft(faulty, ReadsGroup, parameters={"group": "g"})
    plan(JOBS.acquire(job.pk))
    job.refresh_from_db()
    assert 895 < (job.waits_until - timezone.now()).total_seconds() <= 900
    assert JobSummary(job, counts_by_job([job])[job.pk]).words_of_wait == words
    assert JOBS.acquire(job.pk) is None

    assert reopen(faulty) is None
    plan(JOBS.acquire(job.pk))
    job.refresh_from_db()
    assert (job.state, job.waits_until, job.trouble) == (JobState.PLANNED, None, "")


def test_what_the_service_does_not_know_a_person_does(connection, work):
    job = work(draft(connection, NoNaturalKey, parameters={"emails": addresses(3)}))
    approve(job)
    job.items.all().update(state=ItemState.SENDING, attempts=1, first_sent_at=timezone.now())
    job = work(job)
    assert job.state == JobState.DONE
    assert states(job) == {"unknown": 3}
    done, again, left = job.items.all()
    services.judge_unknown(job, done.pk, Origin(connection.owner), was_done=True)
    services.judge_unknown(job, again.pk, Origin(connection.owner), was_done=False)
    job = work(job)
    assert states(job) == {"done": 2, "unknown": 1}
    assert job.items.get(state=ItemState.UNKNOWN).pk == left.pk


def test_secrets_of_rows_are_encrypted_and_gone_when_done(connection, work):
    [email] = addresses(1)
    secret = "Canary-7-in-the-mine"
    job = draft(connection, WithPassword, file=f"{email},{secret}".encode(), file_name="p.csv")
    assert secret not in JobFile.objects.get(job=job).sealed
    job = work(job)
    assert not JobFile.objects.filter(job=job).exists()
    item = job.items.get()
    assert item.secret == {"password": secret}
    assert secret not in json.dumps([item.data, item.sealed, item.label, job.parameters])
    approve(job)
    assert work(job).items.get().sealed == ""


def test_secrets_of_failed_rows_are_erased_a_day_after_the_end(connection, work):
    job = work(draft(connection, WithPassword, file=b"a@example.com,pass", file_name="p.csv"))
    job.items.update(state=ItemState.FAILED)
    Job.objects.update(state=JobState.DONE, finished_at=timezone.now() - timedelta(hours=23))
    export.erase_secrets()
    assert job.items.get().sealed
    Job.objects.update(finished_at=timezone.now() - timedelta(hours=25))
    export.erase_secrets()
    assert not job.items.get().sealed


def test_a_cancelled_job_keeps_no_secret(connection, work):
    job = work(draft(connection, WithPassword, file=b"a@example.com,pass", file_name="p.csv"))
    services.cancel(job, Origin(connection.owner))
    assert job.items.get().sealed == ""


def test_message_that_repeats_secret_is_stored_without_it(faulty, fault_server, work):
    job = work(draft(faulty, WithPassword, file=b"a@example.com,pass-word-1", file_name="p.csv"))
    approve(job)
    fault_server.always(answer(400, {"code": 300, "message": "pass-word-1 is too common"}))
    message = work(job).items.get().message
    assert "too common" in message
    assert "pass-word-1" not in message


def test_a_worker_that_is_asked_to_stop_gives_the_job_up_at_once(connection, work):
    job = approved(connection, addresses(30), work)
    running.stopping.set()
    try:
        taken = JOBS.acquire(job.pk)
        assert taken
        assert running.run(taken, 60)
    finally:
        running.stopping.clear()
    job.refresh_from_db()
    assert (job.state, job.lease, job.leased_until) == (JobState.RUNNING, None, None)
    assert states(work(job)) == {"done": 30}


def test_plan_is_made_again_from_start_when_its_worker_died(connection, work):
    job = drafted(connection, addresses(4))
    taken = JOBS.acquire(job.pk)
    assert taken
    CreatePeople().plan(half := Planning(taken))
    half.store()
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    job = work(job)
    assert job.state == JobState.PLANNED
    assert states(job) == {"pending": 4}


def test_who_lost_the_lease_writes_nothing_more(connection, work):
    job = approved(connection, addresses(4), work)
    old = JOBS.acquire(job.pk)
    assert old
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    new = JOBS.acquire(job.pk)
    assert new
    assert not running.run(old, 60)
    assert states(job) == {"pending": 4}
    running.run(new, 60)
    assert states(job) == {"done": 4}


def test_an_unreadable_token_pauses_with_words(connection, work, settings):
    job = approved(connection, addresses(2), work)
    settings.TOKEN_KEYS = [type(tokens._keys()._fernets[0]).generate_key().decode()]
    job = work(job)
    assert job.state == JobState.PAUSED
    assert "TOKEN_KEYS" in job.reason


def test_planning_under_a_lost_lease_leaves_the_job_alone(connection):
    job = drafted(connection, addresses(2))
    old = JOBS.acquire(job.pk)
    assert old
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert JOBS.acquire(job.pk)
    plan(old)
    job.refresh_from_db()
    assert job.state == JobState.PLANNING
    assert not job.items.exists()
