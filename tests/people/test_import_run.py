"""Imports carried out: no person is lost, created twice, or wrongly reported as created."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection
from portal.audit.acts import Act
from portal.audit.models import AuditEntry
from portal.audit.trail import record
from portal.jobs import outcomes, services
from portal.jobs.job_types import job_type_of
from portal.jobs.models import ItemState, JobState
from portal.people.imports.columns import NAMES
from tests.people.importing import approved, drafted, new_email, only, states
from tests.support.fault_server import Seen, answer, depending, no_answer

pytestmark = pytest.mark.django_db

PASSWORD = "long enough for anyone"


def _person(sandbox, email):
    found = sandbox.client.get(f"/users/{email}")
    return dict(found.json()) if found.status_code == 200 else {}


def _status(sandbox, user_id):
    for status in ("active", "inactive", "pending"):
        if user_id in {user["id"] for user in sandbox.people(status)}:
            return status
    return ""


def test_people_are_created_with_all_that_their_rows_say(run_of, sandbox):
    full, invited = new_email("full"), new_email("invited")
    group = sandbox.client.post("/groups", json={"name": f"Group {full}"}).json()
    job = run_of(
        {
            "email": full,
            "create_action": "autoCreate",
            "first_name": "Łukasz",
            "last_name": "O'Neill, Jr.",
            "type": "licensed",
            "password": PASSWORD,
            "dept": "R&D",
            "timezone": "W. Europe Standard Time",
            "language": "de_DE",
            "host_key": "012345",
            "use_pmi": "x",
            "status": "suspended",
            "groups": group["name"],
        },
        {"email": invited},
    )
    assert job.state == JobState.DONE
    assert states(job) == [(2, "create", "done"), (3, "create", "done")]
    person = _person(sandbox, full)
    data = {name: person[name] for name in ("first_name", "last_name", "type", "dept", "language")}
    assert data == {
        "first_name": "Łukasz",
        "last_name": "O'Neill, Jr.",
        "type": 2,
        "dept": "R&D",
        "language": "de-DE",
    }
    assert (person["timezone"], person["host_key"]) == ("Europe/Berlin", "012345")
    assert (person["use_pmi"], person["group_ids"]) == (True, [group["id"]])
    assert _status(sandbox, person["id"]) == "inactive"
    assert _status(sandbox, _person(sandbox, invited)["id"]) == "pending"
    assert job.items.get(number=2).object_id == person["id"]


def test_people_are_changed_deactivated_and_removed(run_of, make_person, sandbox):
    changed, off, gone = make_person(), make_person(), make_person()
    job = run_of(
        {"email": changed.email, "dept": "Sales", "type": "Basic"},
        {"email": off.email, "action": "deactivate", "dept": "not looked at"},
        {"email": gone.email, "action": "delete"},
    )
    assert [state for _, _, state in states(job)] == ["done"] * 3
    assert (changed.now()["dept"], changed.now()["type"]) == ("Sales", 1)
    assert _status(sandbox, off.id) == "inactive"
    assert not off.now()["dept"]
    assert gone.now() == {}


def test_no_secret_is_left_in_the_job_or_the_trail(run_of):
    row = {"email": new_email(), "action": "autoCreate", "password": PASSWORD, "host_key": "918273"}
    item = only(run_of(row))
    assert (item.state, item.sealed) == (ItemState.DONE, "")
    entries = " ".join(f"{one.sent} {one.before}" for one in AuditEntry.objects.all())
    assert PASSWORD not in entries
    assert "918273" not in f"{entries} {item.data} {item.changes}"


def test_refused_step_after_creation_fails_row_and_says_so(run_of, work, person, sandbox):
    email = new_email()
    taken = person.now()["pmi"]
    job = run_of({"email": email, "dept": "Sales", "pmi": taken, "action": "create"})
    item = only(job)
    assert item.state == ItemState.FAILED
    assert item.message.startswith("The person was created; their profile was refused")
    assert item.problems[0][0] == "pmi"
    assert _person(sandbox, email)["id"] == item.object_id
    row = job_type_of(job).row_of(item)
    assert set(row) <= set(NAMES)
    assert (row["email"], row["pmi"], row["action"]) == (email, taken, "")
    before = AuditEntry.objects.filter(operation="users.create").count()
    services.retry_failed(job, Origin(job.owner))
    assert only(work(job)).state == ItemState.FAILED
    assert AuditEntry.objects.filter(operation="users.create").count() == before


def test_a_refused_row_comes_back_without_its_secrets(run_of, sandbox):
    row = {
        "email": new_email(),
        "action": "autoCreate",
        "password": PASSWORD,
        "vanity_name": "no",
        "dept": "Sales",
    }
    job = run_of(row)
    back = job_type_of(job).row_of(only(job))
    assert back == {"email": row["email"], "action": "", "vanity_name": "no", "dept": "Sales"}


def _sending(job, **values):
    """As a worker that died has left the rows behind."""
    values.setdefault("first_sent_at", timezone.now())
    job.items.update(state=ItemState.SENDING, attempts=1, **values)


def test_creation_without_answer_is_recognised_and_completed(plan_of, work, sandbox):
    email, bare = new_email(), new_email()
    job = approved(plan_of({"email": email, "dept": "Sales"}, {"email": bare}))
    for each in (email, bare):
        body = {"action": "create", "user_info": {"email": each, "type": 1}}
        assert sandbox.client.post("/users", json=body).status_code == 201
    _sending(job)
    job = work(job)
    assert [state for _, _, state in states(job)] == ["done", "done"]
    assert _person(sandbox, email)["dept"] == "Sales"
    assert job.items.get(label=bare).object_id == _person(sandbox, bare)["id"]
    assert not AuditEntry.objects.filter(operation="users.create").exists()


def test_a_creation_that_did_not_happen_is_sent_once_more(plan_of, work, sandbox):
    email = new_email()
    job = approved(plan_of({"email": email}))
    _sending(job)
    assert only(work(job)).state == ItemState.DONE
    assert AuditEntry.objects.filter(operation="users.create", outcome="begun").count() == 1
    assert _person(sandbox, email)


def test_somebody_there_before_is_not_reported_as_created(plan_of, work, sandbox):
    email = new_email()
    job = approved(plan_of({"email": email, "dept": "Sales"}))
    body = {"action": "create", "user_info": {"email": email, "type": 1}}
    sandbox.client.post("/users", json=body)
    _sending(job, first_sent_at=timezone.now() + timedelta(minutes=10))
    item = only(work(job))
    assert item.state == ItemState.FAILED
    assert "before this row was sent" in item.message
    assert not _person(sandbox, email)["dept"]


def test_creation_by_worker_with_wrong_clock_is_reported(plan_of, work, sandbox):
    email = new_email()
    job = approved(plan_of({"email": email}))
    body = {"action": "create", "user_info": {"email": email, "type": 1}}
    sandbox.client.post("/users", json=body)
    _sending(job, first_sent_at=timezone.now() + timedelta(minutes=10), clock_ahead=601.0)
    assert only(work(job)).state == ItemState.DONE


@pytest.mark.parametrize("known", [True, False], ids=["service's clock", "trail alone"])
def test_after_a_restore_nothing_done_is_reported_as_failed(plan_of, work, sandbox, *, known):
    """One entry of the trail is of a clock that was ahead, as rows of a worker with it are."""
    first, second = new_email(), new_email()
    job = approved(plan_of({"email": first}, {"email": second}))
    ahead = timedelta(minutes=6)
    with time_machine.travel(timezone.now() + ahead):
        record(Origin(job.owner), Act.JOB_PAUSED, object_id=job.key)
    values = {"first_sent_at": timezone.now() + ahead, "clock_ahead": 361.0} if known else {}
    job.items.filter(label=first).update(state=ItemState.SENDING, attempts=1, **values)
    for each in (first, second):
        body = {"action": "create", "user_info": {"email": each, "type": 1}}
        assert sandbox.client.post("/users", json=body).status_code == 201
    call_command("after_restore")
    assert [state for _, _, state in states(work(job))] == ["done", "done"]


def test_address_that_is_taken_at_first_attempt_is_plain_failure(plan_of, work, sandbox):
    email = new_email()
    job = approved(plan_of({"email": email}))
    body = {"action": "create", "user_info": {"email": email, "type": 1}}
    sandbox.client.post("/users", json=body)
    item = only(work(job))
    assert (item.state, item.object_id) == (ItemState.FAILED, "")
    assert "exists" in item.message


@pytest.fixture
def behind(connect, connection, fault_server):
    """A connection to the fault server."""
    other = connect(connection.owner, "Faulty")
    Connection.objects.filter(pk=other.pk).update(base_url=fault_server.url)
    other.refresh_from_db()
    return other


class _Service:
    """An account that is empty at first, answers no first POST, and refuses every second.

    `reports` is what it says later of the person: that there is none, or since when.
    """

    def __init__(self, reports: str) -> None:
        self.posts = 0
        self._reports = reports
        self._at = ""

    def __call__(self, seen: Seen) -> Any:
        if seen.path.endswith("/groups"):
            return answer(200, {"groups": [], "total_records": 0})
        if seen.method == "POST":
            self.posts += 1
            self._at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            return no_answer() if self.posts == 1 else answer(409, {"message": "It exists."})
        if seen.path.endswith("/users"):
            return answer(200, {"users": [], "total_records": 0, "page_number": 1})
        if not self.posts or self._reports == "nobody":
            return answer(404, {"message": "No such user."})
        person = {"id": "u-1", "email": "ada@example.com"}
        return answer(200, person | ({"created_at": self._at} if self._reports == "since" else {}))


@pytest.mark.parametrize(
    ("reports", "state", "user_id"),
    [
        ("since", ItemState.DONE, "u-1"),
        ("no time", ItemState.UNKNOWN, ""),
        ("nobody", ItemState.FAILED, ""),
    ],
)
def test_post_without_answer_is_not_resent_if_person_exists(
    behind, work, fault_server, settings, *, reports, state, user_id
):
    settings.API_TIMEOUT = 0.5  # until then "nobody" may mean "not yet"
    service = _Service(reports)
    fault_server.always(depending(service))
    job = approved(work(drafted(behind, {"email": "Ada@example.com"})))
    item = only(work(job))
    assert (item.state, item.object_id) == (state, user_id)
    most = outcomes._ATTEMPTS if reports == "nobody" else 1
    assert 1 <= service.posts <= most


def test_a_removal_that_happened_unheard_is_done(plan_of, work, person, sandbox):
    job = approved(plan_of({"email": person.email, "action": "delete"}))
    sandbox.client.delete(f"/users/{person.id}", params={"action": "delete"})
    _sending(job)
    assert only(work(job)).state == ItemState.DONE
