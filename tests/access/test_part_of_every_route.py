"""Over every route there is: somebody with whom a connection is shared for one department finds
nobody outside of it, whatever the address names and whatever is sent there."""

from http import HTTPStatus
from secrets import token_hex

import pytest

from portal.access.grants import grant_for
from portal.access.models import AuditEntry, Connection, User
from portal.access.roles import Role
from portal.directory.models import MirroredUser
from portal.directory.users import USERS
from portal.mirror.refresh import refresh, request_refresh
from tests.access.planted import OF_A_CONNECTION, Somebody, give_job, named_in, planted, urls_of
from tests.support.portal import Connect, admin_client_for, member
from tests.support.routes import undone
from tests.support.sandbox import Sandbox
from tests.support.shares import share_with

pytestmark = pytest.mark.django_db

# People whom other tests make are called so, and the hint of a form names them.
IN_HINTS = "Ada Lovelace"
# What an address may name that belongs to somebody.
OF_SOMEBODY = {"user_id", "session_id", "group_id", "person_id", "uuid", "instance", "job_key"}
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
    return planted(shared, sandbox, department)


@pytest.fixture
def outside(shared: Connection, sandbox: Sandbox) -> Somebody:
    return planted(shared, sandbox, "Elsewhere")


@pytest.fixture
def colleague(shared: Connection, inside: Somebody, outside: Somebody, department: str) -> User:
    made = member("colleague@example.com", Role.ADMINISTRATOR)
    share_with(shared, made, departments=[department])
    limited = grant_for(made, shared.key).connection
    give_job(inside, made, limited)
    give_job(outside, shared.owner, shared)
    return made


@pytest.fixture
def both(inside: Somebody, outside: Somebody) -> Both:
    return inside, outside


@pytest.fixture
def strangers(outside: Somebody, colleague: User, department: str) -> list[str]:
    """Returns words that nobody may see: people outside by name, email and id, and their
    objects."""
    rows = MirroredUser.objects.exclude(dept=department)
    named = [
        part
        for row in rows
        for part in (row.user_id, row.email, row.name)
        if len(part) > 7 and part != IN_HINTS
    ]
    assert outside.document["email"] in named
    return [*named, f"Recording of {outside.document['email'].partition('@')[0]}"]


def test_no_page_names_anybody_outside(
    colleague: User, both: Both, shared: Connection, sandbox: Sandbox, strangers: list[str]
):
    inside, outside = both
    client, leaks, seen, sheets = admin_client_for(colleague), [], set(), set()
    for route in OF_A_CONNECTION:
        for about in (inside, outside):
            with undone():
                for url in urls_of(route, colleague, shared, sandbox, about):
                    answer = client.get(url)
                    if found := named_in(strangers, answer, url):
                        leaks.append((route.name, found[:2]))
                    if about is inside and answer.status_code == HTTPStatus.OK:
                        (sheets if "sheet" in answer["Content-Type"] else seen).add(route.name)
    assert leaks == []
    assert seen >= SHOWN, SHOWN - seen
    assert sheets >= {name for name in SHOWN if "export" in name}


def test_what_is_outside_is_not_there_and_takes_no_change(
    colleague: User, both: Both, shared: Connection, sandbox: Sandbox, strangers: list[str]
):
    client, outside, leaks, pages = admin_client_for(colleague), both[1], [], {}
    before, entries = sandbox.client.get(f"/users/{outside.id}").json(), _sent()
    for route in OF_A_CONNECTION:
        if not OF_SOMEBODY.intersection(route.arguments):
            continue
        with undone():
            for url in urls_of(route, colleague, shared, sandbox, outside):
                pages[route.name] = client.get(url).status_code
                if found := named_in(strangers, client.post(url, {}), url):
                    leaks.append((route.name, found[:2]))
    assert leaks == []
    assert {name for name in PAGES_OF_SOMEBODY if pages[name] != HTTPStatus.NOT_FOUND} == set()
    assert sandbox.client.get(f"/users/{outside.id}").json() == before
    assert _sent() == entries


def _sent() -> int:
    """Returns the number of changes that were sent to the service."""
    return AuditEntry.objects.exclude(path="").count()


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
    "reports:saved",
}
