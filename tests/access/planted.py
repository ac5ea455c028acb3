"""People with a meeting, a webinar, a recording, a group and a job of their own, each under a name
found in no other place, and a search for these names in answers."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from io import BytesIO
from secrets import token_hex
from typing import Any
from zipfile import ZipFile

from django.http import HttpResponseBase
from django.utils import timezone

from portal.access.http import Origin
from portal.access.models import Connection, User
from portal.contract.users import User as Person, UserStatus
from portal.directory import groups, users
from portal.directory.models import GroupKind, MirroredGroup
from portal.jobs import services
from portal.jobs.models import ItemState, JobItem
from portal.recordings.models import MirroredRecording
from portal.sessions.models import MirroredSession
from tests.support.job_types import CreatePeople
from tests.support.routes import NAMED, Route
from tests.support.sandbox import Sandbox

OF_A_CONNECTION = [route for route in NAMED if "connection" in route.arguments]
# All marks begin so, so that one search would find all planted people.
COMMON = "planted"


@dataclass
class PlantedPerson:
    """A person with a meeting, a webinar, a recording, a group and a job of their own."""

    document: dict[str, Any]
    meeting: str
    webinar: str
    recording: str
    group: str
    job: str = ""
    kept: dict[str, object] = field(default_factory=dict)  # of `planted_rows`, by arguments

    @property
    def mark(self) -> str:
        """Returns what stands in all that is called by them."""
        return str(self.document["email"]).partition("@")[0]

    @property
    def id(self) -> str:
        return str(self.document["id"])

    @property
    def email(self) -> str:
        return str(self.document["email"])

    @property
    def name(self) -> str:
        return f"{self.document['first_name']} {self.document['last_name']}"

    @property
    def names(self) -> list[str]:
        """Returns what names them or theirs, and stands nowhere else."""
        called = [self.email, self.name, f"Family{self.mark}"]
        return [*called, self.mark, self.id, self.meeting, self.webinar, self.group]

    def arguments(self, name: str) -> dict[str, object]:
        """Returns what an address of this name takes, so that it is about them."""
        session = self.webinar if name.startswith("webinars:") else self.meeting
        return {
            "user_id": self.id,
            "person_id": self.id,
            "person": self.id,
            "session_id": session,
            "group_id": self.group,
            "uuid": self.recording,
            "job_key": self.job,
            **self.kept,
        }


Both = tuple[PlantedPerson, PlantedPerson]  # inside and outside of a limited share


def planted(connection: Connection, sandbox: Sandbox, dept: str) -> PlantedPerson:
    """Makes a person of this department at the service, and in the copies of it."""
    client, mark = sandbox.client, f"{COMMON}{token_hex(5)}"
    info: dict[str, Any] = {"first_name": f"Given{mark}", "last_name": f"Family{mark}", "type": 2}
    info["email"] = f"{mark}@brightwater.example"
    made = client.post("/users", json={"action": "custCreate", "user_info": info}).json()
    client.patch(f"/users/{made['id']}", json={"dept": dept})
    holds = {"feature": {"webinar": True, "webinar_capacity": 500}}
    client.patch(f"/users/{made['id']}/settings", json=holds)
    group = client.post("/groups", json={"name": f"Group of {mark}"}).json()["id"]
    client.post(f"/groups/{group}/members", json={"members": [{"id": made["id"]}]})
    document = client.get(f"/users/{made['id']}").json()
    users.put(connection, Person.model_validate(document, extra="ignore"), UserStatus.ACTIVE)
    MirroredGroup.objects.create(
        connection=connection, kind=GroupKind.GROUP, group_id=group, name=f"Group of {mark}"
    )
    groups.join(connection, GroupKind.GROUP, group, [made["id"]])
    numbers = [_session(connection, sandbox, document, kind) for kind in ("meetings", "webinars")]
    uuid = f"{mark}Zw=="
    MirroredRecording.objects.create(
        connection=connection,
        uuid=uuid,
        session_id=numbers[0],
        topic=f"Recording of {mark}",
        status="available",
        files=[],
        start_time=timezone.now(),
        search=info["email"],
        **_host(document),
    )
    return PlantedPerson(document, numbers[0], numbers[1], uuid, group)


def give_job(one: PlantedPerson, owner: User, connection: Connection) -> None:
    """A job of this owner that is about them."""
    label = one.document["email"]
    emails = {"emails": [label]}
    job = services.draft(Origin(owner), connection, CreatePeople.name, label, parameters=emails)
    JobItem.objects.create(job=job, number=1, label=label, state=ItemState.PENDING)
    one.job = job.key


def _session(connection: Connection, sandbox: Sandbox, host: dict[str, Any], kind: str) -> str:
    soon = timezone.now() + timedelta(days=1)
    start = soon.strftime("%Y-%m-%dT%H:%M:%SZ")
    body = {"topic": f"Topic of {host['email']}", "start_time": start}
    answer = sandbox.client.post(f"/users/{host['id']}/{kind}", json=body)
    number = str(answer.json()["id"])
    row = MirroredSession.objects.create(
        connection=connection,
        kind=kind,
        session_id=number,
        topic=body["topic"],
        start_time=soon,
        join_before_host=True,
        has_password=False,
        search=host["email"],
        **_host(host),
    )
    row.occurrences.create(connection=connection, start_time=soon, end_time=soon)
    return number


def _host(document: dict[str, Any]) -> dict[str, str]:
    name = f"{document['first_name']} {document['last_name']}"
    return {"host_id": document["id"], "host_email": document["email"], "host_name": name}


def text_of_answer(answer: HttpResponseBase) -> str:
    content = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return text_of_file(content)


def text_of_file(content: str | bytes) -> str:
    """Returns what a file says, the sheets of a workbook included."""
    if isinstance(content, str):
        return content
    if content[:2] == b"PK":
        with ZipFile(BytesIO(content)) as sheets:
            content = b"".join(map(sheets.read, sheets.namelist()))
    return bytes(content).decode(errors="replace")


def named_in(strangers: Collection[str], text: str, url: str) -> list[str]:
    """Returns the strangers that an answer names, but for repetitions of its address."""
    return [name for name in strangers if name in text and name not in url]


def urls_of(
    route: Route, colleague: User, shared: Connection, sandbox: Sandbox, about: PlantedPerson
) -> Iterator[str]:
    given = about.arguments(route.name)
    yield route.url_of(colleague, shared, sandbox, **given)
    for kind_of_file in {"file", "kind"}.intersection(route.arguments):
        yield route.url_of(colleague, shared, sandbox, **given | {kind_of_file: "xlsx"})
