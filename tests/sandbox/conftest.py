"""People to try things on, made over HTTP."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.sandbox import Sandbox
from tests.support.subscriber import Subscriber

Json = dict[str, Any]
MakePerson = Callable[..., Json]


@pytest.fixture
def api(sandbox: Sandbox) -> httpx.Client:
    return sandbox.client


@pytest.fixture
def make_person(api: httpx.Client) -> MakePerson:
    """Creates somebody nobody else knows: `make_person(action="ssoCreate", type=1)`."""
    return lambda **given: new_person(api, **given)


@pytest.fixture
def person(make_person: MakePerson) -> Json:
    """An active person with a Pro licence."""
    return make_person()


@pytest.fixture
def subscriber() -> Iterator[Subscriber]:
    listening = Subscriber()
    yield listening
    listening.close()


def new_person(api: httpx.Client, action: str = "autoCreate", **given: Any) -> Json:
    info = {"email": fresh_email(), "type": 2, **given}
    if action == "autoCreate":
        info.setdefault("password", "correct horse")
    created = api.post("/users", json={"action": action, "user_info": info})
    assert created.status_code == 201, created.text
    person: Json = created.json()
    return person


def fresh_email() -> str:
    return f"{uuid4().hex[:16]}@brightwater.example"


def refused(response: httpx.Response, status: int, *fields: str) -> str:
    """Checks that an answer is an error of the documented shape; its message."""
    assert response.status_code == status, response.text
    document = response.json()
    assert set(document) == {"code", "message", "errors"}
    assert isinstance(document["code"], int)
    assert document["message"]
    for error in document["errors"]:
        assert set(error) == {"field", "message"}
        assert error["message"]
    assert sorted(error["field"] for error in document["errors"]) == sorted(fields)
    return str(document["message"])


def done(response: httpx.Response) -> None:
    """Checks that a change was made, which has no body."""
    assert response.status_code == 204, response.text
    assert response.content == b""


def everybody(api: httpx.Client, status: str = "active") -> list[Json]:
    """All people of a status, page by page."""
    people: list[Json] = []
    for number in count(1):
        asked: dict[str, Any] = {"status": status, "page_size": 300, "page_number": number}
        page = api.get("/users", params=asked).json()
        people.extend(page["users"])
        if len(people) >= page["total_records"] or not page["users"]:
            return people
    raise AssertionError
