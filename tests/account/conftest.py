"""Sub accounts and people that a test made for itself."""

from collections.abc import Callable, Iterator
from secrets import token_hex
from typing import Any

import pytest

from portal.access.models import Connection
from portal.directory import users
from tests.account.baselines import fresh
from tests.support.people import Made, MakePerson
from tests.support.sandbox import Sandbox

Json = dict[str, Any]


class Held:
    """Something in the sandbox that has settings; `path` is its address there."""

    def __init__(self, sandbox: Sandbox, path: str, key: str, label: str) -> None:
        self._client, self._path = sandbox.client, path
        self.id, self.label = key, label
        self.is_account = path.startswith("/accounts")

    def settings(self) -> Json:
        return dict(self._client.get(f"{self._path}/settings").json())

    def options(self) -> Json:
        return dict(self._client.get(self._path).json()["options"])

    def set(self, **groups: Json) -> None:
        """Changes settings behind the portal's back, and options with them."""
        options = groups.pop("options", None)
        if options:
            assert self._client.patch(f"{self._path}/options", json=options).is_success
        if groups:
            assert self._client.patch(f"{self._path}/settings", json=groups).is_success

    def go(self) -> None:
        self._client.delete(self._path, params={"action": "delete"})


MakeHeld = Callable[..., Held]


@pytest.fixture
def make_account(sandbox: Sandbox) -> Iterator[MakeHeld]:
    """Makes sub accounts."""
    made: list[Held] = []

    def make(**groups: Json) -> Held:
        person = owner()
        account = sandbox.client.post("/accounts", json=person).json()
        path = f"/accounts/{account['id']}"
        made.append(Held(sandbox, path, account["id"], person["email"]))
        made[-1].set(**groups)
        return made[-1]

    yield make
    for one in made:
        one.go()


@pytest.fixture
def make_holder(sandbox: Sandbox) -> Iterator[MakeHeld]:
    """Makes people."""
    made: list[Held] = []

    def make(**groups: Json) -> Held:
        email = f"{token_hex(6)}@brightwater.example"
        info = {"email": email, "first_name": "Ada", "last_name": "Lovelace", "type": 2}
        answer = sandbox.client.post("/users", json={"action": "custCreate", "user_info": info})
        key = answer.json()["id"]
        made.append(Held(sandbox, f"/users/{key}", key, email))
        made[-1].set(**groups)
        return made[-1]

    yield make
    for one in made:
        one.go()


@pytest.fixture
def dept() -> str:
    return f"Sales {token_hex(4)}"


@pytest.fixture
def two(make_person: MakePerson, dept: str, connection: Connection) -> list[Made]:
    """Two people of a department of their own, who both have chat on."""
    found = [make_person(first_name=name) for name in ("Ada", "Grace")]
    users.record_written(connection, {one.id: {"dept": dept} for one in found})
    for one in found:
        one.set(in_meeting={"chat": True, "closed_caption": False})
    fresh(connection)
    return found


def owner() -> Json:
    """Of a sub account that is to be created."""
    return {
        "email": f"owner-{token_hex(6)}@north.example",
        "first_name": "Olive",
        "last_name": "Owner",
        "password": "correct horse 1",
    }
