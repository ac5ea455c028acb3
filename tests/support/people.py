"""People in the sandbox that a test made for itself."""

from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest

from portal.access.models import Connection
from portal.connections.api import api_for
from portal.contract.users import UserDetails, UserStatus
from portal.people.services import groups
from portal.people.services.groups import GROUPS, IM_GROUPS, GroupType
from portal.people.services.person import refresh_person
from tests.support.sandbox import Sandbox
from tests.support.scopes import whole

MakePerson = Callable[..., "Made"]
MakeGroup = Callable[..., "MadeGroup"]


class Made:
    """A person in the sandbox, and in the mirror of a connection."""

    def __init__(self, sandbox: Sandbox, document: dict[str, Any]) -> None:
        self._sandbox = sandbox
        self.id: str = document["id"]
        self.email: str = document["email"]
        self.name = f"{document['first_name']} {document['last_name']}"

    def now(self) -> dict[str, Any]:
        """The person as the service reports; empty if they are gone."""
        answer = self._sandbox.client.get(f"/users/{self.id}")
        return dict(answer.json()) if answer.status_code == 200 else {}

    def details(self) -> UserDetails:
        return UserDetails.model_validate(self.now(), extra="ignore")

    def settings(self) -> dict[str, dict[str, Any]]:
        return dict(self._sandbox.client.get(f"/users/{self.id}/settings").json())

    def set(self, **groups: dict[str, Any]) -> None:
        """Changes settings behind the portal's back."""
        answer = self._sandbox.client.patch(f"/users/{self.id}/settings", json=groups)
        assert answer.status_code == 204, answer.text


@pytest.fixture
def make_person(sandbox: Sandbox, connection: Connection) -> MakePerson:
    """Makes people: `make_person(first_name="Ada", type=2)`."""

    def make(**given: Any) -> Made:
        info = {"first_name": "Ada", "last_name": "Lovelace", "type": 2, **given}
        info.setdefault("email", f"{token_hex(6)}@brightwater.example")
        body = {"action": "custCreate", "user_info": info}
        answer = sandbox.client.post("/users", json=body)
        assert answer.status_code == 201, answer.text
        made = Made(sandbox, answer.json())
        refresh_person(api_for(whole(connection)), whole(connection), made.id, UserStatus.ACTIVE)
        return made

    return make


@pytest.fixture
def person(make_person: MakePerson) -> Made:
    return make_person()


class MadeGroup:
    """A group in the sandbox, and in the mirror of a connection."""

    def __init__(self, sandbox: Sandbox, kind: GroupType, document: dict[str, Any]) -> None:
        self._sandbox = sandbox
        self.kind = kind
        self.id: str = document["id"]
        self.name: str = document["name"]
        self.path = f"{_PATHS[kind.slug]}/{self.id}"

    def now(self) -> dict[str, Any]:
        """The group as the service reports; empty if it is gone."""
        answer = self._sandbox.client.get(self.path)
        return dict(answer.json()) if answer.status_code == 200 else {}

    def members(self) -> set[str]:
        data = self._sandbox.client.get(f"{self.path}/members?page_size=300").json()
        return {member["id"] for member in data["members"]}

    def delete(self) -> None:
        """Deletes the group behind the portal's back."""
        assert self._sandbox.client.delete(self.path).status_code == 204

    def put(self, *people: Made) -> None:
        """Adds members behind the portal's back."""
        for start in range(0, len(people), 10):
            body = {"members": [{"id": one.id} for one in people[start : start + 10]]}
            answer = self._sandbox.client.post(f"{self.path}/members", json=body)
            assert answer.status_code == 201, answer.text


_PATHS = {GROUPS.slug: "/groups", IM_GROUPS.slug: "/im/groups"}


@pytest.fixture
def make_group(sandbox: Sandbox, connection: Connection) -> MakeGroup:
    """Makes groups: `make_group(IM_GROUPS, name="Help desk", type="shared")`."""

    def make(kind: GroupType = GROUPS, **given: Any) -> MadeGroup:
        body = {"name": f"Group {token_hex(6)}", **given}
        answer = sandbox.client.post(_PATHS[kind.slug], json=body)
        assert answer.status_code == 201, answer.text
        made = MadeGroup(sandbox, kind, answer.json())
        groups.read(api_for(whole(connection)), connection, kind, made.id)
        return made

    return make
