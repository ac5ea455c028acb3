"""Jobs in the state that a test needs, and their pages as a browser sees them."""

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection
from portal.jobs import services
from portal.jobs.models import ItemState, Job, JobItem, JobState
from tests.support.job_types import CreatePeople

SCRIPT = {"HX-Request": "true", "HX-Target": "job"}


def url(job: Job, name: str = "job", *more: object) -> str:
    return reverse(f"jobs:{name}", args=[job.connection.key, job.key, *more])


def drafted(connection: Connection, emails: list[str]) -> Job:
    return services.draft(
        Origin(connection.owner),
        connection,
        CreatePeople.name,
        f"Create {len(emails)} people",
        parameters={"emails": emails},
    )


def forced(connection: Connection, state: JobState, *items: JobItem, **values: object) -> Job:
    """A job in the given state, without having come there."""
    if state not in (JobState.PLANNING, JobState.PLANNED, JobState.UNPLANNABLE):
        values.setdefault("approved_at", timezone.now())
    values = {"kind": CreatePeople.name, "title": "A job", **values}
    job = Job.objects.create(connection=connection, owner=connection.owner, state=state, **values)
    for item in items:
        item.job = job
    JobItem.objects.bulk_create(items)
    return job


def item(number: int, state: ItemState = ItemState.PENDING, **values: object) -> JobItem:
    fields = {"label": f"person{number}@example.com", "action": "create", **values}
    open_states = (ItemState.PENDING, ItemState.SENDING)
    ended_at = None if state in open_states else timezone.now()
    return JobItem(number=number, state=state, ended_at=ended_at, **fields)


def seen(job: Job) -> dict[str, str]:
    """The form that approves the plan as it is now."""
    return {"seen": str(services.plan_version(job))}


def shown(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers=headers or None)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())
