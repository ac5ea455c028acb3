"""Jobs that create people, and what came of them."""

from uuid import uuid4

from portal.access.http import Origin
from portal.access.models import Connection
from portal.contract.users import UserStatus
from portal.jobs import services
from portal.jobs.models import Job
from tests.support.job_types import CreatePeople
from tests.support.jobs import Work, approve
from tests.support.sandbox import Sandbox


def addresses(count: int) -> list[str]:
    mark = uuid4().hex
    return [f"{number:04}.{mark}@example.com" for number in range(count)]


def drafted(connection: Connection, emails: list[str]) -> Job:
    return services.draft(
        Origin(connection.owner),
        connection,
        CreatePeople.name,
        f"Create {len(emails)} people",
        parameters={"emails": emails},
    )


def approved(connection: Connection, emails: list[str], work: Work) -> Job:
    job = work(drafted(connection, emails))
    approve(job)
    return job


def states(job: Job) -> dict[str, int]:
    found: dict[str, int] = {}
    for state in job.items.values_list("state", flat=True):
        found[state] = found.get(state, 0) + 1
    return found


def on_the_account(sandbox: Sandbox, emails: list[str]) -> list[str]:
    mark = emails[0].partition(".")[2]
    people = sandbox.people(*(status.value for status in UserStatus))
    return [user["email"] for user in people if user["email"].endswith(mark)]
