"""Over every route there is: somebody with whom a connection is shared for one department finds
nobody outside of it, whatever the address names and whatever is sent there."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from io import BytesIO
from secrets import token_hex
from typing import Any
from zipfile import ZipFile

import pytest
from django.http import HttpResponseBase
from django.utils import timezone

from portal.access.grants import grant_for
from portal.access.models import AuditEntry, Connection, User
from portal.access.origin import Origin
from portal.access.parts import shows
from portal.access.roles import Role
from portal.contract.users import User as Person
from portal.contract.users import UserStatus
from portal.directory import groups, users
from portal.directory.models import GroupKind, MirroredGroup, MirroredUser
from portal.directory.users import USERS
from portal.jobs import services
from portal.jobs.models import ItemState, JobItem
from portal.mirror.refresh import refresh, request_refresh
from portal.recordings.models import MirroredRecording
from portal.sessions.models import MirroredSession, SessionKind
from tests.access.limited import share_with
from tests.access.routes import NAMED, Route, undone
from tests.jobs.job_types import CreatePeople
from tests.plugins.portal import Connect, admin_client_for, member
from tests.plugins.sandbox import Sandbox

pytestmark = pytest.mark.django_db

OF_A_CONNECTION = [route for route in NAMED if "connection" in route.arguments]
# What an address may name that belongs to somebody.
OF_SOMEBODY = {"user_id", "session_id", "group_id", "person_id", "uuid", "instance", "job_key"}
REFUSED = {HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}
PAGES_OF_SOMEBODY = {
    "people:person",
    "people:settings",
    "people:groups",
    "groups:group",
    "jobs:job",
    "meetings:session",
    "webinars:session",
    "recordings:recording",
    "reports:person",
}


@dataclass
class Somebody:
    """A person with a meeting, a webinar, a recording, a group and a job of their own."""

    document: dict[str, Any]
    meeting: str
    webinar: str
    recording: str
    group: str
    job: str = ""

    @property
    def id(self) -> str:
        return str(self.document["id"])

    def arguments(self, name: str) -> dict[str, str]:
        """What an address of this name takes, so that it is about them."""
        session = self.webinar if name.startswith("webinars:") else self.meeting
        return {
            "user_id": self.id,
            "person_id": self.id,
            "person": self.id,
            "session_id": session,
            "group_id": self.group,
            "uuid": self.recording,
            "job_key": self.job,
        }


Both = tuple[Somebody, Somebody]


@pytest.fixture
def department() -> str:
    return f"Sales {token_hex(4)}"


@pytest.fixture
def shared(connect: Connect, administrator: User) -> Connection:
    """The administrator's connection, with all people of the account in its list."""
    connection = connect(administrator)
    assert refresh(request_refresh(connection, USERS).pk)
    return connection


@pytest.fixture
def inside(shared: Connection, sandbox: Sandbox, department: str) -> Somebody:
    return _somebody(shared, sandbox, department)


@pytest.fixture
def outside(shared: Connection, sandbox: Sandbox) -> Somebody:
    return _somebody(shared, sandbox, "Elsewhere")


@pytest.fixture
def colleague(shared: Connection, inside: Somebody, outside: Somebody, department: str) -> User:
    made = member("colleague@example.com", Role.ADMINISTRATOR)
    share_with(shared, made, departments=[department])
    limited = grant_for(made, shared.key).connection
    for one, owner, of in ((inside, made, limited), (outside, shared.owner, shared)):
        job = services.draft(Origin(owner), of, CreatePeople.name, one.document["email"])
        label = one.document["email"]
        JobItem.objects.create(job=job, number=1, label=label, state=ItemState.PENDING)
        one.job = job.key
    return made


@pytest.fixture
def both(inside: Somebody, outside: Somebody) -> Both:
    return inside, outside


def _somebody(connection: Connection, sandbox: Sandbox, dept: str) -> Somebody:
    client, mark = sandbox.client, token_hex(5)
    info = {"first_name": f"Given{mark}", "last_name": f"Family{mark}", "type": 2}
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
    numbers = [_session(connection, sandbox, document, kind) for kind in SessionKind]
    uuid = f"{mark}{mark}Zw=="
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
    return Somebody(document, numbers[0], numbers[1], uuid, group)


def _session(
    connection: Connection, sandbox: Sandbox, host: dict[str, Any], kind: SessionKind
) -> str:
    soon = timezone.now() + timedelta(days=1)
    start = soon.strftime("%Y-%m-%dT%H:%M:%SZ")
    body = {"topic": f"Topic of {host['email']}", "start_time": start}
    answer = sandbox.client.post(f"/users/{host['id']}/{kind.value}", json=body)
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


