"""Hosts, meetings and webinars in the sandbox that a test made for itself."""

from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest
from django.test import Client

from portal.access.models import Connection
from portal.contract.users import User as UserDetails, UserStatus
from portal.directory import users as mirror
from portal.directory.colleagues import Colleague, colleague
from portal.meetings.spec import MEETINGS
from portal.sessions.specs import SessionSpec
from portal.webinars.spec import WEBINARS
from tests.support.sandbox import Sandbox
from tests.support.scopes import whole
from tests.support.session_made import Made
from tests.support.session_pages import Planner

MakeHost = Callable[..., Colleague]
MakeSession = Callable[..., "Made"]
SPECS = (MEETINGS, WEBINARS)


@pytest.fixture(params=SPECS, ids=lambda spec: spec.family)
def spec(request: pytest.FixtureRequest) -> SessionSpec:
    """Meetings, and then webinars."""
    found: SessionSpec = request.param
    return found


@pytest.fixture
def make_host(sandbox: Sandbox, connection: Connection) -> MakeHost:
    """Makes people who host: `make_host(first_name="Ada", type=1)`."""

    def make(*, timezone: str = "Europe/Berlin", **given: Any) -> Colleague:
        info = {"first_name": "Ada", "last_name": "Lovelace", "type": 2, **given}
        info.setdefault("email", f"{token_hex(6)}@brightwater.example")
        made = sandbox.client.post("/users", json={"action": "custCreate", "user_info": info})
        assert made.status_code == 201, made.text
        user_id = made.json()["id"]
        sandbox.client.patch(f"/users/{user_id}", json={"timezone": timezone})
        holds = {"feature": {"webinar": True, "webinar_capacity": 500}}
        sandbox.client.patch(f"/users/{user_id}/settings", json=holds)
        answer = sandbox.client.get(f"/users/{user_id}").content
        mirror.put(connection, UserDetails.read(answer), UserStatus.ACTIVE)
        return colleague(whole(connection), user_id)

    return make


@pytest.fixture
def host(make_host: MakeHost) -> Colleague:
    return make_host()


@pytest.fixture
def make_session(sandbox: Sandbox, host: Colleague) -> MakeSession:
    """Makes sessions: `make_session(MEETINGS, topic="Budget", host=ann)`."""

    def make(spec: SessionSpec, *, of: Colleague | None = None, **given: Any) -> Made:
        body = {"topic": "Budget review", **given}
        answer = sandbox.client.post(f"/users/{(of or host).id}/{spec.family}", json=body)
        assert answer.status_code == 201, answer.text
        return Made(sandbox, spec, str(answer.json()["id"]))

    return make


@pytest.fixture
def planner(client: Client, connection: Connection, sandbox: Sandbox) -> Planner:
    """The administrator over the sandbox."""
    return Planner(client, connection, sandbox)


@pytest.fixture
def session(make_session: MakeSession, spec: SessionSpec) -> Made:
    """A session whose registrations wait for approval."""
    return make_session(spec, settings={"approval_type": 1})
