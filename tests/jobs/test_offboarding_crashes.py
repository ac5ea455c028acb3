"""Offboarding while its worker is killed again and again, over real processes."""

from secrets import token_hex

import pytest

from tests.support.processes import COUNTS, done, state_of

pytestmark = pytest.mark.deep

PEOPLE = 4
STEPS = 3  # of each: the token, the group, and the account

_APPROVED = """
import time
from portal.connections.api import api_for
from portal.access.models import Connection
from portal.access.http import Origin
from portal.access.scope import Scope
from portal.contract.users import UserStatus
from portal.directory.users import UserFilter
from portal.jobs import services
from portal.jobs.offboarding import Ending, Leaving, Recipient, holdings
from portal.jobs.models import Job, JobState
from portal.people.offboarding.jobs import OffboardPeopleJob
from portal.people.jobs.base import PeopleSelection
from portal.people.services.person import refresh_person
from tests.support.jobs import approve
connection = Connection.objects.get(key=sys.argv[1])
scope = Scope.whole(connection, "a test")
heir, email, *leavers = sys.argv[2:]
for one in (heir, *leavers):
    refresh_person(api_for(scope), scope, one, UserStatus.ACTIVE)
choices = {one.name: one.options[0].value for one in holdings()}
leaving = Leaving(Ending.DELETE, choices, Recipient(heir, email, email))
chosen = PeopleSelection(UserFilter(ids=leavers))
parameters = {"chosen": chosen.as_parameters(), "leaving": leaving.as_parameters()}
origin = Origin(connection.owner)
job = services.draft(
    origin, connection, OffboardPeopleJob.name, "Offboard", parameters=parameters
)
deadline = time.monotonic() + 300
while (job := Job.objects.get(pk=job.pk)).state != JobState.PLANNED:
    assert time.monotonic() < deadline, (job.state, job.reason)
    time.sleep(0.05)
approve(job)
print(job.key)
"""


def _made(whole, path, body):
    answer = whole.sandbox.client.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def _person(whole):
    info = {"email": f"{token_hex(6)}@brightwater.example", "first_name": "Ada", "type": 2}
    made = _made(whole, "/users", {"action": "custCreate", "user_info": info})
    whole.sandbox.client.patch(f"/users/{made['id']}/settings", json={"feature": {"webinar": True}})
    return made


def test_everybody_leaves_once_however_often_worker_is_killed(whole):
    heir = _person(whole)
    leavers = [_person(whole)["id"] for _ in range(PEOPLE)]
    group = _made(whole, "/groups", {"name": f"Group {token_hex(6)}"})["id"]
    members = {"members": [{"id": one} for one in leavers]}
    _made(whole, f"/groups/{group}/members", members)
    meeting = {"topic": "Handover", "type": 2, "start_time": "2038-03-01T09:00:00Z"}
    meetings = [_made(whole, f"/users/{one}/meetings", meeting)["id"] for one in leavers]
    whole.environment["JOB_THREADS"] = "1"  # so that there is a middle to catch
    whole.start("worker", "beat")
    job = whole.script(_APPROVED, whole.connection, heir["id"], heir["email"], *leavers).strip()
    for goal in (1, PEOPLE * STEPS // 2):
        whole.until(lambda goal=goal: done(whole, job) >= goal)
        whole.kill("worker")
        whole.start("worker")
    whole.until(lambda: state_of(whole, job) == "done", timeout=120)
    assert dict(whole.query(COUNTS, job)) == {"done": PEOPLE * STEPS}
    for one in leavers:
        assert whole.sandbox.client.get(f"/users/{one}").status_code == 404
    for one in meetings:
        assert whole.sandbox.client.get(f"/meetings/{one}").json()["host_id"] == heir["id"]
    whole.manage("verify_audit")