@pytest.fixture
def strangers(outside: Somebody, colleague: User, department: str) -> list[str]:
    """What nobody may find: who is outside, by name, email and id, and what is theirs."""
    rows = MirroredUser.objects.exclude(dept=department)
    named = [part for row in rows for part in (row.user_id, row.email, row.name) if len(part) > 7]
    assert outside.document["email"] in named
    return [*named, f"Recording of {outside.document['email'].partition('@')[0]}"]


def _text(answer: HttpResponseBase) -> str:
    content = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]
    if content[:2] == b"PK":
        with ZipFile(BytesIO(content)) as sheets:
            content = b"".join(map(sheets.read, sheets.namelist()))
    return bytes(content).decode(errors="replace")


def _found(strangers: list[str], answer: HttpResponseBase, url: str) -> list[str]:
    """Whom an answer names; what the address itself said may stand there again."""
    text = _text(answer)
    return [name for name in strangers if name in text and name not in url]


def _urls(
    route: Route, colleague: User, shared: Connection, sandbox: Sandbox, about: Somebody
) -> Iterator[str]:
    given = about.arguments(route.name)
    yield route.url_of(colleague, shared, sandbox, **given)
    for kind_of_file in {"file", "kind"}.intersection(route.arguments):
        yield route.url_of(colleague, shared, sandbox, **given | {kind_of_file: "xlsx"})


def test_no_page_names_anybody_outside(
    colleague: User, both: Both, shared: Connection, sandbox: Sandbox, strangers: list[str]
):
    inside, outside = both
    client, leaks, seen, sheets = admin_client_for(colleague), [], set(), set()
    for route in OF_A_CONNECTION:
        for about in (inside, outside):
            with undone():
                for url in _urls(route, colleague, shared, sandbox, about):
                    answer = client.get(url)
                    if found := _found(strangers, answer, url):
                        leaks.append((route.name, found[:2]))
                    if about is inside and answer.status_code == HTTPStatus.OK:
                        (sheets if "sheet" in answer["Content-Type"] else seen).add(route.name)
    assert leaks == []
    assert seen >= SHOWN, SHOWN - seen
    assert sheets >= {name for name in SHOWN if "export" in name}


def test_what_belongs_to_somebody_outside_is_not_there_and_takes_no_change(
    colleague: User, both: Both, shared: Connection, sandbox: Sandbox, strangers: list[str]
):
    client, outside, leaks, pages = admin_client_for(colleague), both[1], [], {}
    before, entries = sandbox.client.get(f"/users/{outside.id}").json(), _sent()
    for route in OF_A_CONNECTION:
        if not OF_SOMEBODY.intersection(route.arguments):
            continue
        with undone():
            for url in _urls(route, colleague, shared, sandbox, outside):
                pages[route.name] = client.get(url).status_code
                if found := _found(strangers, client.post(url, {}), url):
                    leaks.append((route.name, found[:2]))
    assert leaks == []
    assert {name for name in PAGES_OF_SOMEBODY if pages[name] != HTTPStatus.NOT_FOUND} == set()
    assert sandbox.client.get(f"/users/{outside.id}").json() == before
    assert _sent() == entries


def _sent() -> int:
    """How many changes were sent to the service."""
    return AuditEntry.objects.exclude(path="").count()


def test_a_page_that_shows_the_whole_account_is_refused(
    colleague: User, shared: Connection, sandbox: Sandbox, inside: Somebody
):
    part, client, opened = grant_for(colleague, shared.key).part, admin_client_for(colleague), []
    for route in OF_A_CONNECTION:
        if shows(part, route.name) or "access:" in route.name:
            continue
        with undone():
            for url in _urls(route, colleague, shared, sandbox, inside):
                statuses = {client.get(url).status_code, client.post(url).status_code}
                if statuses - REFUSED:
                    opened.append((route.name, statuses))
    assert opened == []


SHOWN = {
    "people:list",
    "people:export",
    "people:person",
    "people:groups",
    "people:delegates",
    "people:settings",
    "people:history",
    "groups:list",
    "groups:group",
    "groups:export",
    "groups:members-export",
    "meetings:list",
    "meetings:export",
    "meetings:session",
    "webinars:list",
    "webinars:session",
    "sessions:calendar",
    "sessions:policy",
    "recordings:list",
    "recordings:export",
    "mirror:search",
    "jobs:list",
    "jobs:job",
    "dashboards:now",
    "dashboards:past",
    "dashboards:messages",
    "reports:index",
    "reports:hosts",
    "reports:inactive",
    "reports:telephone",
    "reports:person",
    "reports:people",
}
