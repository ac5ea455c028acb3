"""Each operation, over HTTP, with the running sandbox: as the document has it, and as services of
today do."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from portal.client import (
    AddressPolicy,
    Api,
    Conflict,
    HttpCaller,
    Invalid,
    NotAvailable,
    NotFound,
    Secret,
    Target,
    Unauthorized,
    __file__ as client_module,
)
from portal.client.dialect import read_dialect
from portal.contract import FAMILIES, operations
from portal.contract.operation import Call
from portal.contract.problems import FieldProblem
from portal.contract.users import CreateAction, NewUser, NewUserInfo, UserUpdate
from portal.sandbox.current.names import GONE
from tests.support.sandbox import Sandbox
from tests.support.scenarios import SCENARIOS, person

R = TypeVar("R")
LOOPBACK = AddressPolicy(frozenset({"127.0.0.1"}))


class Noting:
    """Carries calls out through another caller and notes their operations."""

    def __init__(self, inner: HttpCaller) -> None:
        self.inner = inner
        self.called: set[str] = set()

    def __call__(self, call: Call[R]) -> R:
        self.called.add(call.operation.name)
        return self.inner(call)

    def pages(self, call: Call[R]) -> Iterator[R]:
        self.called.add(call.operation.name)
        return self.inner.pages(call)


@pytest.fixture(scope="module", params=["", pytest.param("current", marks=pytest.mark.deep)])
def service(request, sandbox, tmp_path_factory):
    """The sandbox that all tests share, and one of its own as a service of today."""
    if not request.param:
        yield sandbox
        return
    made = Sandbox(tmp_path_factory.mktemp("today"), "--users=60", "--profile=current", "--frozen")
    made.start()
    yield made
    made.stop()


@pytest.fixture
def noting(service):
    target = Target(service.url, Secret(service.token), LOOPBACK, timeout=20)
    if service.profile == "current":
        dialect = read_dialect(Path(client_module).parent / "dialects" / "current.toml")
        target = replace(target, bearer=True, dialect=dialect)
    return Noting(HttpCaller(lambda: target))


@pytest.mark.parametrize("operation", list(operations()), ids=lambda operation: operation.name)
def test_an_operation_does_what_it_says(operation, noting, service):
    assert operation.name in SCENARIOS, "this operation has no scenario"
    gone = GONE if service.profile == "current" else set()
    try:
        SCENARIOS[operation.name](Api(noting))
    except NotAvailable as error:
        if error.operation.name in gone:
            return
        raise
    assert operation.name in noting.called


def test_every_family_is_at_hand_under_its_name(noting):
    api = Api(noting)
    assert [type(getattr(api, family.name)) for family in FAMILIES] == list(FAMILIES)


def test_a_token_that_is_not_valid_is_reported_as_such(sandbox):
    target = Target(sandbox.url, Secret("not-the-token"), LOOPBACK)
    with pytest.raises(Unauthorized) as caught:
        Api(HttpCaller(lambda: target)).users.list()
    assert caught.value.status == 401


def test_nobody_of_an_id_is_reported_as_such(noting):
    with pytest.raises(NotFound) as caught:
        Api(noting).users.update("nobody/at all", UserUpdate(dept="Ops"))
    assert caught.value.status == 404


def test_an_email_that_is_taken_is_shown_at_its_field(noting):
    api = Api(noting)
    info = NewUserInfo(email=person(api).email, type=1)
    with pytest.raises(Conflict) as caught:
        api.users.create(NewUser(action=CreateAction.CREATE, user_info=info))
    assert caught.value.status == 409
    assert [problem.field for problem in caught.value.fields] == ["user_info.email"]


def test_input_that_service_refuses_is_reported_field_by_field(noting):
    api = Api(noting)
    beyond = UserUpdate.model_construct(first_name="x" * 65, host_key="12")
    with pytest.raises(Invalid) as caught:
        api.users.update(person(api).id, beyond)
    assert caught.value.status == 400
    assert set(caught.value.fields) == {
        FieldProblem("first_name", "Use at most 64 characters."),
        FieldProblem("host_key", "A host key is exactly 6 digits."),
    }
